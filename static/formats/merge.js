// Two versions of a calendar object, contact or note that come from the same one, made into one: where each has changed
// other properties nothing has to be asked. Linear in the texts.

import { parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { keyOf, rewritten } from './rewrite.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */

/** what every change sets anew (RFC 5545 section 3.8.7, RFC 6350 section 6.7.4) */
const KEPT_BOOKS = new Set(['DTSTAMP', 'LAST-MODIFIED', 'CREATED', 'PRODID', 'REV']);
const SEQUENCE = 'SEQUENCE';
/** properties that say something together only @type {Record<string, string>} */
const TOGETHER = {
  ...all('time', 'DTSTART DTEND DUE DURATION RRULE RDATE EXDATE RECURRENCE-ID'),
  ...all('state', 'STATUS COMPLETED PERCENT-COMPLETE'),
  ...all('name', 'FN N KIND X-ADDRESSBOOKSERVER-KIND'),
};
/** @param {string} label @param {string} names */
function all(label, names) {
  return Object.fromEntries(names.split(' ').map((name) => [name, label]));
}

/**
 * `theirs` with what `mine` has changed of `base`; undefined where both have changed the same, or where one of them is
 * no such object.
 * @param {string} base @param {string} mine @param {string} theirs
 * @returns {string | undefined}
 */
export function mergeObjects(base, mine, theirs) {
  const [before, own, other] = [base, mine, theirs].map((text) => parseObject(text).object);
  const merged = before && own && other && mergeComponents(before, own, other);
  return merged && rewritten(theirs, merged);
}

/** @param {Component} base @param {Component} mine @param {Component} theirs @returns {Component | undefined} */
function mergeComponents(base, mine, theirs) {
  if (mine.name !== theirs.name) return undefined;
  const lines = mergeLines(base, mine, theirs);
  const [before, own, other] = [base, mine, theirs].map(innerOf);
  /** @type {Component[]} */
  const components = [];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const merged = mergeInner(before.get(key), own.get(key), other.get(key));
    if (!merged) return undefined;
    components.push(...merged);
  }
  return lines && { ...theirs, lines, components };
}

/** @param {Component[]} [base] @param {Component[]} [mine] @param {Component[]} [theirs] */
function mergeInner(base = [], mine = [], theirs = []) {
  const [before, own, other] = [base, mine, theirs].map((each) => each.map(writeComponent).join(''));
  if (own === before || own === other) return theirs;
  if (other === before) return mine;
  if (base.length !== 1 || mine.length !== 1 || theirs.length !== 1 || !keyOf(mine[0])) return undefined;
  const merged = mergeComponents(base[0], mine[0], theirs[0]);
  return merged && [merged];
}

/** By what tells them apart; those that nothing does, as alarms, are one thing. @param {Component} component */
function innerOf({ components }) {
  return Map.groupBy(components, (inner) => keyOf(inner) ?? inner.name);
}

/** @param {Component} base @param {Component} mine @param {Component} theirs @returns {ContentLine[] | undefined} */
function mergeLines(base, mine, theirs) {
  const [before, own, other] = [base, mine, theirs].map(({ lines }) => Map.groupBy(lines, labelOf));
  const merged = new Map(other);
  for (const label of new Set([...own.keys(), ...before.keys()])) {
    const [was, now, there] = [before, own, other].map((each) => said(each.get(label)));
    if (now === was || now === there) continue;
    if (there !== was && !KEPT_BOOKS.has(label) && label !== SEQUENCE) return undefined;
    if (label === SEQUENCE && numberIn(other.get(label)) > numberIn(own.get(label))) continue;
    merged.set(label, own.get(label) ?? []);
  }
  return [...merged.values()].flat();
}

/** What is changed together; lines of a group, `item1.TEL`, name each other. @param {ContentLine} line */
const labelOf = ({ name, group }) => (group === '' ? (TOGETHER[name] ?? name) : 'group');

/** @param {ContentLine[]} [lines] */
const said = (lines = []) => lines.map(({ text }) => text).join('\n');

/** @param {ContentLine[]} [lines] */
const numberIn = (lines) => Number(lines?.[0]?.value) || 0;

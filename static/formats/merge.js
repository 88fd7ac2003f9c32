// Two versions of an object or a text that come from the same one, made into one: where each has changed other
// properties or lines nothing has to be asked. Linear in the texts, but for what diffLines() bounds.

import { escapeText, parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { unescapeText } from '../../src/mime/objects/content-lines.ts';
import { blockLines, diffLines } from './diff.js';
import { valued } from './lines.js';
import { codedLine } from './notes.js';
import { keyOf, rewritten } from './rewrite.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {'mine' | 'theirs'} Side whose counts where both have changed the same */

/** what every change sets anew (RFC 5545 section 3.8.7, RFC 6350 section 6.7.4) */
const KEPT_BOOKS = new Set(['DTSTAMP', 'LAST-MODIFIED', 'CREATED', 'PRODID', 'REV']);
const SEQUENCE = 'SEQUENCE';
/** long texts, of which each may have changed other lines */
const TEXTS = new Set(['DESCRIPTION', 'NOTE', 'BODY']);
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
 * `theirs` with what `mine` has changed of `base`; undefined where both have changed the same and `side` does not say
 * whose counts, or where one of them is no such object.
 * @param {string} base @param {string} mine @param {string} theirs @param {Side} [side]
 * @returns {string | undefined}
 */
export function mergeVersions(base, mine, theirs, side) {
  const all = [base, mine, theirs];
  if (all.every((text) => /^\ufeff?BEGIN:/i.test(text))) return mergeObjects(base, mine, theirs, side);
  // HTML may be written in one line
  const [was, now, there] = all.every((text) => /^\s*</.test(text)) ? all.map(blockLines) : all;
  return mergeTexts(was, now, there, side);
}

/** @param {string} base @param {string} mine @param {string} theirs @param {Side} [side] */
export function mergeObjects(base, mine, theirs, side) {
  const [before, own, other] = [base, mine, theirs].map((text) => parseObject(text).object);
  const merged = before && own && other && mergeComponents(before, own, other, side);
  return merged && rewritten(theirs, merged);
}

/** By lines. @param {string} base @param {string} mine @param {string} theirs @param {Side} [side] */
export function mergeTexts(base, mine, theirs, side) {
  const [own, other] = [mine, theirs].map((text) => changesOf(base, text));
  const lines = base === '' ? [] : base.replaceAll('\r\n', '\n').split('\n');
  /** @type {string[]} */
  const merged = [];
  let at = 0;
  while (own.length > 0 || other.length > 0) {
    const start = Math.min(own[0]?.start ?? Infinity, other[0]?.start ?? Infinity);
    merged.push(...lines.slice(at, start));
    at = start;
    /** those of both that touch each other */
    const [ours, others] = together(own, other);
    const end = Math.max(...[...ours, ...others].map((change) => change.end));
    const [now, there] = [ours, others].map((changes) => applied(lines, start, end, changes));
    if (others.length === 0 || now.join('\n') === there.join('\n')) merged.push(...now);
    else if (ours.length === 0) merged.push(...there);
    else if (side === undefined) return undefined;
    else merged.push(...(side === 'mine' ? now : there));
    at = end;
  }
  const end = /\r\n/.test(theirs) ? '\r\n' : '\n';
  return [...merged, ...lines.slice(at)].join(end);
}

/**
 * Lines from `start` up to `end` are these now.
 * @typedef {{ start: number, end: number, lines: string[] }} TextChange
 */

/** @param {string} before @param {string} after */
function changesOf(before, after) {
  /** @type {TextChange[]} */
  const changes = [];
  let at = 0;
  let isOpen = false;
  for (const { kind, text } of diffLines(before, after)) {
    if (kind !== 'same' && !isOpen) changes.push({ start: at, end: at, lines: [] });
    isOpen = kind !== 'same';
    const last = /** @type {TextChange} */ (changes.at(-1));
    if (kind === 'added') last.lines.push(text);
    else at++;
    if (kind === 'removed') last.end = at;
  }
  return changes;
}

/**
 * Takes those from the beginning of both that change the same place.
 * @param {TextChange[]} own @param {TextChange[]} other
 */
function together(own, other) {
  const [ours, others] = [[], []].map((list) => /** @type {TextChange[]} */ (list));
  let end = Math.min(own[0]?.start ?? Infinity, other[0]?.start ?? Infinity);
  let isFirst = true;
  for (;;) {
    const isNext = (/** @type {TextChange | undefined} */ change) =>
      change && (change.start < end || (change.start === end && (isFirst || change.start === change.end)));
    const [from, to] = isNext(own[0]) ? [own, ours] : isNext(other[0]) ? [other, others] : [];
    const change = from?.shift();
    if (!change) return [ours, others];
    to?.push(change);
    end = Math.max(end, change.end);
    isFirst = false;
  }
}

/** @param {string[]} lines @param {number} start @param {number} end @param {TextChange[]} changes */
function applied(lines, start, end, changes) {
  /** @type {string[]} */
  const now = [];
  let at = start;
  for (const change of changes) {
    now.push(...lines.slice(at, change.start), ...change.lines);
    at = change.end;
  }
  return [...now, ...lines.slice(at, end)];
}

/**
 * @param {Component} base @param {Component} mine @param {Component} theirs @param {Side} [side]
 * @returns {Component | undefined}
 */
function mergeComponents(base, mine, theirs, side) {
  if (mine.name !== theirs.name) return undefined;
  const lines = mergeLines(base, mine, theirs, side);
  const [before, own, other] = [base, mine, theirs].map(innerOf);
  /** @type {Component[]} */
  const components = [];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const merged = mergeInner(before.get(key), own.get(key), other.get(key), side);
    if (!merged) return undefined;
    components.push(...merged);
  }
  return lines && { ...theirs, lines, components };
}

/** @param {Component[]} [base] @param {Component[]} [mine] @param {Component[]} [theirs] @param {Side} [side] */
function mergeInner(base = [], mine = [], theirs = [], side = undefined) {
  const [before, own, other] = [base, mine, theirs].map((each) => each.map(writeComponent).join(''));
  if (own === before || own === other) return theirs;
  if (other === before) return mine;
  const isOne = base.length === 1 && mine.length === 1 && theirs.length === 1 && keyOf(mine[0]);
  if (!isOne) return side && (side === 'mine' ? mine : theirs);
  const merged = mergeComponents(base[0], mine[0], theirs[0], side);
  return merged && [merged];
}

/** By what tells them apart; those that nothing does, as alarms, are one thing. @param {Component} component */
function innerOf({ components }) {
  return Map.groupBy(components, (inner) => keyOf(inner) ?? inner.name);
}

/**
 * @param {Component} base @param {Component} mine @param {Component} theirs @param {Side} [side]
 * @returns {ContentLine[] | undefined}
 */
function mergeLines(base, mine, theirs, side) {
  const [before, own, other] = [base, mine, theirs].map(({ lines }) => Map.groupBy(lines, labelOf));
  const merged = new Map(other);
  for (const label of new Set([...own.keys(), ...before.keys()])) {
    const [was, now, there] = [before, own, other].map((each) => said(each.get(label)));
    if (now === was || now === there) continue;
    if (there !== was && !KEPT_BOOKS.has(label) && label !== SEQUENCE) {
      const text = TEXTS.has(label) && mergeLong(before.get(label), own.get(label), other.get(label), side);
      if (text) merged.set(label, text);
      if (text || side === 'theirs') continue;
      if (side === undefined) return undefined;
    }
    if (label === SEQUENCE && numberIn(other.get(label)) > numberIn(own.get(label))) continue;
    merged.set(label, own.get(label) ?? []);
  }
  return [...merged.values()].flat();
}

/**
 * A text of several lines, of which each has changed others.
 * @param {ContentLine[]} [base] @param {ContentLine[]} [mine] @param {ContentLine[]} [theirs] @param {Side} [side]
 */
function mergeLong(base = [], mine = [], theirs = [], side = undefined) {
  if (base.length !== 1 || mine.length !== 1 || theirs.length !== 1) return undefined;
  const [was, now, there] = [base, mine, theirs].map(([{ value }]) => unescapeText(value));
  const text = mergeTexts(was, now, there, side);
  if (text === undefined) return undefined;
  const [line] = theirs;
  return [line.name === 'BODY' ? codedLine('BODY', text) : valued(line, escapeText(text))];
}

/** What is changed together; lines of a group, `item1.TEL`, name each other. @param {ContentLine} line */
const labelOf = ({ name, group }) => (group === '' ? (TOGETHER[name] ?? name) : `${group}.`.toLowerCase());

/** @param {ContentLine[]} [lines] */
const said = (lines = []) => lines.map(({ text }) => text).join('\n');

/** @param {ContentLine[]} [lines] */
const numberIn = (lines) => Number(lines?.[0]?.value) || 0;

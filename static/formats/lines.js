// Changing the lines of a calendar object or contact one by one; whatever is not named stays as it was written.

import { escapeText, makeLine } from '../../src/mime/objects/components.ts';
import { ContentLine, lineOf, unescapeText } from '../../src/mime/objects/content-lines.ts';
import { withParameter } from '../../src/mime/scheduling/lines.ts';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */

/** how the old value was coded, which the new one is not (vCard 2.1) */
const CODINGS = /;(?:(?:ENCODING=)?QUOTED-PRINTABLE|CHARSET=[^;:]*)(?=[;:])/gi;

/** The same with these lines in place of those of that name, where the first of them stood. */
export function withLines(
  /** @type {Component} */ component,
  /** @type {string} */ name,
  /** @type {(ContentLine | undefined)[]} */ ...lines
) {
  const present = lines.filter((line) => line !== undefined);
  const at = component.lines.findIndex((line) => line.name === name);
  const others = component.lines.filter((line) => line.name !== name);
  const place = at < 0 ? others.length : component.lines.slice(0, at).filter((line) => line.name !== name).length;
  return { ...component, lines: [...others.slice(0, place), ...present, ...others.slice(place)] };
}

/**
 * With this line in the place of another one, undefined for none.
 * @param {Component} component @param {ContentLine | undefined} old undefined: it is new
 * @param {ContentLine | undefined} line
 */
export function withLineAt(component, old, line) {
  if (!old) return line ? { ...component, lines: [...component.lines, line] } : component;
  return { ...component, lines: component.lines.flatMap((one) => (one !== old ? [one] : line ? [line] : [])) };
}

/**
 * With this value in the first line of that name, which keeps its group and parameters; '' takes it away.
 * @param {Component} component @param {string} name @param {string} value as it is written
 */
export function withValue(component, name, value) {
  const old = lineOf(component, name);
  return withLineAt(component, old, value === '' ? undefined : old ? valued(old, value) : makeLine(name, value));
}

/** The line with another value, as it is written. @param {ContentLine} line @param {string} value */
export function valued(line, value) {
  const written = value.replaceAll(/\r?\n/g, '\\n');
  if (!line.isQuotedPrintable) return line.value === value ? line : line.withValue(written);
  const { text } = line.withValue('');
  return ContentLine.read(`${text.replaceAll(CODINGS, '')}${written}`) ?? makeLine(line.name, written);
}

/**
 * With this text in the first line of that name; without the line where it is empty.
 * @param {Component} component @param {string} name @param {string} text
 */
export function withText(component, name, text) {
  const old = lineOf(component, name);
  const changed = withValue(component, name, escapeText(text));
  const now = lineOf(changed, name);
  // another form of the old words (RFC 5545 section 3.2.1)
  return old && now && text !== '' ? withLineAt(changed, now, withParameter(now, 'ALTREP', undefined)) : changed;
}

/** @param {Component} component @param {ReadonlySet<string>} names */
export function withoutLines(component, names) {
  return { ...component, lines: component.lines.filter(({ name }) => !names.has(name)) };
}

/** `a\, b,c` → `a\, b` and `c` @param {string} value */
const writtenItems = (value) => value.match(/(?:[^,\\]|\\.)+/gs) ?? [];

/** @param {string} item */
const said = (item) => unescapeText(item).trim();

/** What the lists of that name have: `a\, b,c` → `a, b` and `c`. @param {Component} component @param {string} name */
export const itemsOf = ({ lines }, name) =>
  lines
    .filter((line) => line.name === name)
    .flatMap(({ value }) => writtenItems(value).map(said))
    .filter((item) => item !== '');

/**
 * With these items in the lists of that name; those that were there stay where they are.
 * @param {Component} component @param {string} name @param {readonly string[]} items
 */
export function withItems(component, name, items) {
  const missing = new Set(items);
  let changed = component;
  for (const line of component.lines.filter((one) => one.name === name)) {
    const written = writtenItems(line.value);
    const kept = written.filter((item) => items.includes(said(item)));
    for (const item of kept) missing.delete(said(item));
    const value = kept.join(',');
    if (kept.length < written.length)
      changed = withLineAt(changed, line, value === '' ? undefined : valued(line, value));
  }
  if (missing.size === 0) return changed;
  const added = [...missing].map(escapeText).join(',');
  const old = changed.lines.findLast((one) => one.name === name);
  return withLineAt(changed, old, old ? valued(old, `${old.value},${added}`) : makeLine(name, added));
}

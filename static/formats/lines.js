// Changing the lines of a calendar object or contact one by one; whatever is not named stays as it was written.

import { escapeText, makeLine } from '../../src/mime/objects/components.ts';
import { lineOf } from '../../src/mime/objects/content-lines.ts';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */

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
 * With this text; without the line where it is empty.
 * @param {Component} component @param {string} name @param {string} text
 */
export function withText(component, name, text) {
  const line = lineOf(component, name);
  if (text === '') return withLines(component, name);
  // parameters such as LANGUAGE are of the old words, and a new coding is none
  const isSame = line && !line.isQuotedPrintable;
  return withLines(component, name, isSame ? line.withValue(escapeText(text)) : makeLine(name, escapeText(text)));
}

/** @param {Component} component @param {ReadonlySet<string>} names */
export function withoutLines(component, names) {
  return { ...component, lines: component.lines.filter(({ name }) => !names.has(name)) };
}

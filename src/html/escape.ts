// The only places where text becomes part of HTML that we write; and text without control characters.

import { changePieces } from './pieces.ts';

/** Without the control characters but tab and line feed: none has a meaning in HTML, some have had one in browsers. */
export const removeControls = (text: string): string => text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');

// one look for both: most text has neither
const UNFIT = /[\0-\x08\x0b-\x1f\x7f-\x9f&<>"]/;

/** For element content and for attribute values in double quotes alike. */
export const escapeHtml = (text: string): string => (UNFIT.test(text) ? changePieces(text, escaped) : text);

const escaped = (text: string): string => replaceEach(escapeMarkup(removeControls(text)), '"', '&quot;');

/** What begins or ends a tag or a reference, of HTML and XML alike. */
export const escapeMarkup = (text: string): string =>
  replaceEach(replaceEach(replaceEach(text, '&', '&amp;'), '<', '&lt;'), '>', '&gt;');

/** One in all of the text at once: a call for each that is found takes several times as long where there are many. */
export function replaceEach(text: string, found: string, by: string): string {
  return text.includes(found) ? text.split(found).join(by) : text;
}

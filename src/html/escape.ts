// The only places where text becomes part of HTML that we write; and text without control characters.

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the control characters but tab and line feed: none has a meaning in HTML, some have had one in browsers. */
export const removeControls = (text: string): string => text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');

// one look for both: most text has neither
const UNFIT = /[\0-\x08\x0b-\x1f\x7f-\x9f&<>"]/;

/** For element content and for attribute values in double quotes alike. */
export const escapeHtml = (text: string): string =>
  UNFIT.test(text) ? removeControls(text).replace(/[&<>"]/g, (character) => ESCAPES[character]!) : text;

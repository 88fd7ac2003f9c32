// The only places where text becomes part of HTML that we write; and text without control characters.

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

/** UTF-16 units */
const PIECE = 8192;

/** What `change` makes of each piece, in order. Those after the first begin with `mark`, if there is one. */
export function changePieces(text: string, change: (piece: string) => string, mark?: string): string {
  if (text.length <= PIECE) return change(text);
  let changed = '';
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start, mark);
    changed += change(text.slice(start, end));
    start = end;
  }
  return changed;
}

function endOfPiece(text: string, start: number, mark: string | undefined): number {
  const end = start + PIECE;
  if (mark === undefined || end >= text.length) return end;
  // looked for in the piece alone, then onward: no place is looked at more than a few times
  const last = text.slice(start, end).lastIndexOf(mark);
  if (last > 0) return start + last;
  const next = text.indexOf(mark, end);
  return next < 0 ? text.length : next;
}

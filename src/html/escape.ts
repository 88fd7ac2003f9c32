// The only place where text becomes HTML. Also removes control characters.

/** Keeps tab and line feed. The others have no meaning in HTML, but browsers have interpreted some. */
export const removeControls = (text: string): string => text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');

// one test for both: most text has neither
const UNFIT = /[\0-\x08\x0b-\x1f\x7f-\x9f&<>"]/;

/** For element content and for double-quoted attribute values. */
export const escapeHtml = (text: string): string => (UNFIT.test(text) ? changePieces(text, escaped) : text);

const escaped = (text: string): string => replaceEach(escapeMarkup(removeControls(text)), '"', '&quot;');

/** Escapes the start and end of tags and references, in HTML and XML. */
export const escapeMarkup = (text: string): string =>
  replaceEach(replaceEach(replaceEach(text, '&', '&amp;'), '<', '&lt;'), '>', '&gt;');

/** Faster than replaceAll when there are many occurrences. */
export function replaceEach(text: string, found: string, by: string): string {
  return text.includes(found) ? text.split(found).join(by) : text;
}

/** UTF-16 units */
const PIECE = 8192;

/**
 * Applies `change` to pieces of a long text, so that V8's bookkeeping of replacements, many times the size of the text,
 * is freed early. Pieces after the first start at a `mark`, if given.
 */
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
  // searches backwards within the piece, then forwards: linear overall
  const last = text.slice(start, end).lastIndexOf(mark);
  if (last > 0) return start + last;
  const next = text.indexOf(mark, end);
  return next < 0 ? text.length : next;
}

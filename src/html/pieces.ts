// Long texts changed in pieces: what V8 notes of each place that changes, many times the text, is then given back while
// it is young. All at once it would fill the heap, and other threads would collect it.

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

// Text inside a listing: folding of formats 0 and 1 (spec section 13), and the guard that keeps a line `000` of decoded
// text from ending the listing (section 20). Streaming, bytes in and bytes out. Called by message-text.ts and message-part.ts.

import { FIXED_LINE_BYTES, UNBROKEN_LINE_BYTES, WRAP_AFTER_BYTES } from '../limits/backend.ts';

/** `'a\n000'` → `'a\n 000\n'`: no line is `000`, with or without a CR behind it, and the last line is ended. */
export function* guardListing(source: Iterable<Buffer>): Generator<Buffer> {
  let isLineStart = true;
  // the beginning of a line that may still become the end mark
  let held = '';
  for (const chunk of source) {
    if (chunk.length === 0) continue;
    const text = held + chunk.toString('latin1');
    const lastLine = text.lastIndexOf('\n') + 1;
    held = (lastLine > 0 || isLineStart) && '000\r'.startsWith(text.slice(lastLine)) ? text.slice(lastLine) : '';
    const ready = text.slice(0, text.length - held.length);
    if (ready === '') continue;
    const marks = isLineStart ? /(^|\n)000(?=\r?\n)/g : /(\n)000(?=\r?\n)/g;
    yield Buffer.from(ready.replace(marks, '$1 000'), 'latin1');
    isLineStart = ready.endsWith('\n');
  }
  if (held !== '') yield Buffer.from(`${held.startsWith('000') ? ' ' : ''}${held}\n`, 'latin1');
  else if (!isLineStart) yield Buffer.from('\n');
}

/** Format 0: a line is broken at the first blank behind WRAP_AFTER_BYTES, or after UNBROKEN_LINE_BYTES. CR is removed. */
export function wrapVariable(source: Iterable<Buffer>): Generator<Buffer> {
  return wrap(source, /\r/g, '', (line) => {
    const blank = line.slice(0, UNBROKEN_LINE_BYTES + 1).indexOf(' ', WRAP_AFTER_BYTES);
    if (blank >= 0) return [blank, blank + 1];
    return line.length > UNBROKEN_LINE_BYTES ? hardBreak(line, UNBROKEN_LINE_BYTES) : undefined;
  });
}

/** Format 1: lines over FIXED_LINE_BYTES are broken at a blank, or at the limit where there is none. CR breaks a line. */
export function wrapFixed(source: Iterable<Buffer>): Generator<Buffer> {
  return wrap(source, /\r/g, '\n', (line) => {
    if (line.length <= FIXED_LINE_BYTES) return undefined;
    const blank = line.lastIndexOf(' ', FIXED_LINE_BYTES);
    return blank > 0 ? [blank, blank + 1] : hardBreak(line, FIXED_LINE_BYTES);
  });
}

/** End of the first piece and start of the rest; undefined when the line is short enough as it is. */
type Break = [number, number] | undefined;

function* wrap(
  source: Iterable<Buffer>,
  cr: RegExp,
  crBecomes: string,
  breakAt: (line: string) => Break,
): Generator<Buffer> {
  let line = '';
  for (const chunk of source) {
    const lines = chunk.toString('latin1').replace(cr, crBecomes).split('\n');
    let out = '';
    for (let i = 0; i < lines.length; i++) {
      line += lines[i]!;
      const isEnded = i < lines.length - 1;
      // an unfinished line keeps enough for the next break to come out the same, however the chunks fell
      while (isEnded || line.length > UNBROKEN_LINE_BYTES) {
        const cut = breakAt(line);
        if (!cut) break;
        out += `${line.slice(0, cut[0])}\n`;
        line = line.slice(cut[1]);
      }
      if (!isEnded) break;
      out += `${line}\n`;
      line = '';
    }
    if (out !== '') yield Buffer.from(out, 'latin1');
  }
  if (line === '') return;
  yield* wrap([Buffer.from(`${line}\n`, 'latin1')], cr, crBecomes, breakAt);
}

/** At `limit`, or before it where that would tear a UTF-8 sequence. */
function hardBreak(line: string, limit: number): [number, number] {
  let at = limit;
  while (at > limit - 4 && (line.charCodeAt(at) & 0xc0) === 0x80) at--;
  return [at, at];
}

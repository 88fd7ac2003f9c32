// CR LF, the line end of mail (RFC 5322), as the LF that the line protocol takes. Called by gateway/message-text.ts and
// copy/source.ts.

const LF = 10;
const CR = 13;

/** CR LF → LF, also when a piece ends between the two; a CR elsewhere stays. */
export async function* withoutCr(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let hasHeldCr = false;
  for await (const chunk of source) {
    const bytes: Buffer = hasHeldCr ? Buffer.concat([Buffer.of(CR), chunk]) : chunk;
    hasHeldCr = bytes[bytes.length - 1] === CR;
    const piece = dropCrBeforeLf(hasHeldCr ? bytes.subarray(0, -1) : bytes);
    if (piece.length > 0) yield piece;
  }
  if (hasHeldCr) yield Buffer.of(CR);
}

function dropCrBeforeLf(bytes: Buffer): Buffer {
  let next = bytes.indexOf(CR);
  if (next < 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let from = 0;
  for (; next >= 0; next = bytes.indexOf(CR, next + 1)) {
    if (bytes[next + 1] !== LF) continue;
    length += bytes.copy(result, length, from, next);
    from = next + 1;
  }
  length += bytes.copy(result, length, from);
  return result.subarray(0, length);
}

// Converts between CR LF of mail (RFC 5322) and LF of the line protocol, byte by byte: every byte may be a line end.

const LF = 10;
const CR = 13;
const NOTHING = Buffer.alloc(0);

/** CR LF → LF, also across pieces. Other CRs stay. */
export async function* withoutCr(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  const lines = new LfLines();
  for await (const chunk of source) {
    const piece = lines.push(chunk);
    if (piece.length > 0) yield piece;
  }
  const rest = lines.end();
  if (rest.length > 0) yield rest;
}

export class LfLines {
  #hasHeldCr = false;

  /** Returns the output that is certain so far; may be empty. */
  push(chunk: Buffer): Buffer {
    if (chunk.length === 0) return NOTHING;
    const bytes: Buffer = this.#hasHeldCr ? Buffer.concat([Buffer.of(CR), chunk]) : chunk;
    this.#hasHeldCr = bytes[bytes.length - 1] === CR;
    return dropCrBeforeLf(this.#hasHeldCr ? bytes.subarray(0, -1) : bytes);
  }

  end(): Buffer {
    return this.#hasHeldCr ? Buffer.of(CR) : NOTHING;
  }
}

/** CR LF → LF. Returns the same buffer if there is none. */
export function dropCrBeforeLf(bytes: Buffer): Buffer {
  const first = bytes.indexOf(CR);
  if (first < 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = bytes.copy(result, 0, 0, first);
  for (let at = first; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== CR || bytes[at + 1] !== LF) result[length++] = byte;
  }
  return result.subarray(0, length);
}

/** LF → CR LF */
export function addCrBeforeLf(bytes: Buffer): Buffer {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) count++;
  if (count === 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length + count);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LF) result[length++] = CR;
    result[length++] = byte;
  }
  return result;
}

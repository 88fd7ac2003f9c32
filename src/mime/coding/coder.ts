// What the streaming coders of transfer encodings have in common.

export interface Coder {
  /** the bytes that are certain after this chunk, possibly none */
  push(chunk: Buffer): Buffer;
  /** the rest; the coder cannot be used any more */
  end(): Buffer;
}

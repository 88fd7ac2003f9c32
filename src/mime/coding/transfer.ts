// Content transfer encodings (RFC 2045 section 6) as streaming coders, for bodies of any size. Encoded bodies must pass
// the line protocol unharmed, so the encoders make LF line ends and never a line `000`.

import { base64Decoder, base64Encoder } from './base64.ts';
import type { Coder } from './coder.ts';
import { quotedPrintableDecoder, quotedPrintableEncoder } from './quoted-printable.ts';

export type { Coder };
export { base64Decoder, base64Encoder, quotedPrintableDecoder, quotedPrintableEncoder };

/** how a body travels; `identity` is 8bit: valid UTF-8 text that needs no encoding */
export type TransferEncoding = 'identity' | 'quoted-printable' | 'base64';

/** Bytes as they are. */
export function identityCoder(): Coder {
  return { push: (chunk) => chunk, end: () => Buffer.alloc(0) };
}

/** A new encoder, for one body (RFC 2045 section 6). */
export function encoderFor(encoding: TransferEncoding): Coder {
  if (encoding === 'base64') return base64Encoder();
  return encoding === 'quoted-printable' ? quotedPrintableEncoder() : identityCoder();
}

/** Takes the value of Content-Transfer-Encoding, any case, empty for none; undefined if it is not a known one. */
export function decoderFor(encoding: string): Coder | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
    case 'identity':
      return identityCoder();
    case 'base64':
      return base64Decoder();
    case 'quoted-printable':
      return quotedPrintableDecoder();
    default:
      return undefined;
  }
}

/** What the decoder makes of the source, pulled. */
export function* decodedPieces(source: Iterable<Buffer>, decoder: Coder): Generator<Buffer> {
  for (const chunk of source) {
    const out = decoder.push(chunk);
    if (out.length > 0) yield out;
  }
  const out = decoder.end();
  if (out.length > 0) yield out;
}

/** What the coder makes of the source, pulled. */
export async function* transform(source: AsyncIterable<Buffer>, coder: Coder): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const coded = coder.push(chunk);
    if (coded.length > 0) yield coded;
  }
  const rest = coder.end();
  if (rest.length > 0) yield rest;
}

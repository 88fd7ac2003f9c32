// Content codings (RFC 9110 section 8.4.1): which answers are packed, and how. zlib runs in node's thread pool, so
// packing does not stall other requests.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { MAX_COMPRESS_BYTES, MIN_COMPRESS_BYTES } from '../limits/http.ts';
import type { Exchange } from './exchange.ts';
import { preferredEncoding } from './negotiate.ts';

export type ContentCoding = 'br' | 'gzip';

const CONTENT_CODINGS: readonly ContentCoding[] = ['br', 'gzip'];
const COMPRESSIBLE =
  /^(?:text\/|(?:application|image)\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/(?:javascript|wasm)\b)/;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Whether bytes of this type and number are ever packed; such answers carry `Vary: Accept-Encoding`. */
export function isCompressible(contentType: string, size: number): boolean {
  return size >= MIN_COMPRESS_BYTES && size <= MAX_COMPRESS_BYTES && COMPRESSIBLE.test(contentType);
}

/** The coding that this client likes best; undefined: send it as it is. */
export function chooseContentCoding(exchange: Exchange): ContentCoding | undefined {
  return preferredEncoding(exchange.header('accept-encoding'), CONTENT_CODINGS);
}

/** With a level that suits answers that are made for each request. */
export function compress(encoding: ContentCoding, bytes: string | Uint8Array): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: 5 });
  const size = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  });
}

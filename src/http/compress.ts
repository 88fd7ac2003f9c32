// Content codings (RFC 9110 section 8.4.1): which responses to compress, and how. zlib uses node's thread pool.

import { once } from 'node:events';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { MAX_COMPRESS_BYTES, MIN_COMPRESS_BYTES } from '../limits/http.ts';
import type { Exchange } from './exchange.ts';
import { preferredEncoding } from './negotiate.ts';

export type ContentCoding = 'br' | 'gzip';

const CONTENT_CODINGS: readonly ContentCoding[] = ['br', 'gzip'];
const COMPRESSIBLE =
  /^(?:text\/|(?:application|image)\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/(?:javascript|wasm)\b)/;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Whether content of this type and size may be compressed; then the response has `Vary: Accept-Encoding`. */
export function isCompressible(contentType: string, size: number): boolean {
  return size >= MIN_COMPRESS_BYTES && size <= MAX_COMPRESS_BYTES && COMPRESSIBLE.test(contentType);
}

/** The client's preferred coding; undefined: uncompressed. */
export function chooseContentCoding(exchange: Exchange): ContentCoding | undefined {
  return preferredEncoding(exchange.header('accept-encoding'), CONTENT_CODINGS);
}

/** Uses a level suited to dynamic responses. */
export function compress(encoding: ContentCoding, bytes: string | Uint8Array): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: 5 });
  const size = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  });
}

/** window size of stream compression as a power of 2; determines the memory per stream */
const STREAM_WINDOW_BITS = 18;

/** Compresses a stream and flushes after each piece. Frees the compressor with the iterator. */
export async function* compressStream(
  encoding: ContentCoding,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const isGzip = encoding === 'gzip';
  const packer = isGzip
    ? createGzip({ level: 5 })
    : createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
      });
  const flush = isGzip ? constants.Z_SYNC_FLUSH : constants.BROTLI_OPERATION_FLUSH;
  let packed: Buffer[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  packer.on('data', (chunk: Buffer) => packed.push(chunk)).on('error', failed.reject);
  const take = () => {
    const bytes = Buffer.concat(packed);
    packed = [];
    return bytes;
  };
  try {
    for await (const piece of body) {
      packer.write(piece);
      await Promise.race([new Promise<void>((resolve) => packer.flush(flush, () => resolve())), failed.promise]);
      if (packed.length > 0) yield take();
    }
    const ended = once(packer, 'end');
    packer.end();
    await ended;
    if (packed.length > 0) yield take();
  } finally {
    packer.destroy();
  }
}

// Content codings (RFC 9110 section 8.4.1): which answers are packed, and how. zlib runs in node's thread pool, so
// packing does not stall other requests.

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

/** bytes that a packer of a stream looks back on, as a power of 2: more takes more memory for each stream */
const STREAM_WINDOW_BITS = 18;

/**
 * The same of a body whose pieces go out as they are made: what each is packed to is complete in itself. The packer
 * goes with the iterator, however that ends.
 */
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

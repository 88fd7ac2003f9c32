// Appends bytes that arrive in pieces of any size, in linear time, and carries bytes that are no UTF-8 in strings.

import { isUtf8 } from 'node:buffer';

/** used length of the buffers allocated here */
const filled = new WeakMap<ArrayBufferLike, number>();

/** Like Buffer.concat, but leaves spare room, so that later calls copy only `more`. Does not change `bytes`. */
export function appended(bytes: Buffer, more: Buffer): Buffer {
  const store = bytes.buffer;
  const end = bytes.byteOffset + bytes.length;
  const total = bytes.length + more.length;
  const isOwn = filled.has(store);
  if (filled.get(store) === end && end + more.length <= store.byteLength) {
    filled.set(store, end + more.length);
    const result = Buffer.from(store, bytes.byteOffset, total);
    result.set(more, bytes.length);
    return result;
  }
  // exact at first: usually nothing follows
  const larger = Buffer.allocUnsafeSlow(isOwn ? total * 2 : total);
  larger.set(bytes);
  larger.set(more, bytes.length);
  filled.set(larger.buffer, total);
  return larger.subarray(0, total);
}

/** what stands for a byte from 0x80 that is no UTF-8: a lone surrogate, U+DC80 to U+DCFF */
const RAW_BYTE = /[\udc80-\udcff]/u;

/** UTF-8 as text. In anything else each byte from 0x80 becomes a lone surrogate, so that rawBytes can restore it. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, (char) => String.fromCharCode(0xdc00 | char.charCodeAt(0)));
}

/** The text was made of bytes that are no UTF-8. */
export function hasRawBytes(text: string): boolean {
  return RAW_BYTE.test(text);
}

/** The bytes that textOfBytes was given. */
export function bytesOfText(text: string): Buffer {
  if (!hasRawBytes(text)) return Buffer.from(text);
  const latin1 = text.replace(/[^\0-\x7f]/gu, (char) =>
    RAW_BYTE.test(char) ? String.fromCharCode(char.charCodeAt(0) & 0xff) : Buffer.from(char).toString('latin1'),
  );
  return Buffer.from(latin1, 'latin1');
}

/** The bytes from `start` to before `end`. */
export async function* slice(source: AsyncIterable<Buffer>, start: number, end = Number.POSITIVE_INFINITY) {
  let position = 0;
  for await (const chunk of source) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end - position, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position >= end) return;
  }
}

// Appends bytes that arrive in pieces of any size, in linear time.

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

// Appending bytes that arrive in pieces whose size a peer decides, at a cost in proportion to their number.

/** how far the stores made here are filled */
const filled = new WeakMap<ArrayBufferLike, number>();

/**
 * `bytes` with `more` behind them, like Buffer.concat; but where they were made here, there is room behind them, and
 * only `more` is copied. So a long line that comes byte by byte costs in proportion to its length. `bytes` stay as they
 * are.
 */
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
  // the first time just what is needed: mostly the rest has come then
  const larger = Buffer.allocUnsafeSlow(isOwn ? total * 2 : total);
  larger.set(bytes);
  larger.set(more, bytes.length);
  filled.set(larger.buffer, total);
  return larger.subarray(0, total);
}

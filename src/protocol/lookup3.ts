// Bob Jenkins' lookup3 `hashlittle` (public domain) with initial value 1, as a signed 32-bit number. MSGS mode 9 sends
// it for message ids, so that clients can match replies and parents (protocol section 14).

const INITIAL_VALUE = 1;

/** Hash of the bytes of a message id, -2147483648 … 2147483647. */
export function hashMessageId(id: string): number {
  const k = Buffer.from(id);
  let a = (0xdeadbeef + k.length + INITIAL_VALUE) | 0;
  let b = a;
  let c = a;
  let at = 0;
  let left = k.length;
  if (left === 0) return c;
  while (left > 12) {
    a = (a + k.readInt32LE(at)) | 0;
    b = (b + k.readInt32LE(at + 4)) | 0;
    c = (c + k.readInt32LE(at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
    at += 12;
    left -= 12;
  }
  a = (a + wordAt(k, at)) | 0;
  b = (b + wordAt(k, at + 4)) | 0;
  c = (c + wordAt(k, at + 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Little endian; bytes beyond the end are 0. */
function wordAt(k: Buffer, at: number): number {
  return (k[at] ?? 0) | ((k[at + 1] ?? 0) << 8) | ((k[at + 2] ?? 0) << 16) | ((k[at + 3] ?? 0) << 24);
}

// Writing a .zip as a stream (APPNOTE 6.3.9): entries are stored as they are, their sums and sizes follow them (section
// 4.3.9), so that nothing is held but the list of names. Zip64 (4.3.14, 4.5.3) where 32 bits do not do.

/**
 * `size` is what is expected, which decides whether its sizes are written in 64 bits; a name that ends with `/` is a
 * folder.
 * @typedef {{ name: string, size?: number, time?: Date, open?: () => Promise<ReadableStream<Uint8Array>> }} ZipEntry
 */
/** @typedef {{ name: Uint8Array, crc: number, size: number, offset: number, stamp: number, isBig: boolean, isFolder: boolean }} Written */

const MOST = 0xffffffff;
const MOST_ENTRIES = 0xffff;
/** sizes behind the data, names in UTF-8 (sections 4.4.4, Appendix D) */
const FLAGS = 0x0808;
const PLAIN = 20;
const ZIP64 = 45;
/** made on Unix, whose names nobody takes for those of DOS; its modes in the upper half (sections 4.4.2, 4.4.15) */
const MADE_BY = (3 << 8) | ZIP64;
const FILE_MODE = 0o100644 * 2 ** 16;
const FOLDER_MODE = 0o040755 * 2 ** 16 + 0x10;
/** in front of this no date of a .zip can be */
const FIRST_YEAR = 1980;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Goes on with the sum of what came before, 0 at the start (section 4.4.7). @param {number} crc @param {Uint8Array} bytes */
export function crc32(crc, bytes) {
  let value = ~crc;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
}

/**
 * The bytes of the archive, made as they are asked for. What an entry throws ends it.
 * @param {Iterable<ZipEntry> | AsyncIterable<ZipEntry>} entries
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void>}
 */
export async function* zip(entries) {
  /** @type {Written[]} */
  const written = [];
  let at = 0;
  for await (const { name, size = 0, time = new Date(), open } of entries) {
    const isFolder = name.endsWith('/');
    /** @type {Written} */
    const entry = {
      name: new TextEncoder().encode(name),
      crc: 0,
      size: 0,
      offset: at,
      stamp: stampOf(time),
      isBig: size >= MOST,
      isFolder,
    };
    const head = localHeader(entry);
    yield head;
    at += head.length;
    if (!isFolder && open) {
      for await (const chunk of chunksOf(await open())) {
        entry.crc = crc32(entry.crc, chunk);
        entry.size += chunk.length;
        yield chunk;
      }
      at += entry.size;
    }
    if (entry.size >= MOST && !entry.isBig) throw new RangeError(`larger than it was said to be: ${name}`);
    const tail = descriptor(entry);
    yield tail;
    at += tail.length;
    written.push(entry);
  }
  const start = at;
  for (const entry of written) {
    const record = centralHeader(entry);
    yield record;
    at += record.length;
  }
  yield endOf(written.length, start, at - start);
}

/** @param {ReadableStream<Uint8Array>} stream */
async function* chunksOf(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield/** @type {Uint8Array<ArrayBuffer>} */ (value);
    }
  } finally {
    // of no use once it is done; of a reader that has gone it stops what still comes
    await reader.cancel().catch(() => {});
  }
}

/** The clock of the reader in two halves (section 4.4.6). @param {Date} time */
function stampOf(time) {
  const year = Math.max(time.getFullYear(), FIRST_YEAR) - FIRST_YEAR;
  const date = (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}

/** @param {Written} entry */
function localHeader({ name, stamp, isBig }) {
  const extra = isBig ? [two(1), two(16), eight(0), eight(0)] : [];
  const sizes = isBig ? MOST : 0;
  return bytes(
    four(0x04034b50),
    two(isBig ? ZIP64 : PLAIN),
    two(FLAGS),
    two(0),
    four(stamp),
    four(0),
    four(sizes),
    four(sizes),
    two(name.length),
    two(isBig ? 20 : 0),
    name,
    ...extra,
  );
}

/** @param {Written} entry */
function descriptor({ crc, size, isBig }) {
  const width = isBig ? eight : four;
  return bytes(four(0x08074b50), four(crc), width(size), width(size));
}

/** @param {Written} entry */
function centralHeader({ name, crc, size, offset, stamp, isBig, isFolder }) {
  const isFar = offset >= MOST;
  const wide = [...(isBig ? [eight(size), eight(size)] : []), ...(isFar ? [eight(offset)] : [])];
  const extra = wide.length > 0 ? [two(1), two(8 * wide.length), ...wide] : [];
  return bytes(
    four(0x02014b50),
    two(MADE_BY),
    two(wide.length > 0 ? ZIP64 : PLAIN),
    two(FLAGS),
    two(0),
    four(stamp),
    four(crc),
    four(isBig ? MOST : size),
    four(isBig ? MOST : size),
    two(name.length),
    two(wide.length > 0 ? 4 + 8 * wide.length : 0),
    two(0),
    two(0),
    two(0),
    four(isFolder ? FOLDER_MODE : FILE_MODE),
    four(isFar ? MOST : offset),
    name,
    ...extra,
  );
}

/** @param {number} count @param {number} start @param {number} length of the central directory */
function endOf(count, start, length) {
  const isBig = count >= MOST_ENTRIES || start >= MOST || length >= MOST;
  const record = isBig
    ? [
        ...[four(0x06064b50), eight(44), two(ZIP64), two(ZIP64), four(0), four(0)],
        ...[eight(count), eight(count), eight(length), eight(start)],
        ...[four(0x07064b50), four(0), eight(start + length), four(1)],
      ]
    : [];
  const shown = Math.min(count, MOST_ENTRIES);
  return bytes(
    ...record,
    four(0x06054b50),
    two(0),
    two(0),
    two(shown),
    two(shown),
    four(Math.min(length, MOST)),
    four(Math.min(start, MOST)),
    two(0),
  );
}

/** @param {number} value */
const two = (value) => new Uint8Array([value, value >>> 8]);
/** @param {number} value */
const four = (value) => new Uint8Array([value, value >>> 8, value >>> 16, value >>> 24]);
/** @param {number} value up to 2^53 */
const eight = (value) => bytes(four(value % 2 ** 32), four(Math.floor(value / 2 ** 32)));

/** @param {Uint8Array[]} parts */
function bytes(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

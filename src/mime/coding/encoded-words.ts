// Encoded words: non-ASCII text in header fields (RFC 2047), `=?UTF-8?B?w7w=?=`.

import { MAX_UNKNOWN_CHARSETS } from '../../limits/mime.ts';
import { bytesOfText, hasRawBytes } from '../../system/bytes.ts';
import { charsetName, decodeText } from './charset.ts';

/** a question mark inside is forbidden, but occurs */
const WORD = /=\?([^?\s]{1,60})\?([bq])\?((?:[^?=\r\n]|=(?!\?[^=])|\?(?!=))*)\?=/gi;

/** 75 characters per word (RFC 2047 section 2): 12 of frame and 60 of base64, which hold 45 bytes */
const MAX_WORD_BYTES = 45;

/**
 * Decodes encoded words. Malformed words stay as they are, and so does everything after MAX_UNKNOWN_CHARSETS. Line
 * breaks in words become blanks. `charset`: of bytes that are no UTF-8 and of words that name no charset.
 */
export function decodeWords(field: string, charset = ''): string {
  // ISO-2022-JP is often sent raw
  const isRaw = field.includes('\x1b$') || hasRawBytes(field);
  const text = isRaw ? decodeRaw(bytesOfText(field), charset) : field;
  if (!text.includes('=?')) return text;
  let result = '';
  let after = 0;
  // Adjacent words of one charset are decoded together: a character may be split between them.
  let bytes: Buffer[] = [];
  let pending: string | undefined;
  const unknown = new Set<string>();
  const flush = () => {
    if (pending !== undefined) {
      result += decodeText(Buffer.concat(bytes), pending, charset).replace(/[\0\r\n]/g, ' ');
    }
    bytes = [];
    pending = undefined;
  };
  for (const match of text.matchAll(WORD)) {
    const [whole, label, method, encoded] = match as unknown as [string, string, string, string];
    const name = charsetName(label) ?? '';
    if (name === '' && unknown.add(label).size > MAX_UNKNOWN_CHARSETS) break;
    const between = text.slice(after, match.index);
    // white space between two words is dropped
    if (pending === undefined || !/^[ \t\r\n]*$/.test(between)) {
      flush();
      result += between;
    } else if (name !== pending) {
      flush();
    }
    pending = name;
    bytes.push(/b/i.test(method) ? Buffer.from(encoded, 'base64') : decodeQ(encoded));
    after = match.index + whole.length;
  }
  flush();
  return result + text.slice(after);
}

/** RFC 2047 section 4.2 */
function decodeQ(text: string): Buffer {
  // some senders put raw UTF-8 into a word
  const latin1 = Buffer.from(text.replaceAll('_', ' '))
    .toString('latin1')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}

/** A header value of raw bytes: UTF-8 or text in `charset`. Bytes in encoded words, which have their own, are escaped. */
export function decodeRaw(bytes: Buffer, charset: string): string {
  const text = bytes.toString('latin1');
  let result = '';
  let after = 0;
  const plain = (end: number) => decodeText(bytes.subarray(after, end), '', charset);
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!/[\x80-\xff]/.test(word)) continue;
    result += plain(index);
    result += word.replace(/[\x80-\xff]/g, (char) => `=${char.charCodeAt(0).toString(16)}`);
    after = index + word.length;
  }
  return result + plain(bytes.length);
}

/** Text as a header value: unchanged if printable ASCII, else encoded words. */
export function encodeWords(text: string): string {
  return /[^\t -~]/.test(text) ? encodeAll(text) : text;
}

/** Any text as UTF-8 words of at most 75 characters, separated by blanks. */
export function encodeAll(text: string): string {
  const words: string[] = [];
  let part = '';
  let size = 0;
  for (const char of text) {
    const length = Buffer.byteLength(char);
    if (size + length > MAX_WORD_BYTES) {
      words.push(part);
      part = '';
      size = 0;
    }
    part += char;
    size += length;
  }
  words.push(part);
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

// Encoded words: non-ASCII text in header fields (RFC 2047), `=?UTF-8?B?w7w=?=`.

import { MAX_UNKNOWN_CHARSETS } from '../../limits/mime.ts';
import { decoderOf } from './charset.ts';

const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]*)\?=/gi;

/** 75 characters per word (RFC 2047 section 2): 12 of frame and 60 of base64, which hold 45 bytes */
const MAX_WORD_BYTES = 45;

/**
 * Decodes encoded words. Malformed words and unknown charsets stay as they are, and so does everything after
 * MAX_UNKNOWN_CHARSETS of them. Line breaks in words become blanks.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  let result = '';
  let after = 0;
  // Adjacent words of one charset are decoded together: a character may be split between them.
  let bytes: Buffer[] = [];
  let decoder: TextDecoder | undefined;
  const unknown = new Set<string>();
  const flush = () => {
    if (decoder) result += decoder.decode(Buffer.concat(bytes)).replace(/[\0\r\n]/g, ' ');
    bytes = [];
    decoder = undefined;
  };
  for (const match of text.matchAll(WORD)) {
    const [whole, charset, method, encoded] = match as unknown as [string, string, string, string];
    const label = charset.replace(/\*.*/, ''); // RFC 2231 section 5: `utf-8*en`
    if (unknown.has(label)) continue;
    const found = decoderOf(label);
    if (!found) {
      if (unknown.add(label).size > MAX_UNKNOWN_CHARSETS) break;
      continue;
    }
    const between = text.slice(after, match.index);
    // white space between two words is dropped
    if (decoder === undefined || !/^[ \t\r\n]*$/.test(between)) {
      flush();
      result += between;
    } else if (found !== decoder) {
      flush();
    }
    decoder = found;
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

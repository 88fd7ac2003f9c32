// Decodes bytes by the charset labels of the WHATWG Encoding Standard, as browsers do. Never throws.

import { MAX_CHARSET_CHARACTERS, META_CHARSET_BYTES } from '../../limits/mime.ts';

/** labels found in mail that the standard lacks */
const ALIASES: Readonly<Record<string, string>> = {
  'latin-1': 'windows-1252',
  'iso-latin-1': 'windows-1252',
  ascii7: 'windows-1252',
  'utf-8-sig': 'utf-8',
  utf8mb4: 'utf-8',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
};

/** defaults of programs that do not check the text */
const ASCII_LABELS: ReadonlySet<string> = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968']);

const META_CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Holds valid labels only, so the standard bounds its size. */
const decoders = new Map<string, TextDecoder>();

/** Case-insensitive, ignores blanks and quotes. undefined: unknown label. */
export function decoderOf(charset: string): TextDecoder | undefined {
  if (charset.length > MAX_CHARSET_CHARACTERS) return undefined;
  const label = charset.replace(/["']/g, ' ').trim().toLowerCase();
  const known = decoders.get(label);
  if (known) return known;
  try {
    const decoder = new TextDecoder(Object.hasOwn(ALIASES, label) ? ALIASES[label] : label);
    decoders.set(label, decoder);
    return decoder;
  } catch {
    return undefined;
  }
}

/**
 * A byte order mark takes precedence over the label and is dropped. A missing or unknown label, a false ASCII label,
 * and a UTF-8 label on text without any UTF-8 sequence mean: UTF-8 if valid, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const label = charsetOfMark(bytes) ?? charset;
  const decoder = isGuess(label) ? undefined : decoderOf(label);
  if (decoder?.encoding === 'utf-16le' && /^utf-?16$/i.test(label.trim()) && isBigEndian(bytes)) {
    return decoderOf('utf-16be')!.decode(bytes);
  }
  const isKnown = decoder !== undefined && !(decoder.encoding === 'utf-8' && isMislabelled(bytes));
  return (isKnown ? decoder : decoderOf(isUtf8(bytes) ? 'utf-8' : 'windows-1252')!).decode(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** No sequence is UTF-8. If some are, the text is damaged UTF-8. */
function isMislabelled(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return false;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    const more = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (more > 0 && hasContinuations(bytes, at + 1, more)) return false;
  }
  return true;
}

function hasContinuations(bytes: Uint8Array, start: number, count: number): boolean {
  for (let at = start; at < start + count; at++) if ((bytes[at] ?? 0) >> 6 !== 2) return false;
  return true;
}

/** For UTF-16 without a mark, browsers assume little endian, RFC 2781 big endian. The NULs of ASCII text decide. */
function isBigEndian(bytes: Uint8Array): boolean {
  let surplus = 0;
  for (let i = 0; i < Math.min(bytes.length, META_CHARSET_BYTES); i++)
    if (bytes[i] === 0) surplus += i % 2 === 0 ? 1 : -1;
  return surplus > 0;
}

function isGuess(charset: string): boolean {
  return charset === '' || ASCII_LABELS.has(charset.trim().toLowerCase());
}

function charsetOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** The same for an HTML document, whose meta element counts if the label is missing or unknown. */
export function decodeHtml(bytes: Uint8Array, charset: string): string {
  if (!isGuess(charset) && decoderOf(charset)) return decodeText(bytes, charset);
  const start = decoderOf('windows-1252')!.decode(bytes.subarray(0, META_CHARSET_BYTES));
  const labels = (start.match(/<meta\s[^>]*/gi) ?? []).map((tag) => META_CHARSET.exec(tag)?.[1]);
  const named = labels.find((label) => label !== undefined) ?? '';
  // text that was readable as windows-1252 is not UTF-16
  return decodeText(bytes, /^utf-?16/i.test(named) ? 'utf-8' : named);
}

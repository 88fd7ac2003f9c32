// Decodes bytes by the charset that mail names: the labels of the WHATWG Encoding Standard, those that programs write
// instead, and charsets that the standard lacks. Where label and bytes disagree, the bytes decide. Never throws.
// Shared with the web client.

import { MAX_CACHED_CHARSETS, MAX_CHARSET_CHARACTERS, META_CHARSET_BYTES } from '../../limits/mime.ts';
import { TABLES } from './charset-tables.ts';

/** numbers of Windows and DOS code pages, with or without `cp`, `ibm`, `windows-` … */
const CODE_PAGES: Readonly<Record<string, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  943: 'shift_jis',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  10029: 'x-mac-ce',
  20127: '',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  50225: 'iso-2022-kr',
  51932: 'euc-jp',
  51949: 'euc-kr',
  52936: 'hz-gb-2312',
  54936: 'gb18030',
  65000: 'utf-7',
  65001: 'utf-8',
};

/** How mail spells what the standard spells otherwise, lower case. `$1` is what the parentheses matched. */
const SPELLINGS: readonly (readonly [pattern: RegExp, name: string])[] = [
  // labels without a meaning, and the defaults of programs that do not check the text
  [/^(?:|us-?ascii.*|ascii.*|ansi[\w.-]*|x-user-defined|x?-?unknown.*|default.*|binary|none|[78]-?bits?)$/, ''],
  [/^(?:x-)?utf[-_ ]?8.*$|^unicode-?1-1-utf-8$/, 'utf-8'],
  [/^(?:x-)?(?:unicode[-\d]*)?-?utf[-_ ]?7$/, 'utf-7'],
  [/^(?:x-)?utf[-_ ]?16[-_ ]?([bl]e)$/, 'utf-16$1'],
  [/^(?:x-)?utf[-_ ]?16$/, 'utf-16'],
  [/^(?:cs)?iso[-_ ]?2022[-_ ]?(jp|kr|cn).*$/, 'iso-2022-$1'],
  [/^(?:cp|windows-?)?5022[0-2]$/, 'iso-2022-jp'],
  [/^hz.*$/, 'hz-gb-2312'],
  [/^(?:x-)?(?:iso)?[-_ ]?8859[-_ ]?(\d\d?)(?:[-_: ].*)?$/, 'iso-8859-$1'],
  [/^iso[-_ ]?latin[-_ ]?1$|^latin[-_ ]1$/, 'windows-1252'],
  [/^latin[-_ ]?([2-6])$/, 'latin$1'],
  [/^latin[-_ ]?[09]$/, 'iso-8859-15'],
  [/^(?:[a-z][a-z-]*?)?[-_ ]?(125\d)(?:[-_: ].*)?$/, 'windows-$1'],
  [/^(?:x-|cn-|cs)?gb[-_ ]?(?:2312|k).*$|^(?:x-)?euc[-_ ]?cn$/, 'gbk'],
  [/^(?:x-|cn-|chinese)?big[-_ ]?5.*$/, 'big5'],
  [/^(?:x-|cs)?s(?:hift)?[-_ ]?jis.*$/, 'shift_jis'],
  [/^(?:x-|cs)?euc[-_ ]?(jp|kr).*$/, 'euc-$1'],
  [/^(?:cs)?ks[-_ ]?c.*$|^johab$/, 'euc-kr'],
  [/^(?:x-)?koi[-_ ]?8?[-_ ]?r?u.*$/, 'koi8-u'],
  [/^(?:x-)?koi[-_ ]?8?(?:[-_ ].*)?$/, 'koi8-r'],
  [/^(?:x-)?mac[-_ ]?(?:ce|central.*)$/, 'x-mac-ce'],
  [/^(?:x-)?mac[-_ ]?cyrillic$/, 'x-mac-cyrillic'],
  [/^(?:x-)?mac(?:[-_ ]?roman)?$/, 'macintosh'],
];

/** text in these is hardly ever valid UTF-8 by chance */
const LATIN: ReadonlySet<string> = new Set(['windows-1252', 'iso-8859-15', 'iso-8859-2', 'windows-1250', 'macintosh']);

const META_CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** by label */
const names = new Map<string, string | undefined>();

/** by name; the standard bounds their number */
const decoders = new Map<string, TextDecoder>();

/** `' "CP932"'` → `'shift_jis'`; '' for a label without a meaning, undefined for an unknown one. */
export function charsetName(charset: string): string | undefined {
  if (charset.length > MAX_CHARSET_CHARACTERS) return undefined;
  if (names.has(charset)) return names.get(charset);
  const name = findName(charset);
  if (names.size === MAX_CACHED_CHARSETS) names.clear();
  names.set(charset, name);
  return name;
}

function findName(charset: string): string | undefined {
  // RFC 2231 section 5: `utf-8*en`
  const label = charset
    .toLowerCase()
    .replace(/\*.*/s, '')
    .replace(/["';]/g, ' ')
    .replace(/^charset=/, '')
    .replace(/^[\s_-]+/, '')
    .trimEnd();
  for (const [pattern, name] of SPELLINGS) {
    const match = pattern.exec(label);
    if (match) return nameOf(name.replace('$1', match[1] ?? ''));
  }
  const number = /^(?:[a-z]{1,12}[-_ ]?){0,2}(\d{3,5})$/.exec(label)?.[1] ?? '';
  if (Object.hasOwn(TABLES, `ibm${number}`)) return `ibm${number}`;
  if (Object.hasOwn(CODE_PAGES, number)) return CODE_PAGES[number];
  return nameOf(label);
}

/** Names of charsets decoded here stay, others become those of the standard. */
function nameOf(label: string): string | undefined {
  const isOwn = label === '' || label === 'utf-7' || label === 'utf-16' || Object.hasOwn(TABLES, label);
  if (isOwn || Object.hasOwn(EIGHT_BIT, label)) return label;
  try {
    return standardDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function standardDecoder(label: string): TextDecoder {
  let decoder = decoders.get(label);
  if (!decoder) decoders.set(label, (decoder = new TextDecoder(label)));
  return decoder;
}

/**
 * A byte order mark takes precedence over the label and is dropped. A missing, meaningless or unknown label, and a
 * UTF-8 label on text without any UTF-8 sequence mean: UTF-8 if valid, else `fallback`, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string, fallback = ''): string {
  const name = charsetOfMark(bytes) ?? charsetName(charset) ?? '';
  if (name === '' || (name === 'utf-8' && isMislabelled(bytes))) return guessed(bytes, fallback);
  if (name === 'utf-16') return decodeAs(bytes, isBigEndian(bytes) ? 'utf-16be' : 'utf-16le');
  const text = decodeAs(bytes, name);
  if (name === 'utf-8' || !(text.includes('\ufffd') || LATIN.has(name) || name in EIGHT_BIT)) return text;
  if (!isAscii(bytes) && isUtf8(bytes)) return decodeAs(bytes, 'utf-8');
  const other = name === 'iso-2022-jp' && text.includes('\ufffd') ? decodeAs(bytes, 'shift_jis') : text;
  return other.includes('\ufffd') ? text : other;
}

function guessed(bytes: Uint8Array, fallback: string): string {
  if (isWide(bytes)) return decodeAs(bytes, isBigEndian(bytes) ? 'utf-16be' : 'utf-16le');
  if (hasJapaneseEscape(bytes) && isAscii(bytes)) return decodeAs(bytes, 'iso-2022-jp');
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8');
  const name = charsetName(fallback) ?? '';
  return decodeAs(bytes, name === '' || name.startsWith('utf-') || name in EIGHT_BIT ? 'windows-1252' : name);
}

/** Takes a name of charsetName. */
function decodeAs(bytes: Uint8Array, name: string): string {
  if (name === 'utf-7') return decodeUtf7(bytes);
  if (Object.hasOwn(EIGHT_BIT, name)) return standardDecoder(EIGHT_BIT[name]!).decode(withEighthBit(bytes, name));
  const table = TABLES[name];
  return table === undefined ? standardDecoder(name).decode(bytes) : decodeByTable(bytes, table);
}

function decodeByTable(bytes: Uint8Array, upperHalf: string): string {
  return standardDecoder('windows-1252')
    .decode(bytes.map((byte) => (byte < 0x80 ? byte : 0)))
    .replace(/\0/g, (_, at: number) => (bytes[at] ? upperHalf[bytes[at] - 0x80]! : '\0'));
}

/** RFC 2152. Anything else is windows-1252. */
function decodeUtf7(bytes: Uint8Array): string {
  const text = standardDecoder('windows-1252').decode(bytes);
  return text.replace(/\+([A-Za-z0-9+/]*)(-?)/g, (whole: string, encoded: string, end: string) => {
    if (encoded === '') return end === '' ? whole : '+';
    let [units, bits, count] = ['', 0, 0];
    for (const char of encoded) {
      bits = ((bits << 6) | BASE64.indexOf(char)) & 0x3f_ffff;
      count += 6;
      if (count < 16) continue;
      count -= 16;
      units += String.fromCharCode((bits >> count) & 0xffff);
    }
    return units;
  });
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** charsets that switch between sets of 7-bit codes → the charset that has the same codes with the eighth bit set */
const EIGHT_BIT: Readonly<Record<string, string>> = {
  'iso-2022-jp': 'euc-jp',
  'iso-2022-kr': 'euc-kr',
  'iso-2022-cn': 'gbk',
  'hz-gb-2312': 'gbk',
};

const ESC = 0x1b;
/** what an escape sequence selects: one byte a character, half-width katakana, two bytes, two of JIS X 0212 */
const SETS: Readonly<Record<string, 'one' | 'kana' | 'two' | 'more' | 'same'>> = {
  '(B': 'one',
  '(J': 'one',
  '(H': 'one',
  '(I': 'kana',
  '$@': 'two',
  $B: 'two',
  '$(@': 'two',
  '$(B': 'two',
  '$(D': 'more',
  '$)C': 'same',
  '$)A': 'same',
  '$)G': 'same',
};
/** prefix bytes of EUC-JP */
const KANA = 0x8e;
const MORE = 0x8f;

/** RFC 1468, 1557, 1843 and 1922. A line end selects one byte a character; unknown escapes stay. */
function withEighthBit(bytes: Uint8Array, name: string): Uint8Array {
  const out = new Uint8Array(bytes.length * 2);
  const isHz = name === 'hz-gb-2312';
  let set = 'one';
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = bytes[at + 1]!;
    const isCode = byte > 0x20 && byte < 0x7f;
    if (byte === ESC && !isHz) {
      const short = String.fromCharCode(next, bytes[at + 2]!);
      const key = Object.hasOwn(SETS, short) ? short : short + String.fromCharCode(bytes[at + 3]!);
      if (Object.hasOwn(SETS, key)) {
        at += key.length;
        if (SETS[key] !== 'same') set = SETS[key]!;
        continue;
      }
    } else if (isHz && byte === 0x7e && set === 'one' && (next === 0x7b || next === 0x7e || next === 10)) {
      at++;
      if (next === 0x7b) set = 'two';
      if (next === 0x7e) out[length++] = byte;
      continue;
    } else if (isHz && byte === 0x7e && next === 0x7d) {
      at++;
      set = 'one';
      continue;
    } else if (byte === 0x0e || byte === 0x0f) {
      set = byte === 0x0f ? 'one' : name === 'iso-2022-jp' ? 'kana' : 'two';
      continue;
    }
    if (byte === 10) set = 'one';
    if (set === 'kana' && isCode) {
      out[length++] = KANA;
      out[length++] = byte | 0x80;
    } else if ((set === 'two' || set === 'more') && isCode && next > 0x20 && next < 0x7f) {
      if (set === 'more') out[length++] = MORE;
      out[length++] = byte | 0x80;
      out[length++] = next | 0x80;
      at++;
    } else {
      out[length++] = byte;
    }
  }
  return out.subarray(0, length);
}

function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return true;
  }
  return false;
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** UTF-8, or UTF-16 with or without a mark. */
export function isUnicode(bytes: Uint8Array): boolean {
  return charsetOfMark(bytes) !== undefined || isWide(bytes) || isUtf8(bytes);
}

/** Text that begins with two ASCII characters in UTF-16. */
function isWide([a, b, c, d]: Uint8Array): boolean {
  const isLow = (byte = 0) => byte > 0 && byte < 0x80;
  return (a === 0 && c === 0 && isLow(b) && isLow(d)) || (b === 0 && d === 0 && isLow(a) && isLow(c));
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

function charsetOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** The same for an HTML document, whose meta element counts if the label is missing, meaningless or unknown. */
export function decodeHtml(bytes: Uint8Array, charset: string): string {
  if (charsetName(charset)) return decodeText(bytes, charset);
  const start = standardDecoder('windows-1252').decode(bytes.subarray(0, META_CHARSET_BYTES));
  const labels = (start.match(/<meta\s[^>]*/gi) ?? []).map((tag) => META_CHARSET.exec(tag)?.[1]);
  const named = labels.find((label) => label !== undefined) ?? '';
  // text that was readable as windows-1252 is not UTF-16
  return decodeText(bytes, /^utf-?16/i.test(named) ? 'utf-8' : named);
}

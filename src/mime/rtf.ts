// The text of a message in Rich Text Format, as Outlook sends it in a winmail.dat: unpacked (MS-OXRTFCP), as plain text,
// or as the HTML that it was made of (MS-OXRTFEX). One pass over the source; never throws.

import { MAX_RENDERED_SOURCE_BYTES, MAX_RTF_DEPTH } from '../limits/mime.ts';
import { decodeText } from './coding/charset.ts';

const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const HEADER_BYTES = 16;
const WINDOW_BYTES = 4096;
/** what the window holds at the beginning */
const FIRST_WINDOW =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
  '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
  '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/** At most MAX_RENDERED_SOURCE_BYTES of it; undefined if it is damaged. */
export function decompressRtf(packed: Buffer): Buffer | undefined {
  if (packed.length < HEADER_BYTES) return undefined;
  const end = Math.min(packed.length, 4 + packed.readUInt32LE(0));
  const size = Math.min(packed.readUInt32LE(4), MAX_RENDERED_SOURCE_BYTES);
  const content = packed.subarray(HEADER_BYTES, end);
  const kind = packed.readUInt32LE(8);
  if (kind === UNCOMPRESSED) return content.subarray(0, size);
  return kind === COMPRESSED && crcOf(content) === packed.readUInt32LE(12) ? decompress(content, size) : undefined;
}

/** CRC-32 that begins with 0 and is not inverted. */
function crcOf(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return crc >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function decompress(content: Buffer, size: number): Buffer {
  const window = Buffer.alloc(WINDOW_BYTES);
  let to = window.write(FIRST_WINDOW, 'latin1');
  const out = Buffer.alloc(size);
  let length = 0;
  const put = (byte: number) => {
    out[length++] = byte;
    window[to] = byte;
    to = (to + 1) % WINDOW_BYTES;
  };
  for (let at = 0; at < content.length; ) {
    const flags = content[at++]!;
    for (let bit = 0; bit < 8 && at < content.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        if (length < size) put(content[at]!);
        at++;
        continue;
      }
      if (at + 2 > content.length) return out.subarray(0, length);
      const reference = content.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === to) return out.subarray(0, length);
      const count = (reference & 0x0f) + 2;
      for (let i = 0; i < count && length < size; i++) put(window[(from + i) % WINDOW_BYTES]!);
      if (length === size) return out;
    }
  }
  return out.subarray(0, length);
}

/** code pages by the number that a font has for its charset */
const FONT_CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: '932',
  129: '949',
  134: '936',
  136: '950',
  161: '1253',
  162: '1254',
  163: '1258',
  177: '1255',
  178: '1256',
  186: '1257',
  204: '1251',
  222: '874',
  238: '1250',
  254: '437',
  255: '850',
};
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['sect', '\n'],
  ['page', '\n'],
  ['row', '\n'],
  ['nestrow', '\n'],
  ['\n', '\n'],
  ['\r', '\n'],
  ['tab', '\t'],
  ['cell', '\t'],
  ['nestcell', '\t'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['endash', '–'],
  ['emdash', '—'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['-', '\u00ad'],
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
]);
/** groups that are no text */
const UNREAD: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf'.split(
    ' ',
  ),
);

/** what ends with the group in which it was set */
interface GroupState {
  isUnread: boolean;
  /** of the HTML, as it is written */
  isTag: boolean;
  /** hidden text, or what stands for a part of the HTML in programs that know none */
  isHidden: boolean;
  /** what a field does, such as `HYPERLINK "…"`, instead of what it shows */
  isInstruction: boolean;
  link: { address: string; from: number } | undefined;
  /** number of fallback characters after a Unicode escape, set by `uc` */
  fallbacks: number;
  font: number;
}

/** A word with its number, a byte, a sign, a brace, or text. Binary data is skipped. */
const TOKEN = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|(.))|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\/gisy;

/** Text, or HTML if it was made of HTML. */
export function readRtf(source: Buffer): { isHtml: boolean; text: string } {
  const reader = new RtfReader(source.toString('latin1'));
  return { text: reader.read(), isHtml: reader.isHtml };
}

class RtfReader {
  isHtml = false;
  readonly #source: string;
  #state: GroupState = {
    isUnread: false,
    isTag: false,
    isHidden: false,
    isInstruction: false,
    link: undefined,
    fallbacks: 1,
    font: -1,
  };
  readonly #outer: GroupState[] = [];
  /** groups that are nested too deeply to have a state */
  #deeper = 0;
  #isOptional = false;
  #toSkip = 0;
  #charset = 'windows-1252';
  #defaultFont = -1;
  readonly #fonts = new Map<number, string>();
  #instruction = '';
  #bytes = '';
  #bytesCharset = '';
  readonly #pieces: string[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): string {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(this.#source); match; match = TOKEN.exec(this.#source)) {
      const [, word, number, hex, sign, brace, text] = match;
      if (brace !== undefined) this.#brace(brace);
      else if (word === 'bin') TOKEN.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.#word(word.toLowerCase(), number);
      else if (hex !== undefined) this.#takeBytes(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (sign === '*') this.#isOptional = true;
      else if (sign !== undefined) this.#takeText(CHARACTERS.get(sign) ?? '');
      else if (text !== undefined) this.#takeBytes(text);
    }
    this.#flush();
    return this.#pieces.join('');
  }

  #brace(brace: string): void {
    this.#toSkip = 0;
    this.#isOptional = false;
    const isOpening = brace === '{';
    if (isOpening && this.#outer.length === MAX_RTF_DEPTH) this.#deeper++;
    else if (isOpening) this.#outer.push({ ...this.#state });
    else if (this.#deeper > 0) this.#deeper--;
    else this.#close(this.#outer.pop() ?? this.#state);
  }

  /** The address of a link follows its text, unless it is the text. */
  #close(outer: GroupState): void {
    const { link } = this.#state;
    this.#state = outer;
    if (!link || outer.link) return;
    this.#flush();
    if (!this.#pieces.slice(link.from).join('').includes(link.address)) this.#pieces.push(` <${link.address}>`);
  }

  #word(word: string, number: string | undefined): void {
    const state = this.#state;
    const value = Number(number ?? 1);
    const isOptional = this.#isOptional;
    this.#isOptional = false;
    const character = CHARACTERS.get(word);
    if (character !== undefined) this.#takeText(character);
    else if (word === 'u') this.#unicode(value);
    else if (word === 'uc') state.fallbacks = Math.max(0, value);
    else if (word === 'htmltag') state.isTag = true;
    else if (word === 'fldinst') state.isInstruction = state.isUnread = true;
    else if (word === 'fldrslt') this.#result();
    else if (isOptional || UNREAD.has(word)) state.isUnread = true;
    else if (word === 'fromhtml') this.isHtml = value !== 0;
    else if (word === (this.isHtml ? 'htmlrtf' : 'v')) state.isHidden = value !== 0;
    else if (word === 'ansicpg') this.#charset = String(value);
    else if (word === 'mac') this.#charset = 'macintosh';
    else if (word === 'pc' || word === 'pca') this.#charset = word === 'pc' ? '437' : '850';
    else if (word === 'deff') state.font = this.#defaultFont = value;
    else if (word === 'f') state.font = value;
    else if (word === 'plain') this.#plain();
    else if (word === 'fcharset' && Object.hasOwn(FONT_CHARSETS, value))
      this.#fonts.set(state.font, FONT_CHARSETS[value]!);
    else if (word === 'cpg') this.#fonts.set(state.font, String(value));
  }

  #plain(): void {
    this.#state.font = this.#defaultFont;
    if (!this.isHtml) this.#state.isHidden = false;
  }

  #result(): void {
    const address = /HYPERLINK\s+"([^"]+)"/.exec(this.#instruction)?.[1];
    this.#instruction = '';
    if (address === undefined || !this.#isShown) return;
    this.#flush();
    this.#state.link ??= { address: address.replace(/^mailto:/i, ''), from: this.#pieces.length };
  }

  #unicode(value: number): void {
    this.#takeText(String.fromCharCode(value & 0xffff));
    this.#toSkip = this.#state.fallbacks;
  }

  get #isShown(): boolean {
    const { isUnread, isHidden } = this.#state;
    return !isUnread && !isHidden;
  }

  /** `bytes`: in the charset of the font. */
  #takeBytes(bytes: string): void {
    this.#isOptional = false;
    const shown = bytes.slice(this.#toSkip);
    this.#toSkip = Math.max(0, this.#toSkip - bytes.length);
    if (this.#state.isInstruction) this.#instruction += shown;
    if (!this.#isShown) return;
    const charset = this.#fonts.get(this.#state.font) ?? this.#charset;
    if (charset !== this.#bytesCharset) this.#flush();
    this.#bytesCharset = charset;
    this.#bytes += this.#isMarkup ? shown : shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }

  #takeText(text: string): void {
    this.#toSkip = 0;
    if (!this.#isShown) return;
    this.#flush();
    this.#pieces.push(text);
  }

  get #isMarkup(): boolean {
    return !this.isHtml || this.#state.isTag;
  }

  #flush(): void {
    if (this.#bytes !== '') this.#pieces.push(decodeText(Buffer.from(this.#bytes, 'latin1'), this.#bytesCharset));
    this.#bytes = '';
  }
}

// The tokens of XML 1.0 (Fifth Edition) in a text whose characters decodeXml has checked: text, tags, CDATA,
// comments, processing instructions, references. xml-read.ts knows what may stand where.

import { AppError } from '../errors.ts';
import { changePieces, replaceEach } from '../html/escape.ts';
import { MAX_XML_ATTRIBUTE_CHARACTERS } from '../limits/dav.ts';
import { KIB } from '../limits/units.ts';

const NAME_START =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NC_NAME = `[${NAME_START}][${NAME_START}\\-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040]*`;
const QUALIFIED_NAME = new RegExp(`${NC_NAME}(?::${NC_NAME})?`, 'uy');
const BLANKS = /[ \t\n]+/y;
/** the XML declaration, piece by piece; all but the version may be missing */
const DECLARATION = [
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.\d+"|'1\.\d+')/y,
  /(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?/y,
  /(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y,
];
const NAMED = '(?:lt|gt|amp|quot|apos)';
const NUMBERED = '#(?:\\d{1,7}|x[0-9a-fA-F]{1,6})';
const NO_REFERENCE = new RegExp(`&(?!(?:${NAMED}|${NUMBERED});)`);
const NUMBERED_REFERENCE = new RegExp(`&${NUMBERED};`, 'g');
const AMPERSAND = 0x26;
/** UTF-16 units of text with references that are resolved at once: a megabyte of references takes long */
const TEXT_PIECE = 64 * KIB;
/** &amp; last, since it makes the start of a reference */
const REFERENCES = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
] as const;

export interface XmlStartTag {
  tag: string;
  attributes: [name: string, value: string][];
  isEmpty: boolean;
}

export class XmlCursor {
  readonly #text: string;
  #at = 0;
  /** the last text contained a reference: `&#32;` is no white space between elements */
  wasReference = false;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skipDeclaration(): void {
    if (!/^<\?xml[ \t\n?]/.test(this.#text)) return;
    for (const pattern of DECLARATION) this.#take(pattern, 'The XML declaration cannot be read.');
  }

  /** Character data up to the next tag, or a piece of it, references resolved; empty if something else begins here. */
  takeText(): string {
    const text = this.#text.slice(this.#at, this.#endOfText());
    if (text.includes(']]>')) throw malformed(']]> stands in text.');
    this.wasReference = text.includes('&');
    this.#at += text.length;
    return resolved(text);
  }

  /** A piece ends before a reference, so that neither that nor a ]]> is split. */
  #endOfText(): number {
    const tag = this.#text.indexOf('<', this.#at);
    const end = tag < 0 ? this.#text.length : tag;
    if (end - this.#at <= TEXT_PIECE) return end;
    const next = this.#text.indexOf('&', this.#at + TEXT_PIECE);
    return next < 0 ? end : Math.min(next, end);
  }

  /** Steps over a comment or a processing instruction. */
  skipMisc(): boolean {
    if (this.#startsWith('<!--')) {
      const end = this.#find('--', 4);
      if (this.#text[end + 2] !== '>') throw malformed('-- stands in a comment.');
      this.#at = end + 3;
      return true;
    }
    if (!this.#startsWith('<?')) return false;
    const end = this.#find('?>', 2);
    this.#at += 2;
    const target = this.#take(QUALIFIED_NAME, 'A processing instruction has no name.');
    if (/^xml$/i.test(target) || target.includes(':')) throw malformed('A processing instruction has a reserved name.');
    if (this.#at !== end) this.#take(BLANKS, 'A processing instruction cannot be read.');
    this.#at = end + 2;
    return true;
  }

  takeCdata(): string | undefined {
    if (!this.#startsWith('<![CDATA[')) {
      if (this.#startsWith('<!')) throw malformed('Document type declarations are not accepted.');
      return undefined;
    }
    const end = this.#find(']]>', 9);
    const text = this.#text.slice(this.#at + 9, end);
    this.#at = end + 3;
    return text;
  }

  /** The name of an end tag, as written. */
  takeEndTag(): string | undefined {
    if (!this.#startsWith('</')) return undefined;
    this.#at += 2;
    const tag = this.#take(QUALIFIED_NAME, 'A tag has no name.');
    this.#skipBlanks();
    this.#expect('>');
    return tag;
  }

  takeStartTag(maxAttributes: number): XmlStartTag {
    this.#expect('<');
    const tag = this.#take(QUALIFIED_NAME, 'A tag has no name.');
    const attributes: [string, string][] = [];
    for (;;) {
      const hasBlank = this.#skipBlanks();
      if (this.#startsWith('/>')) {
        this.#at += 2;
        return { tag, attributes, isEmpty: true };
      }
      if (this.#startsWith('>')) {
        this.#at++;
        return { tag, attributes, isEmpty: false };
      }
      if (!hasBlank) throw malformed('A tag cannot be read.');
      if (attributes.length >= maxAttributes) throw new AppError('too_large', 'An element has too many attributes.');
      attributes.push(this.#attribute());
    }
  }

  #attribute(): [string, string] {
    const name = this.#take(QUALIFIED_NAME, 'An attribute has no name.');
    this.#skipBlanks();
    this.#expect('=');
    this.#skipBlanks();
    const quote = this.#text[this.#at];
    if (quote !== '"' && quote !== "'") throw malformed('An attribute has no quotes.');
    const end = this.#find(quote, 1);
    const value = this.#text.slice(this.#at + 1, end);
    if (value.length > MAX_XML_ATTRIBUTE_CHARACTERS) throw new AppError('too_large', 'An attribute is too long.');
    if (value.includes('<')) throw malformed('A tag begins in an attribute.');
    this.#at = end + 1;
    // XML 1.0 section 3.3.3: each white space character becomes a blank, one from a reference stays
    return [name, resolved(value.replace(/[\t\n]/g, ' '))];
  }

  #startsWith(start: string): boolean {
    return this.#text.startsWith(start, this.#at);
  }

  #find(end: string, skip: number): number {
    const at = this.#text.indexOf(end, this.#at + skip);
    if (at < 0) throw malformed('The XML ends early.');
    return at;
  }

  #take(pattern: RegExp, complaint: string): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) throw malformed(complaint);
    const taken = this.#text.slice(this.#at, pattern.lastIndex);
    this.#at = pattern.lastIndex;
    return taken;
  }

  #skipBlanks(): boolean {
    BLANKS.lastIndex = this.#at;
    if (!BLANKS.test(this.#text)) return false;
    this.#at = BLANKS.lastIndex;
    return true;
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) throw malformed('A tag cannot be read.');
    this.#at++;
  }
}

/**
 * The text with its references resolved. Each name is replaced in all of a piece at once: a call for each reference of
 * a megabyte would block the thread.
 */
function resolved(text: string): string {
  if (!text.includes('&')) return text;
  if (NO_REFERENCE.test(text)) throw malformed('A reference cannot be resolved.');
  // at an ampersand, so that no reference is split
  return changePieces(text, resolvedPiece, '&');
}

function resolvedPiece(text: string): string {
  const named = text.includes('&#') ? text.replace(NUMBERED_REFERENCE, characterOf) : text;
  return REFERENCES.reduce((rest, [name, character]) => replaceEach(rest, name, character), named);
}

/** `&#65;`, `&#x41;` → A; an ampersand as a reference, so that it does not begin another one */
function characterOf(reference: string): string {
  const code = Number(reference[2] === 'x' ? `0${reference.slice(2, -1)}` : reference.slice(2, -1));
  if (!isXmlCharacter(code)) throw malformed('A reference names no character.');
  return code === AMPERSAND ? '&amp;' : String.fromCodePoint(code);
}

function malformed(message: string): AppError {
  return new AppError('bad_request', message);
}

const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
/** the encoding that a declaration names */
const DECLARED = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The bytes of a body as text: UTF-8 or UTF-16, with or without a byte order mark (XML 1.0, appendix F), line ends as
 * LF. Throws bad_request for other encodings, malformed bytes and characters that are impossible in XML.
 */
export function decodeXml(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('bad_request', `The XML is not ${encoding.toUpperCase()}.`, { cause });
  }
  if (FORBIDDEN.test(text)) throw new AppError('bad_request', 'The XML contains a control character.');
  const declared = DECLARED.exec(text)?.[1]?.toLowerCase();
  if (declared !== undefined && !fits(declared, encoding)) {
    throw new AppError('bad_request', 'The XML must be UTF-8 or UTF-16.');
  }
  return text.replace(/\r\n?/g, '\n');
}

/** XML 1.0 section 2.2 */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

function encodingOf(bytes: Buffer): Encoding {
  const start = bytes.toString('latin1', 0, 2);
  if (start === '\xff\xfe' || start === '<\0') return 'utf-16le';
  if (start === '\xfe\xff' || start === '\0<') return 'utf-16be';
  return 'utf-8';
}

function fits(declared: string, encoding: Encoding): boolean {
  if (encoding === 'utf-8') return declared === 'utf-8' || declared === 'utf8' || declared === 'us-ascii';
  return declared === 'utf-16' || declared === encoding;
}

// Tags, comments and declarations: the tokenizer states of HTML sections 13.2.5.6 to 13.2.5.68 that follow "<". Every
// function takes the start of its construct and returns its end, so the work is linear for any input.

import { decodeReferences } from './references.ts';

export interface StartTag {
  type: 'start';
  /** ASCII lower case */
  name: string;
  /** lower-case names, values with references decoded; the first of several attributes with one name */
  attributes: ReadonlyMap<string, string>;
  isSelfClosing: boolean;
}

export type HtmlToken =
  | StartTag
  | { type: 'end'; name: string }
  | { type: 'text'; data: string }
  | { type: 'comment'; data: string }
  | { type: 'doctype'; name: string };

/** a token and where it ends; undefined: the construct produces no token */
export interface TagRead {
  token: HtmlToken | undefined;
  end: number;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
// characters that end a run inside a tag, one bit each
const BLANK = 1;
const CLOSE = 2;
const SLASH = 4;
const EQUALS = 8;
const KINDS = new Uint8Array(128);
for (const character of '\t\n\f ') KINDS[character.charCodeAt(0)] = BLANK;
KINDS['>'.charCodeAt(0)] = CLOSE;
KINDS['/'.charCodeAt(0)] = SLASH;
KINDS['='.charCodeAt(0)] = EQUALS;

const COMMENT_END = /--!?>/g;
const UNFINISHED_COMMENT_END = /--?$|--!$/;

/** 0 beyond the end */
const kindAt = (input: string, at: number): number => KINDS[input.charCodeAt(at)] ?? 0;

/** Position of the first character of these kinds, or the end. */
function endOf(kinds: number, input: string, start: number): number {
  let at = start;
  while (at < input.length && (kindAt(input, at) & kinds) === 0) at++;
  return at;
}

function skipBlanks(input: string, start: number): number {
  let at = start;
  while (kindAt(input, at) === BLANK) at++;
  return at;
}

/** NUL becomes U+FFFD, except in plain data. */
export const replaceNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

// toLowerCase would also map U+212A (Kelvin sign) to "k"
const lower = (text: string): string =>
  /[A-Z\0]/.test(text) ? replaceNul(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

/** A tag whose name begins at `start`. An unterminated tag produces no token and ends the input ("eof-in-tag"). */
export function readTag(input: string, start: number, isEnd: boolean): TagRead {
  let at = endOf(BLANK | SLASH | CLOSE, input, start);
  const name = lower(input.slice(start, at));
  let attributes: Map<string, string> | undefined;
  for (;;) {
    at = skipBlanks(input, at);
    if (at >= input.length) return { token: undefined, end: at };
    const kind = kindAt(input, at);
    const isSelfClosing = kind === SLASH && kindAt(input, at + 1) === CLOSE;
    if (kind === CLOSE || isSelfClosing) {
      const end = at + (isSelfClosing ? 2 : 1);
      if (isEnd) return { token: { type: 'end', name }, end };
      return { token: { type: 'start', name, attributes: attributes ?? NO_ATTRIBUTES, isSelfClosing }, end };
    }
    if (kind === SLASH) {
      at++;
      continue;
    }
    // a "=" in place of a name starts the name
    const nameEnd = endOf(BLANK | SLASH | CLOSE | EQUALS, input, kind === EQUALS ? at + 1 : at);
    const attribute = lower(input.slice(at, nameEnd));
    at = skipBlanks(input, nameEnd);
    let value = '';
    if (kindAt(input, at) === EQUALS) {
      at = skipBlanks(input, at + 1);
      const quote = input[at];
      if (quote === '"' || quote === "'") {
        const close = input.indexOf(quote, at + 1);
        if (close < 0) return { token: undefined, end: input.length };
        value = input.slice(at + 1, close);
        at = close + 1;
      } else {
        const valueEnd = endOf(BLANK | CLOSE, input, at);
        value = input.slice(at, valueEnd);
        at = valueEnd;
      }
    }
    if (isEnd) continue;
    attributes ??= new Map();
    if (!attributes.has(attribute)) attributes.set(attribute, decodeReferences(replaceNul(value), true));
  }
}

function readComment(input: string, start: number): TagRead {
  // "<!-->" and "<!--->" are complete comments
  if (input[start] === '>') return { token: { type: 'comment', data: '' }, end: start + 1 };
  if (input.startsWith('->', start)) return { token: { type: 'comment', data: '' }, end: start + 2 };
  COMMENT_END.lastIndex = start;
  const close = COMMENT_END.exec(input);
  const data = close ? input.slice(start, close.index) : input.slice(start).replace(UNFINISHED_COMMENT_END, '');
  return { token: { type: 'comment', data: replaceNul(data) }, end: close ? COMMENT_END.lastIndex : input.length };
}

function upToGreaterThan(input: string, start: number): { data: string; end: number } {
  const close = input.indexOf('>', start);
  return close < 0
    ? { data: input.slice(start), end: input.length }
    : { data: input.slice(start, close), end: close + 1 };
}

/** `<?`, `</` without a letter and unknown `<!`: a comment up to the next `>`, starting at `start`. */
export function readBogusComment(input: string, start: number): TagRead {
  const { data, end } = upToGreaterThan(input, start);
  return { token: { type: 'comment', data: replaceNul(data) }, end };
}

/** The construct after `<!`: a comment, a DOCTYPE or, in foreign content, a CDATA section. */
export function readDeclaration(input: string, start: number, isForeign: boolean): TagRead {
  if (input.startsWith('--', start)) return readComment(input, start + 2);
  if (/^doctype$/i.test(input.slice(start, start + 7))) {
    // a ">" ends a DOCTYPE in every state, even in quoted identifiers
    const { data, end } = upToGreaterThan(input, start + 7);
    const name = data.slice(skipBlanks(data, 0));
    return { token: { type: 'doctype', name: lower(name.slice(0, endOf(BLANK | SLASH | CLOSE, name, 0))) }, end };
  }
  if (isForeign && input.startsWith('[CDATA[', start)) {
    const close = input.indexOf(']]>', start + 7);
    const data = input.slice(start + 7, close < 0 ? undefined : close);
    return { token: { type: 'text', data }, end: close < 0 ? input.length : close + 3 };
  }
  return readBogusComment(input, start);
}

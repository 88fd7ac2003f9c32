// Tokenizes CSS (CSS Syntax section 4) and divides a style sheet into rules (CSS Syntax section 5). Linear in the input.

import { MAX_MEDIA_DEPTH } from '../limits/mime.ts';
import { safeMedia } from './media.ts';

/** `sign`: one character, such as a bracket or a colon; `bad`: a string that its line ends */
type Kind =
  | 'blank'
  | 'string'
  | 'url'
  | 'word'
  | 'function'
  | 'at'
  | 'hash'
  | 'number'
  | 'sign'
  | 'comment mark'
  | 'bad';

export interface CssToken {
  kind: Kind;
  /** without quotes, sign and escapes */
  value: string;
  start: number;
  end: number;
}

const BLANK = String.raw`[\t\n\f ]`;
const ESCAPE = String.raw`\\(?:[\da-f]{1,6}${BLANK}?|[^\n\da-f])`;
const NAME = String.raw`(?:[\w\u0080-\uffff-]|${ESCAPE})`;
const WORD = String.raw`(?:--|-?(?:[a-z_\u0080-\uffff]|${ESCAPE}))${NAME}*`;
const STRING = String.raw`"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?`;
const URL_TOKEN = String.raw`url\(${BLANK}*(?!["'\t\n\f ])(?:[^)\\]|\\[\s\S])*\)?`;
/** groups: comment, blanks, comment mark, string, url, at-word, hash, word, its bracket, number, another character */
const TOKEN = new RegExp(
  String.raw`(\/\*[\s\S]*?(?:\*\/|$))|(${BLANK}+)|(<!--|-->)|(${STRING})|(${URL_TOKEN})|@(${WORD})|#(${NAME}+)|` +
    String.raw`(${WORD})(\(?)|([+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?(?:%|${WORD})?)|([\s\S])`,
  'giy',
);

const unescaped = (name: string): string =>
  name.includes('\\')
    ? name.replace(/\\(?:([\da-f]{1,6})[\t\n\f ]?|([\s\S]))/gi, (_, hex, other) => {
        const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
        if (hex === undefined) return other;
        return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
          ? '\ufffd'
          : String.fromCodePoint(code);
      })
    : name;

/** Without comments. Takes text with LF line ends. */
function* cssTokens(source: string): Generator<CssToken> {
  for (const match of source.matchAll(TOKEN)) {
    const [whole, comment, blank, mark, string, url, at, hash, word, bracket, number] = match;
    if (comment !== undefined) continue;
    const token = (kind: Kind, value: string): CssToken => ({
      kind,
      value,
      start: match.index,
      end: match.index + whole.length,
    });
    if (blank !== undefined) yield token('blank', ' ');
    else if (mark !== undefined) yield token('comment mark', mark);
    else if (string !== undefined) {
      const isClosed = string.length > 1 && string.endsWith(string[0]!);
      const isEnd = match.index + whole.length === source.length;
      yield isClosed || isEnd
        ? token('string', unescaped(string.slice(1, isClosed ? -1 : undefined)))
        : token('bad', '');
    } else if (url !== undefined) yield token('url', '');
    else if (at !== undefined) yield token('at', unescaped(at).toLowerCase());
    else if (hash !== undefined) yield token('hash', unescaped(hash));
    else if (word !== undefined) yield token(bracket ? 'function' : 'word', unescaped(word));
    else yield token(number === undefined ? 'sign' : 'number', whole);
  }
}

export interface CssRule {
  /** the conditions of the @media rules around it */
  media: readonly string[];
  /** what stands before the block */
  prelude: readonly CssToken[];
  /** in the block */
  declarations: string;
}

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** The closing bracket that a token asks for. */
const closerOf = ({ kind, value }: CssToken): string | undefined =>
  kind === 'function' ? ')' : kind === 'sign' ? CLOSERS[value] : undefined;

/** Rules nested in another one, which mail has none of, end its declarations. */
function ownDeclarations(block: string): string {
  const nested = block.indexOf('{');
  return nested < 0 ? block : block.slice(0, block.lastIndexOf(';', nested) + 1);
}

/**
 * The rules of a style sheet, with those inside of @media whose condition can hold. Other at-rules are left out. What
 * is not closed ends with the sheet.
 */
export function* styleRules(css: string): Generator<CssRule> {
  const source = css.replace(/^\s*<!\[CDATA\[/, '');
  const media: string[] = [];
  /** brackets to be closed, outermost first; a block's own is one */
  const closers: string[] = [];
  let prelude: CssToken[] = [];
  /** start of the block that is open */
  let block: number | undefined;

  const ruleUpTo = (end: number): CssRule | undefined => {
    const found = { media: [...media], prelude, declarations: ownDeclarations(source.slice(block, end)) };
    const isRule = prelude[0]?.kind !== 'at';
    block = undefined;
    prelude = [];
    return isRule ? found : undefined;
  };
  for (const token of cssTokens(source)) {
    const { kind, value, start, end } = token;
    const closer = closerOf(token);
    if (block !== undefined || closers.length > 0) {
      if (closer !== undefined) closers.push(closer);
      else if (kind === 'sign' && value === closers.at(-1)) closers.pop();
      if (block === undefined) prelude.push(token);
      else if (closers.length === 0) {
        const rule = ruleUpTo(start);
        if (rule) yield rule;
      }
    } else if (kind === 'sign' && value === '{') {
      const [first] = prelude;
      const condition =
        first?.kind === 'at' && first.value === 'media' ? safeMedia(source.slice(first.end, start)) : undefined;
      if (condition !== undefined && media.length < MAX_MEDIA_DEPTH) {
        media.push(condition);
        prelude = [];
      } else {
        block = end;
        closers.push('}');
      }
    } else if (kind === 'sign' && value === '}' && media.length > 0) {
      media.pop();
      prelude = [];
    } else if (kind === 'sign' && value === ';' && prelude[0]?.kind === 'at') {
      prelude = [];
    } else if (prelude.length > 0 || (kind !== 'blank' && kind !== 'comment mark')) {
      prelude.push(token);
      if (closer !== undefined) closers.push(closer);
    }
  }
  const last = block === undefined ? undefined : ruleUpTo(source.length);
  if (last) yield last;
}

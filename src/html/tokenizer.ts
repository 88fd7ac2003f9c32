// HTML to tokens, as HTML section 13.2.5 does it: data, RCDATA, RAWTEXT, script data with its escaped states and
// PLAINTEXT are here, what begins with "<" is in tags.ts. Linear in the input: nothing is ever read twice.

import { decodeReferences } from './references.ts';
import { type HtmlToken, readBogusComment, readDeclaration, readTag, replaceNul, type TagRead } from './tags.ts';

/** elements whose content is text, and what ends them; noscript as in a browser that runs scripts */
const END_TAGS: ReadonlyMap<string, RegExp> = new Map([
  ['style', /<\/style(?=[\t\n\f />])/gi],
  ['xmp', /<\/xmp(?=[\t\n\f />])/gi],
  ['iframe', /<\/iframe(?=[\t\n\f />])/gi],
  ['noembed', /<\/noembed(?=[\t\n\f />])/gi],
  ['noframes', /<\/noframes(?=[\t\n\f />])/gi],
  ['noscript', /<\/noscript(?=[\t\n\f />])/gi],
  ['title', /<\/title(?=[\t\n\f />])/gi],
  ['textarea', /<\/textarea(?=[\t\n\f />])/gi],
]);
const RCDATA = ['title', 'textarea'];

/** A letter of ASCII stands there. */
function isLetterAt(input: string, at: number): boolean {
  const lower = input.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

function endOfText(name: string, input: string, start: number): number {
  const pattern = END_TAGS.get(name)!;
  pattern.lastIndex = start;
  return pattern.exec(input)?.index ?? input.length;
}

/**
 * The script data states. After `<!--` a `<script` hides the next `</script`, until `-->`:
 * `<script><!--<script></script>` is not ended yet.
 */
function endOfScript(input: string, start: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f />])/gi;
  marks.lastIndex = start;
  let state: 'plain' | 'escaped' | 'double escaped' = 'plain';
  for (let mark = marks.exec(input); mark; mark = marks.exec(input)) {
    if (mark[0] === '<!--') {
      if (state === 'plain') state = 'escaped';
      // its hyphens can be those of "-->" too: "<!-->" opens and closes
      marks.lastIndex = mark.index + 2;
    } else if (mark[0] === '-->') {
      state = 'plain';
    } else if (mark[1] === '/') {
      if (state !== 'double escaped') return mark.index;
      state = 'escaped';
    } else if (state === 'escaped') {
      state = 'double escaped';
    }
  }
  return input.length;
}

/** What begins with the "<" there; undefined where it is a character like any other. */
function readMarkup(input: string, open: number, isForeign: boolean): TagRead | undefined {
  if (isLetterAt(input, open + 1)) return readTag(input, open + 1, false);
  const next = input[open + 1];
  if (next === '!') return readDeclaration(input, open + 2, isForeign);
  if (next === '?') return readBogusComment(input, open + 1);
  if (next === '/') {
    const first = input[open + 2];
    if (isLetterAt(input, open + 2)) return readTag(input, open + 2, true);
    if (first === undefined) return undefined;
    if (first === '>') return { token: undefined, end: open + 3 };
    return readBogusComment(input, open + 2);
  }
  return undefined;
}

/**
 * Tokens of `html`; adjacent text is one token. NUL is kept in data (the tree builder drops it there) and is U+FFFD
 * elsewhere. `isForeign` says whether the consumer is inside SVG or MathML, where CDATA sections exist and no element
 * switches to raw text; it is asked after each tag has been consumed.
 */
export function* tokenize(html: string, isForeign: () => boolean = () => false): Generator<HtmlToken> {
  const input = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  let text = '';
  /** where text begins that is not in `text` yet */
  let from = 0;
  let at = 0;
  for (let open = input.indexOf('<'); open >= 0; open = input.indexOf('<', at)) {
    const markup = readMarkup(input, open, isForeign());
    at = markup?.end ?? open + 1;
    if (!markup) continue;
    text += decodeReferences(input.slice(from, open), false);
    from = at;
    const { token } = markup;
    if (token?.type === 'text') {
      text += token.data;
      continue;
    }
    if (token === undefined) continue;
    if (text !== '') yield { type: 'text', data: text };
    text = '';
    yield token;
    if (token.type !== 'start' || isForeign()) continue;
    const { name } = token;
    if (!END_TAGS.has(name) && name !== 'script' && name !== 'plaintext') continue;
    let close = input.length;
    if (name === 'script') close = endOfScript(input, at);
    else if (name !== 'plaintext') close = endOfText(name, input, at);
    const content = replaceNul(input.slice(at, close));
    text = RCDATA.includes(name) ? decodeReferences(content, false) : content;
    from = at = close;
  }
  if (from < input.length) text += decodeReferences(input.slice(from), false);
  if (text !== '') yield { type: 'text', data: text };
}

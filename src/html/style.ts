// The style attribute: declarations (CSS Syntax section 5) rebuilt from an allow-list of properties and of tokens that
// can neither load, nor run, nor leave the message's box: no function but colours, no escape, no negative length.

import { MAX_STYLE_CHARACTERS } from '../limits/mime.ts';

const FREE = /(?:)/;
const COLOUR = /^(?!none$)(?:#[\da-f]+|[a-z]+|(?:rgb|hsl)a?\([^)]*\))$/i;
const SIDES = ['top', 'right', 'bottom', 'left'];

const free = (
  'color background-color font font-family font-size font-stretch font-style font-variant font-weight text-align ' +
  'text-decoration vertical-align line-height width height max-width list-style-type margin padding border ' +
  'border-width border-style border-color border-radius border-collapse border-spacing'
).split(' ');

/** what the whole value has to look like, given that it is made of safe tokens */
const PROPERTIES = new Map<string, RegExp>([
  ...[...free, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}`])].map(
    (property): [string, RegExp] => [property, FREE],
  ),
  ...SIDES.flatMap((side) =>
    ['width', 'style', 'color'].map((part): [string, RegExp] => [`border-${side}-${part}`, FREE]),
  ),
  // of the background only a colour; it is written as background-color
  ['background', COLOUR],
  ['display', /^(?:none|block|inline|inline-block)$/i],
  ['float', /^(?:left|right|none)$/i],
  ['white-space', /^(?:normal|nowrap|pre|pre-wrap|pre-line)$/i],
]);

const BLANKS = String.raw`[\t\n\f ]`;
const HEX_COLOUR = String.raw`#[\da-f]{3,8}(?![\w-])`;
const COLOUR_FUNCTION = String.raw`(?:rgb|hsl)a?\([\d.,%/ ]*\)`;
const UNIT = '(?:px|pt|pc|em|rem|ex|ch|in|cm|mm|%)';
const NUMBER = String.raw`\+?(?:\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})${UNIT}?(?![\w.%(-])`;
const IDENTIFIER = String.raw`-?[a-z_][\w-]*`;
const STRING = String.raw`(?:"([\w .,+\u00a1-\uffff-]*)"|'([\w .,+\u00a1-\uffff-]*)')`;
/**
 * groups: blanks, !important, content of a string in double quotes, in single quotes; "(" after an identifier is none
 */
const TOKEN = new RegExp(
  String.raw`(${BLANKS}+)|,|\/|(!${BLANKS}*important(?![\w-]))|${HEX_COLOUR}|${COLOUR_FUNCTION}|` +
    `${NUMBER}|${IDENTIFIER}|${STRING}`,
  'iy',
);

/** The value in a form that reads the same again, or undefined if any of it is not a safe token. */
function safeValue(source: string): string | undefined {
  const pieces: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source);
    if (!token) return undefined;
    const [whole, blanks, important, doubleQuoted, singleQuoted] = token;
    const string = doubleQuoted ?? singleQuoted;
    // a message's own !important would win over the page
    if (blanks || important) pieces.push(' ');
    else pieces.push(string === undefined ? whole : `'${string}'`);
  }
  return pieces.join('').replace(/ {2,}/g, ' ').trim() || undefined;
}

/** The allowed declarations of a style attribute, or undefined where none is left. */
export function safeStyle(style: string): string | undefined {
  if (style.length > MAX_STYLE_CHARACTERS) return undefined;
  const declarations: string[] = [];
  const withoutComments = style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  // a ";" inside quotes or brackets ends nothing
  for (const [declaration] of withoutComments.matchAll(/(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+/g)) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const pattern = PROPERTIES.get(property);
    const value = pattern && safeValue(declaration.slice(colon + 1));
    if (value === undefined || !pattern?.test(value)) continue;
    declarations.push(`${property === 'background' ? 'background-color' : property}: ${value}`);
  }
  return declarations.length === 0 ? undefined : declarations.join('; ');
}

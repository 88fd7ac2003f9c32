// The allow-list of elements and attributes, and the valid form of each attribute value. Anything else is dropped: id,
// name, class, on…, srcset, background. A style attribute (CSS Syntax section 5) is rebuilt from allowed properties and
// tokens that cannot load or run anything or leave the message's box: no functions but colours, no escapes, no negative
// lengths.

import { MAX_STYLE_CHARACTERS } from '../limits/mime.ts';

/** The value to write, or undefined to drop the attribute. Idempotent. */
type Value = (value: string) => string | undefined;

const matching =
  (pattern: RegExp): Value =>
  (value) => {
    const trimmed = value.trim();
    return pattern.test(trimmed) ? trimmed : undefined;
  };

const anyText: Value = (value) => value;
const colour = matching(/^(?:#?[\da-f]{3,8}|[a-z]{3,30})$/i);
const count = matching(/^(?:[1-9]\d{0,2}|1000)$/);
const border = matching(/^\d{1,3}$/);

/** `20`, `20px` and `20.5` → `20`; `50%` → `50%` */
const dimension: Value = (value) => {
  const match = /^(\d{1,4})(?:\.\d*)?(?:(%)|px)?$/i.exec(value.trim());
  return match ? match[1]! + (match[2] ?? '') : undefined;
};

const VALUES: Record<string, Value> = {
  title: anyText,
  alt: anyText,
  dir: matching(/^(?:ltr|rtl|auto)$/i),
  lang: matching(/^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,6}$/i),
  style: safeStyle,
  align: matching(/^(?:left|right|center|justify|top|middle|bottom)$/i),
  valign: matching(/^(?:top|middle|bottom|baseline)$/i),
  width: dimension,
  height: dimension,
  colspan: count,
  rowspan: count,
  border,
  cellpadding: border,
  cellspacing: border,
  bgcolor: colour,
  color: colour,
  face: matching(/^[\w ,'-]{1,200}$/),
  size: matching(/^[+-]?\d{1,2}$/),
  start: matching(/^-?\d{1,9}$/),
  type: matching(/^[1aAiI]$/),
  datetime: matching(/^[\d:TZ.+ PWHMS-]{1,40}$/),
};

const GLOBAL = ['title', 'dir', 'lang', 'style'];
const CELL = 'align valign width height bgcolor';

const withAttributes: Record<string, string> = {
  p: 'align',
  div: 'align',
  h1: 'align',
  h2: 'align',
  h3: 'align',
  h4: 'align',
  h5: 'align',
  h6: 'align',
  hr: 'align width size color',
  font: 'color face size',
  img: 'alt align width height border',
  table: 'align width height bgcolor border cellpadding cellspacing',
  caption: 'align',
  colgroup: CELL,
  col: CELL,
  thead: CELL,
  tbody: CELL,
  tfoot: CELL,
  tr: CELL,
  td: `${CELL} colspan rowspan`,
  th: `${CELL} colspan rowspan`,
  ol: 'start type',
  time: 'datetime',
  del: 'datetime',
  ins: 'datetime',
};

const plain = (
  'br span a b i u s em strong small big sub sup code pre tt kbd samp var blockquote q cite abbr ul li dl dt dd ' +
  'center mark figure figcaption details summary address article section header footer main aside nav wbr bdi bdo ' +
  'ruby rt rp'
).split(' ');

const ELEMENTS = new Map<string, ReadonlySet<string>>([
  ...plain.map((name): [string, Set<string>] => [name, new Set(GLOBAL)]),
  ...Object.entries(withAttributes).map(([name, list]): [string, Set<string>] => [
    name,
    new Set([...GLOBAL, ...list.split(' ')]),
  ]),
]);

export const ELEMENT_NAMES: readonly string[] = [...ELEMENTS.keys()];

/** The allowed attributes of an allowed element, in their order; without href and src. */
export function allowedAttributes(element: string, attributes: ReadonlyMap<string, string>): [string, string][] {
  const allowed: [string, string][] = [];
  const names = ELEMENTS.get(element)!;
  for (const [name, source] of attributes) {
    const value = names.has(name) ? VALUES[name]!(source) : undefined;
    if (value !== undefined) allowed.push([name, value]);
  }
  return allowed;
}

const FREE = /(?:)/;
const COLOUR = /^(?!none$)(?:#[\da-f]+|[a-z]+|(?:rgb|hsl)a?\([^)]*\))$/i;
const SIDES = ['top', 'right', 'bottom', 'left'];

const free = (
  'color background-color font font-family font-size font-stretch font-style font-variant font-weight text-align ' +
  'text-decoration vertical-align line-height width height max-width list-style-type margin padding border ' +
  'border-width border-style border-color border-radius border-collapse border-spacing'
).split(' ');

/** pattern for the whole value, which consists of safe tokens */
const PROPERTIES = new Map<string, RegExp>([
  ...[...free, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}`])].map(
    (property): [string, RegExp] => [property, FREE],
  ),
  ...SIDES.flatMap((side) =>
    ['width', 'style', 'color'].map((part): [string, RegExp] => [`border-${side}-${part}`, FREE]),
  ),
  // only a colour; written as background-color
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
/** groups: blanks, !important, string in double quotes, string in single quotes; excludes functions */
const TOKEN = new RegExp(
  String.raw`(${BLANKS}+)|,|\/|(!${BLANKS}*important(?![\w-]))|${HEX_COLOUR}|${COLOUR_FUNCTION}|` +
    `${NUMBER}|${IDENTIFIER}|${STRING}`,
  'iy',
);

/** The normalized value, or undefined if it contains an unsafe token. */
function safeValue(source: string): string | undefined {
  const pieces: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source);
    if (!token) return undefined;
    const [whole, blanks, important, doubleQuoted, singleQuoted] = token;
    const string = doubleQuoted ?? singleQuoted;
    // !important would override the page's style
    if (blanks || important) pieces.push(' ');
    else pieces.push(string === undefined ? whole : `'${string}'`);
  }
  return pieces.join('').replace(/ {2,}/g, ' ').trim() || undefined;
}

/** The allowed declarations of a style attribute, or undefined if there is none. */
export function safeStyle(style: string): string | undefined {
  if (style.length > MAX_STYLE_CHARACTERS) return undefined;
  const declarations: string[] = [];
  const withoutComments = style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  // a ";" inside quotes or brackets is no separator
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

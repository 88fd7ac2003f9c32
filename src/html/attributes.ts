// The allow-list of elements and attributes, and the valid form of each attribute value. Anything else is dropped:
// class, on…, srcset. Names of places get a prefix, so that they never hide a name of the page. A style attribute
// (CSS Syntax section 5) is rebuilt from allowed properties and tokens that cannot load or run anything or leave the
// message's box: no functions but colours, no escapes, no negative lengths. The one picture that a style may load is
// one of the message itself.

import { MAX_STYLE_CHARACTERS } from '../limits/mime.ts';
import { type Colours, readBackground } from './grounds.ts';

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

const PLACE_PREFIX = 'm-';

/** The name of a place within the message: `top` → `m-top`. */
export const placeName: Value = (value) => {
  const name = value.trim();
  if (!/^[\w.:\u00a1-\uffff-]{1,100}$/.test(name)) return undefined;
  return name.startsWith(PLACE_PREFIX) ? name : PLACE_PREFIX + name;
};

const mapName: Value = (value) => {
  const name = placeName(value.trim().replace(/^#/, ''));
  return name === undefined ? undefined : `#${name}`;
};

const VALUES: Record<string, Value> = {
  id: placeName,
  name: placeName,
  usemap: mapName,
  shape: matching(/^(?:rect|rectangle|circ|circle|poly|polygon|default)$/i),
  coords: matching(/^[\d., -]{1,2000}$/),
  hidden: () => '',
  text: colour,
  nowrap: () => '',
  value: matching(/^-?\d{1,9}$/),
  reversed: () => '',
  title: anyText,
  alt: anyText,
  dir: matching(/^(?:ltr|rtl|auto)$/i),
  lang: matching(/^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,6}$/i),
  align: matching(/^(?:left|right|center|justify|top|middle|bottom)$/i),
  valign: matching(/^(?:top|middle|bottom|baseline)$/i),
  width: dimension,
  height: dimension,
  colspan: count,
  rowspan: count,
  border,
  cellpadding: border,
  cellspacing: border,
  hspace: border,
  vspace: border,
  bgcolor: colour,
  color: colour,
  face: matching(/^[\w ,'-]{1,200}$/),
  size: matching(/^[+-]?\d{1,2}$/),
  start: matching(/^-?\d{1,9}$/),
  type: matching(/^(?:[1aAiI]|disc|circle|square)$/),
  datetime: matching(/^[\d:TZ.+ PWHMS-]{1,40}$/),
};

const GLOBAL = ['title', 'dir', 'lang', 'style', 'id', 'hidden'];
const CELL = 'align valign width height bgcolor nowrap';

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
  img: 'alt align width height border hspace vspace usemap',
  map: 'name',
  area: 'shape coords alt',
  // written as a div
  body: 'bgcolor text',
  ul: 'type',
  li: 'value type',
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
  ol: 'start type reversed',
  time: 'datetime',
  del: 'datetime',
  ins: 'datetime',
};

const plain = (
  'br span a b i u s strike em strong small big sub sup code pre tt kbd samp var dfn blockquote q cite abbr acronym ' +
  'nobr dl dt dd center mark figure figcaption details summary address article section header footer main aside nav wbr bdi bdo ' +
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

/** URL of a picture of the message itself; undefined for any other address */
export type PictureUrl = (address: string) => string | undefined;

/** What is left of an element's attributes. */
export interface AllowedAttributes {
  /** in their order; without href and src */
  list: [name: string, value: string][];
  colours: Colours;
}

const noPicture: PictureUrl = () => undefined;

/** Takes an allowed element. */
export function allowedAttributes(
  element: string,
  attributes: ReadonlyMap<string, string>,
  pictureUrl: PictureUrl = noPicture,
): AllowedAttributes {
  const list: [string, string][] = [];
  const names = ELEMENTS.get(element)!;
  const style = readStyle(attributes.get('style') ?? '', pictureUrl);
  const background = attributes.get('background');
  const picture = background === undefined ? undefined : pictureUrl(background.trim());
  if (picture !== undefined) style.declarations.push(['background-image', cssUrl(picture)]);
  for (const [name, source] of attributes) {
    if (!names.has(name)) continue;
    const value = name === 'style' ? undefined : VALUES[name]!(source);
    if (value !== undefined) list.push([name, value]);
    if (name === 'style' && style.declarations.length > 0) list.push(['style', styleText(style.declarations)]);
  }
  if (picture !== undefined && !attributes.has('style')) list.push(['style', styleText(style.declarations)]);
  const kept = (name: string): string | undefined => list.find(([own]) => own === name)?.[1];
  const declared = (name: string): string | undefined => style.declarations.findLast(([own]) => own === name)?.[1];
  const colours: Colours = {
    background: declared('background-color') ?? kept('bgcolor'),
    text: declared('color') ?? kept('text') ?? (element === 'font' ? kept('color') : undefined),
    isLost: style.isLost || (background !== undefined && background.trim() !== '' && picture === undefined),
  };
  return { list, colours };
}

const FREE = /(?:)/;
const COLOUR = /^(?!none$)(?:#[\da-f]+|[a-z]+|(?:rgb|hsl)a?\([^)]*\))$/i;
const SIDES = ['top', 'right', 'bottom', 'left'];

const free = (
  'color font font-family font-size font-stretch font-style font-variant font-weight text-align ' +
  'text-decoration text-indent text-transform letter-spacing word-spacing vertical-align line-height width height ' +
  'min-width max-width min-height max-height table-layout list-style list-style-type caption-side empty-cells clear ' +
  'box-sizing opacity direction visibility word-break word-wrap overflow-wrap hyphens flex flex-direction flex-wrap ' +
  'flex-flow flex-grow flex-shrink flex-basis justify-content align-items align-content align-self order gap row-gap ' +
  'column-gap object-fit margin padding border border-width border-style border-color border-radius border-collapse border-spacing'
).split(' ');

/** pattern for the whole value, which consists of safe tokens */
const PROPERTIES = new Map<string, RegExp>([
  ...[...free, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}`])].map(
    (property): [string, RegExp] => [property, FREE],
  ),
  ...SIDES.flatMap((side) =>
    ['width', 'style', 'color'].map((part): [string, RegExp] => [`border-${side}-${part}`, FREE]),
  ),
  ['background-color', COLOUR],
  ['background-repeat', FREE],
  ['background-size', FREE],
  [
    'display',
    /^(?:none|block|inline|inline-block|flow-root|list-item|(?:inline-)?(?:table|flex)|table-(?:cell|row|caption|column)|table-(?:row|header|footer|column)-group)$/i,
  ],
  ['overflow', /^(?:hidden|visible|auto)$/i],
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

type Declaration = [property: string, value: string];

/** What is left of a style attribute. */
interface Style {
  declarations: Declaration[];
  /** a background was dropped */
  isLost: boolean;
}

const styleText = (declarations: readonly Declaration[]): string =>
  declarations.map(([property, value]) => `${property}: ${value}`).join('; ');

/** Characters that could end the string or the function are percent-encoded. */
const cssUrl = (url: string): string =>
  `url('${url.replace(/[^\w./:?&=%~#@!$*+,;-]/g, (character) => (character.codePointAt(0)! < 128 ? `%${character.codePointAt(0)!.toString(16).padStart(2, '0')}` : encodeURIComponent(character.toWellFormed())))}')`;

/** A `background` or `background-image` as declarations of its parts. */
function readGround(property: string, source: string, pictureUrl: PictureUrl, style: Style): void {
  const { colour: own, address, gradient, hasImage, repeat } = readBackground(source);
  const picture = address === undefined ? undefined : pictureUrl(address);
  const word = property === 'background' ? own : undefined;
  const hasColour = style.declarations.some(([name]) => name === 'background-color');
  const found = word ?? (hasColour || picture !== undefined ? undefined : gradient);
  const value = found && safeValue(found);
  if (value && COLOUR.test(value)) style.declarations.push(['background-color', value]);
  if (picture !== undefined) style.declarations.push(['background-image', cssUrl(picture)]);
  if (picture !== undefined && repeat !== undefined && property === 'background')
    style.declarations.push(['background-repeat', repeat]);
  if (hasImage && picture === undefined) style.isLost = true;
}

/** The allowed declarations of a style attribute. */
function readStyle(source: string, pictureUrl: PictureUrl): Style {
  const style: Style = { declarations: [], isLost: false };
  if (source === '' || source.length > MAX_STYLE_CHARACTERS) return style;
  const withoutComments = source.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  // a ";" inside quotes or brackets is no separator
  for (const [declaration] of withoutComments.matchAll(/(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+/g)) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const text = declaration.slice(colon + 1);
    if (property === 'background' || property === 'background-image') {
      readGround(property, text, pictureUrl, style);
      continue;
    }
    const pattern = PROPERTIES.get(property);
    const value = pattern && safeValue(text);
    if (value !== undefined && pattern?.test(value)) style.declarations.push([property, value]);
    else if (property === 'background-color') style.isLost = true;
  }
  return style;
}

/** The allowed declarations of a style attribute, or undefined if there is none. */
export function safeStyle(source: string): string | undefined {
  return styleText(readStyle(source, noPicture).declarations) || undefined;
}

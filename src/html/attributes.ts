// The allow-list of elements and attributes, and the valid form of each attribute value. Anything else is dropped:
// on…, srcset. Names of places and classes get a prefix, so that they never hide or match a name of the page.

import { MAX_CLASSES } from '../limits/mime.ts';
import { noPicture, type PictureUrl, pictureDeclaration, readStyle, type Style, styleText } from './declarations.ts';
import type { Colours } from './grounds.ts';

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

const classNames: Value = (value) => {
  const names = value.split(/[\t\n\f\r ]+/, MAX_CLASSES + 1).slice(0, MAX_CLASSES);
  return names.flatMap((name) => placeName(name) ?? []).join(' ') || undefined;
};

const mapName: Value = (value) => {
  const name = placeName(value.trim().replace(/^#/, ''));
  return name === undefined ? undefined : `#${name}`;
};

/** The value of an attribute as it is written, or undefined. */
export const attributeValue = (name: string, value: string): string | undefined =>
  Object.hasOwn(VALUES, name) ? VALUES[name]!(value) : undefined;

const VALUES: Record<string, Value> = {
  class: classNames,
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

const GLOBAL = ['title', 'dir', 'lang', 'style', 'id', 'hidden', 'class'];
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

/** What is left of an element's attributes. */
export interface AllowedAttributes {
  /** in their order; without href and src */
  list: [name: string, value: string][];
  style: Style;
  /** colours by attributes of their own, which rank below any style */
  hints: Colours;
}

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
  if (picture !== undefined) style.declarations.push(pictureDeclaration(picture));
  for (const [name, source] of attributes) {
    if (!names.has(name)) continue;
    const value = name === 'style' ? undefined : attributeValue(name, source);
    if (value !== undefined) list.push([name, value]);
    if (name === 'style' && style.declarations.length > 0) list.push(['style', styleText(style.declarations)]);
  }
  if (picture !== undefined && !attributes.has('style')) list.push(['style', styleText(style.declarations)]);
  const kept = (name: string): string | undefined => list.find(([own]) => own === name)?.[1];
  return {
    list,
    style,
    hints: {
      background: kept('bgcolor'),
      text: kept('text') ?? (element === 'font' ? kept('color') : undefined),
      isLost: background !== undefined && background.trim() !== '' && picture === undefined,
    },
  };
}

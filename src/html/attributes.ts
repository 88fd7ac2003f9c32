// The allow-list of elements and attributes of a message, and the form each attribute's value must have. What is not
// named here does not exist in the output: no id, name, class, on…, srcset, background.

import { safeStyle } from './style.ts';

/**
 * The value as it may be written, or undefined if the attribute is to be left out. Applying it twice changes nothing.
 */
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

/** Of all allowed elements. */
export const ELEMENT_NAMES: readonly string[] = [...ELEMENTS.keys()];

/**
 * The allowed attributes of an allowed element that stand for themselves, in the order they came; not href, not src.
 */
export function allowedAttributes(element: string, attributes: ReadonlyMap<string, string>): [string, string][] {
  const allowed: [string, string][] = [];
  const names = ELEMENTS.get(element)!;
  for (const [name, source] of attributes) {
    const value = names.has(name) ? VALUES[name]!(source) : undefined;
    if (value !== undefined) allowed.push([name, value]);
  }
  return allowed;
}

// Conditions of @media (Media Queries 4) as far as they make sense for a message: it is shown on white paper in a frame
// of its own, so its width is that of the frame, which on a telephone is the screen, and it has no dark form.

const TYPES: Readonly<Record<string, string>> = { all: '', screen: 'screen', print: 'print' };
const WIDTH = /^\((?:(min|max)-)?(?:device-)?width:(\d{1,5}(?:\.\d{1,3})?)(px|em|rem)?\)$/;
/** `(width <= 600px)` */
const RANGE = /^\((?:device-)?width([<>]=?)(\d{1,5}(?:\.\d{1,3})?)(px|em|rem)\)$/;
/** true on every screen that shows mail, and asked to tell programs apart */
const ALWAYS = /^\((?:prefers-color-scheme:light|-webkit-min-device-pixel-ratio:0|color|min-color:0)\)$/;
/** what a length is made shorter by for "<" */
const LESS = 0.02;

/** A part of a query; undefined: it never holds; '': it always does. */
function safePart(part: string): string | undefined {
  const type = part.replace(/^only /, '');
  if (Object.hasOwn(TYPES, type)) return TYPES[type];
  const feature = part.replaceAll(' ', '');
  if (ALWAYS.test(feature)) return '';
  const [, bound = '', width, unit = 'px'] = WIDTH.exec(feature) ?? [];
  if (width !== undefined) return `(${bound && `${bound}-`}width:${width}${unit})`;
  const [, sign = '', edge, edgeUnit] = RANGE.exec(feature) ?? [];
  if (edge === undefined) return undefined;
  const value = Number(edge) + (sign === '<' ? -LESS : sign === '>' ? LESS : 0);
  return `(${sign.startsWith('<') ? 'max' : 'min'}-width:${Number(value.toFixed(3))}${edgeUnit})`;
}

function safeQuery(query: string): string | undefined {
  if (query === 'not print' || query === '') return query;
  const parts = query.split(' and ').map(safePart);
  return parts.includes(undefined) ? undefined : parts.filter(Boolean).join(' and ');
}

/** The list of queries as it is written; '': it always holds; undefined: it never does. */
export function safeMedia(list: string): string | undefined {
  const words = list
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .split(',')
    .map((query) => query.trim());
  const queries = words.map(safeQuery).filter((query) => query !== undefined);
  if (queries.length === 0) return undefined;
  return queries.includes('') ? '' : queries.join(',');
}

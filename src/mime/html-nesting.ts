// Which element ends which, so that what sanitise.ts writes is nested as a browser will build it (HTML standard section
// 13.2.6.4.7, "in body", and the table modes), without building a tree. Called by sanitise.ts.

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

export const VOID = set('br hr img wbr col');
/** elements that mean nothing outside a table, and those among which they may stand */
const TABLE_CONTEXT = new Map<string, ReadonlySet<string>>([
  ['caption', set('table')],
  ['colgroup', set('table')],
  ['col', set('table colgroup')],
  ['thead', set('table')],
  ['tbody', set('table')],
  ['tfoot', set('table')],
  ['tr', set('table thead tbody tfoot')],
  ['td', set('table thead tbody tfoot tr')],
  ['th', set('table thead tbody tfoot tr')],
]);
const CELL_FENCE = ['table', 'td', 'th', 'caption'];
/** elements that hold nothing but rows, cells and the like: what else stands in them, a browser moves out of the table */
const ROW_HOLDERS = set('table thead tbody tfoot tr colgroup');
/** often strays between the tags of a table, and does nothing there */
const FORMATTING = set('b i u s em strong small big sub sup tt code font span center');
const HEADINGS = set('h1 h2 h3 h4 h5 h6');
const ENDS_PARAGRAPH = set(
  'p div hr pre blockquote ul ol dl li dt dd table center h1 h2 h3 h4 h5 h6 figure figcaption details summary address ' +
    'article section header footer main aside nav',
);
/** a start tag that ends an open element: which, and behind which elements it is not seen */
const ENDS = new Map<string, { names: ReadonlySet<string>; fence: ReadonlySet<string> }>([
  ['li', { names: set('li'), fence: new Set(['ul', 'ol', ...CELL_FENCE]) }],
  ['dt', { names: set('dt dd'), fence: new Set(['dl', ...CELL_FENCE]) }],
  ['dd', { names: set('dt dd'), fence: new Set(['dl', ...CELL_FENCE]) }],
  ['a', { names: set('a'), fence: new Set(CELL_FENCE) }],
  ['rt', { names: set('rt rp'), fence: new Set(['ruby', ...CELL_FENCE]) }],
  ['rp', { names: set('rt rp'), fence: new Set(['ruby', ...CELL_FENCE]) }],
]);
const PARAGRAPH = { names: set('p'), fence: new Set(CELL_FENCE) };
const TABLE_FENCE = set('table');
const CELLS = new Set(CELL_FENCE);

/** Place among the first `count` open elements of the innermost of `names` with nothing of `fence` inside it, or -1. */
function findOpen(open: string[], count: number, names: ReadonlySet<string>, fence: ReadonlySet<string>): number {
  for (let index = count - 1; index >= 0; index--) {
    if (names.has(open[index]!)) return index;
    if (fence.has(open[index]!)) return -1;
  }
  return -1;
}

/** Text, or a start tag `name`, stands in a table outside of its cells. */
export function needsCell(open: string[], name = ''): boolean {
  return ROW_HOLDERS.has(open.at(-1) ?? '') && !TABLE_CONTEXT.has(name) && name !== 'table';
}

export function isStray(name: string): boolean {
  return FORMATTING.has(name);
}

/** How many of the open elements stay open before a start tag `name`; -1 if it may not stand here at all. */
export function keptBefore(name: string, open: string[]): number {
  const context = TABLE_CONTEXT.get(name);
  if (context) {
    const index = findOpen(open, open.length, context, TABLE_FENCE);
    return index < 0 ? -1 : index + 1;
  }
  let kept = open.length;
  // a table directly in a table ends the outer one
  if (name === 'table' && ROW_HOLDERS.has(open.at(-1) ?? '')) kept = open.lastIndexOf('table');
  for (const rule of [ENDS.get(name), ENDS_PARAGRAPH.has(name) ? PARAGRAPH : undefined]) {
    const index = rule ? findOpen(open, kept, rule.names, rule.fence) : -1;
    if (index >= 0) kept = index;
  }
  if (HEADINGS.has(name) && HEADINGS.has(open[kept - 1] ?? '')) kept--;
  return kept;
}

/** How many of the open elements stay open after an end tag `name`: all of them if it ends nothing. */
export function keptAfter(name: string, open: string[]): number {
  const fence = name === 'table' || TABLE_CONTEXT.has(name) ? TABLE_FENCE : CELLS;
  const index = findOpen(open, open.length, new Set([name]), fence);
  return index < 0 ? open.length : index;
}

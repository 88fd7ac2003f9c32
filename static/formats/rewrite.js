// A changed object as text that keeps what was not changed as its source has it: each line with its folding, and where
// it stood, also behind an inner component. Linear in the texts, but for inner components that have lost their key.

import { MAX_CONTENT_LINES } from '../../src/limits/mime.ts';
import { foldLine, writeComponent } from '../../src/mime/objects/components.ts';
import { contentLines, textOf } from '../../src/mime/objects/content-lines.ts';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {{ line: ContentLine, raw: string }} WrittenLine */
/**
 * @typedef {object} Written a component of the source
 * @property {(WrittenLine | Written)[]} entries in the order in which they are written
 * @property {Component} component
 * @property {string} begin
 * @property {string} end
 */

/** components that are the same one where these say the same @type {Record<string, string[]>} */
const KEYS = {
  VEVENT: ['UID', 'RECURRENCE-ID'],
  VTODO: ['UID', 'RECURRENCE-ID'],
  VJOURNAL: ['UID', 'RECURRENCE-ID'],
  VTIMEZONE: ['TZID'],
};

/** What tells components apart; undefined for those that nothing does, as alarms. @param {Component} one */
export const keyOf = (one) =>
  KEYS[one.name] && [one.name, ...KEYS[one.name].map((name) => textOf(one, name))].join('\n');

/**
 * `changed` was made from the object of `source`, which parseObject can read.
 * @param {string} source @param {Component} changed
 */
export function rewritten(source, changed) {
  const root = readWritten(source);
  return root ? `${textLike(root, changed)}\r\n` : writeComponent(changed);
}

/** @param {string} source @returns {Written | undefined} */
function readWritten(source) {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  /** @type {number[]} */
  const starts = [];
  const lines = [...contentLines(text, MAX_CONTENT_LINES, starts)];
  /** @type {Written | undefined} */
  let root;
  /** @type {Written[]} */
  const open = [];
  for (const [i, line] of lines.entries()) {
    if (!line) return undefined;
    const raw = withoutEnd(text.slice(starts[i], starts[i + 1])).replaceAll(/\r?\n/g, '\r\n');
    const inner = open.at(-1);
    if (line.name === 'BEGIN') {
      const component = { name: line.value.trim().toUpperCase(), lines: [], components: [] };
      const written = { entries: [], component, begin: raw, end: `END:${component.name}` };
      inner?.entries.push(written);
      inner?.component.components.push(component);
      root ??= written;
      open.push(written);
    } else if (line.name === 'END') {
      if (inner) inner.end = raw;
      open.pop();
    } else {
      inner?.entries.push({ line, raw });
      inner?.component.lines.push(line);
    }
  }
  return root;
}

/** @param {string} text */
function withoutEnd(text) {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  return text.slice(0, end);
}

/** Without the end of its last line. @param {Written} source @param {Component} changed @returns {string} */
function textLike({ entries, begin, end }, changed) {
  /** what of the source is still there, as text @type {Map<WrittenLine | Written, string>} */
  const kept = new Map();
  /** what is new, by what it stands behind @type {Map<unknown, string[]>} */
  const added = new Map();
  const homes = linesAt(entries.filter(isLine), changed.lines);
  place(changed.lines, homes, BEGIN, { kept, added }, (line, home) => home?.raw ?? folded(line));
  const places = componentsAt(entries.filter(isInner), changed.components);
  place(changed.components, places, INNER, { kept, added }, (one, home) =>
    home ? textLike(home, one) : writeComponent(one).trimEnd(),
  );
  const first = entries.findIndex(isInner);
  const all = entries.flatMap((entry, i) => [
    ...(i === first ? (added.get(INNER) ?? []) : []),
    ...(kept.has(entry) ? [kept.get(entry) ?? ''] : []),
    ...(added.get(entry) ?? []),
  ]);
  const last = first < 0 ? (added.get(INNER) ?? []) : [];
  return [begin, ...(added.get(BEGIN) ?? []), ...all, ...last, end].join('\r\n');
}

/** what new lines stand behind at the beginning, and new components before all others */
const [BEGIN, INNER] = [Symbol('begin'), Symbol('inner')];

/** @param {WrittenLine | Written} entry @returns {entry is WrittenLine} */
const isLine = (entry) => 'line' in entry;

/** @param {WrittenLine | Written} entry @returns {entry is Written} */
const isInner = (entry) => !isLine(entry);

/**
 * Where each stands in the source: in the order of the source, as far as that is the order of its name.
 * @param {WrittenLine[]} source @param {ContentLine[]} wanted
 */
function linesAt(source, wanted) {
  const known = Map.groupBy(source.keys(), (i) => source[i].line.text);
  for (const places of known.values()) places.reverse();
  /** @type {Map<string, number>} */
  const last = new Map();
  return wanted.map(({ name, text }) => {
    const at = known.get(text)?.pop();
    if (at === undefined || at < (last.get(name) ?? -1)) return undefined;
    last.set(name, at);
    return source[at];
  });
}

/**
 * By all that they say, else by what tells them apart, else by their order.
 * @param {Written[]} source @param {Component[]} wanted
 */
function componentsAt(source, wanted) {
  /** @type {(Written | undefined)[]} */
  const homes = wanted.map(() => undefined);
  const left = new Set(source);
  for (const labelOf of [writeComponent, keyOf, (/** @type {Component} */ { name }) => name]) {
    const known = Map.groupBy(left, ({ component }) => labelOf(component));
    for (const [i, one] of wanted.entries()) {
      const label = homes[i] ? undefined : labelOf(one);
      const home = label === undefined ? undefined : known.get(label)?.shift();
      if (home?.component.name !== one.name) continue;
      homes[i] = home;
      left.delete(home);
    }
  }
  return homes;
}

/** @param {ContentLine} line */
const folded = ({ text, isQuotedPrintable }) => (isQuotedPrintable ? text : foldLine(text));

/**
 * What has a home in the source stands there; anything else behind what it follows.
 * @template {WrittenLine | Written} Home @template Item
 * @param {Item[]} items @param {(Home | undefined)[]} homes of each @param {symbol} start
 * @param {{ kept: Map<WrittenLine | Written, string>, added: Map<unknown, string[]> }} into
 * @param {(item: Item, home: Home | undefined) => string} write
 */
function place(items, homes, start, { kept, added }, write) {
  /** @type {unknown} */
  let behind = start;
  for (const [i, item] of items.entries()) {
    const home = homes[i];
    const text = write(item, home);
    if (home && !kept.has(home)) {
      kept.set(home, text);
      behind = home;
    } else {
      const others = added.get(behind);
      if (others) others.push(text);
      else added.set(behind, [text]);
    }
  }
}

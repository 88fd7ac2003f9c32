// What changed between two versions of a text, line by line (Myers, 1986, without recursion). Bounded: texts that have
// nearly nothing in common are shown as one taken for the other.

/** @typedef {{ kind: 'same' | 'added' | 'removed', text: string }} DiffLine */

/** changed lines that are looked for; the work and the memory grow with its square at most */
export const MAX_DIFFERENCES = 600;

/** HTML with a line for each paragraph, heading, item or row, however it was written. @param {string} html */
export const blockLines = (html) =>
  html.replaceAll(/(<\/(?:h[1-6]|p|li|ul|ol|tr|table|div|blockquote|pre|dl|dt|dd)>|<br ?\/?>)\n?/gi, '$1\n').trimEnd();

/** @param {string} before @param {string} after @returns {DiffLine[]} */
export function diffLines(before, after) {
  const [old, now] = [before, after].map((text) => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n')));
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = changes(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...as('same', old.slice(0, start)), ...middle, ...as('same', old.slice(old.length - end))];
}

/** @param {DiffLine['kind']} kind @param {string[]} lines @returns {DiffLine[]} */
const as = (kind, lines) => lines.map((text) => ({ kind, text }));

/** @param {string[]} old @param {string[]} now @returns {DiffLine[]} */
function changes(old, now) {
  const trace = furthestPaths(old, now);
  if (!trace) return [...as('removed', old), ...as('added', now)];
  /** @type {DiffLine[]} */
  const lines = [];
  let x = old.length;
  let y = now.length;
  for (let steps = trace.length - 1; steps > 0; steps--) {
    const paths = trace[steps - 1];
    const k = x - y;
    const isDown = k === -steps || (k !== steps && at(paths, k - 1, steps - 1) < at(paths, k + 1, steps - 1));
    const from = at(paths, isDown ? k + 1 : k - 1, steps - 1);
    const fromY = from - (isDown ? k + 1 : k - 1);
    while (x > from && y > fromY && x > 0 && y > 0 && old[x - 1] === now[y - 1]) {
      lines.push({ kind: 'same', text: old[--x] });
      y--;
    }
    if (isDown) lines.push({ kind: 'added', text: now[--y] });
    else lines.push({ kind: 'removed', text: old[--x] });
  }
  while (x > 0) lines.push({ kind: 'same', text: old[--x] });
  return lines.reverse();
}

/** How far a path of so many steps gets on each diagonal; undefined where more than MAX_DIFFERENCES are needed. */
function furthestPaths(/** @type {string[]} */ old, /** @type {string[]} */ now) {
  /** @type {Int32Array[]} */
  const trace = [];
  for (let steps = 0; steps <= Math.min(old.length + now.length, MAX_DIFFERENCES); steps++) {
    const paths = new Int32Array(2 * steps + 1);
    const before = trace[steps - 1];
    for (let k = -steps; k <= steps; k += 2) {
      let x = 0;
      if (before) {
        const isDown = k === -steps || (k !== steps && at(before, k - 1, steps - 1) < at(before, k + 1, steps - 1));
        x = isDown ? at(before, k + 1, steps - 1) : at(before, k - 1, steps - 1) + 1;
      }
      let y = x - k;
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x++;
        y++;
      }
      paths[k + steps] = x;
      if (x >= old.length && y >= now.length) return [...trace, paths];
    }
    trace.push(paths);
  }
  return undefined;
}

/** @param {Int32Array} paths @param {number} k @param {number} steps */
const at = (paths, k, steps) => (k < -steps || k > steps ? -1 : paths[k + steps]);

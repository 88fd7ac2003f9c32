// The kinds of rooms that a search can be narrowed to, by the numbers of their views. Pure.

/** @import { ViewHits } from '../api/interface.d.ts' */

/** @type {Record<string, number[]>} */
export const HIT_KINDS = {
  mail: [1, 9],
  posts: [0, 10],
  notes: [5, 6, 8],
  dates: [3, 4, 7],
  files: [12],
  people: [2],
};

/** The views of these kinds together; none for none. @param {string[]} kinds */
export const viewsOf = (kinds) => kinds.flatMap((kind) => HIT_KINDS[kind] ?? []);

/** How many hits each kind has. @param {ViewHits[]} byView @returns {Record<string, number>} */
export function countsOf(byView) {
  const counts = Object.fromEntries(Object.keys(HIT_KINDS).map((kind) => [kind, 0]));
  for (const { default_view, total } of byView) {
    const kind = Object.keys(HIT_KINDS).find((each) => HIT_KINDS[each].includes(default_view)) ?? 'posts';
    counts[kind] += total;
  }
  return counts;
}

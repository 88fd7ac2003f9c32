// The kinds of rooms that a search can be narrowed to, by the numbers of their views. Pure.

import { VIEW } from '../../src/model.ts';

/** @import { ViewHits } from '../api/interface.d.ts' */

/** @type {Record<string, number[]>} */
export const HIT_KINDS = {
  mail: [VIEW.mailbox, VIEW.drafts],
  posts: [VIEW.board, VIEW.blog],
  notes: [VIEW.notes, VIEW.wiki, VIEW.journal],
  dates: [VIEW.calendar, VIEW.tasks, VIEW.briefCalendar],
  files: [VIEW.files],
  people: [VIEW.addressBook],
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

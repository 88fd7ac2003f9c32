// The kinds of rooms that a search is narrowed to.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { countsOf, viewsOf } from '../../../static/pages/search-kinds.js';

it('kinds are views of rooms; none is any', () => {
  assert.deepEqual(viewsOf(['mail', 'people']), [1, 9, 2]);
  assert.deepEqual(viewsOf([]), []);
});

it('hits are added up by kind; a view that nobody knows is one of a forum', () => {
  const hits = [
    { default_view: 3, total: 2 },
    { default_view: 4, total: 5 },
    { default_view: 0, total: 1 },
    { default_view: 99, total: 1 },
  ];
  const { dates, posts, mail } = countsOf(hits);
  assert.deepEqual([dates, posts, mail], [7, 2, 0]);
});

// What of a message is kept for its next reader, and when it is another message.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_KEPT_HEADER_CHARACTERS } from '../../src/limits/dav.ts';
import { MAX_KEPT_PARTS, MAX_MIME_PARTS } from '../../src/limits/mime.ts';
import type { PartRow } from '../../src/model.ts';
import type { CachedMessage } from '../../src/room-server/collections.ts';
import { isSame, isWorthCaching, slotsOf } from '../../src/room-server/heads.ts';

const known = (value: string, parts = 0, header = ''): CachedMessage => ({
  fields: new Map([['subj', value]]),
  head: {
    parts: Array.from({ length: parts }, () => ({}) as PartRow),
    multipart: '',
    headers: [{ name: 'X', value: header }],
  },
  parts: new Map(),
  text: undefined,
});

it('fields are the same where all have the same values, in any order', () => {
  const fields = (...of: [string, string][]) => new Map(of);
  assert.ok(isSame(fields(['a', '1'], ['b', '2']), fields(['b', '2'], ['a', '1'])));
  assert.ok(isSame(fields(), fields()));
  for (const other of [fields(['a', '1']), fields(['a', '1'], ['b', '3']), fields(['a', '1'], ['c', '2'])]) {
    assert.ok(!isSame(fields(['a', '1'], ['b', '2']), other));
  }
});

it('what is small is kept: fields and headers together', () => {
  const fits = MAX_KEPT_HEADER_CHARACTERS - 'X'.length;
  assert.ok(isWorthCaching(known('x'.repeat(fits))));
  assert.ok(!isWorthCaching(known('x'.repeat(fits + 1))));
  assert.ok(isWorthCaching(known('x', 0, 'y'.repeat(fits - 1))));
  assert.ok(!isWorthCaching(known('x', 0, 'y'.repeat(fits))));
});

it('the more parts it has, the more places it takes', () => {
  for (const [parts, places] of [
    [0, 1],
    [MAX_KEPT_PARTS, 1],
    [MAX_KEPT_PARTS + 1, 2],
    [MAX_MIME_PARTS, Math.ceil(MAX_MIME_PARTS / MAX_KEPT_PARTS)],
  ] as const) {
    assert.equal(slotsOf(known('x', parts)), places);
  }
});

// What a copied message answers to, for a server that takes so much in one line.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openReferences } from '../../../src/extra/migrate/target.ts';
import { MAX_REFERENCES_BYTES } from '../../../src/limits/backend.ts';
import type { Connection } from '../../../src/room-server/connection/connection.ts';

/** Nothing is asked where no message has been copied. */
const connection = {} as Connection;

/** So many bytes of ids, each with the sign behind it; the nearest one is the longest. */
function ids(bytes: number): string[] {
  const far = Array.from({ length: 10 }, (_, i) => `${i}@`.padEnd(99, 'x'));
  return [...far, 'n@'.padEnd(bytes - 100 * far.length - 1, 'y')];
}

it('names as many ids as fit, the nearest ones', async () => {
  const translated = (all: string[]) => openReferences().translated(connection, 'Lobby', all.join('|'));
  const fitting = ids(MAX_REFERENCES_BYTES);
  assert.equal(await translated(fitting), fitting.join('!'));
  const more = ids(MAX_REFERENCES_BYTES + 1);
  assert.equal(await translated(more), more.slice(1).join('!'));
  for (const [size, kept] of [
    [MAX_REFERENCES_BYTES - 1, 1],
    [MAX_REFERENCES_BYTES, 0],
  ] as const) {
    const large = 'n@'.padEnd(size, 'y');
    assert.equal(await translated(['a@b', large]), kept ? large : '', `one of ${size} bytes`);
  }
});

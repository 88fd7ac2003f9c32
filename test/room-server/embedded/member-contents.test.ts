// Contents of many messages in one answer: as many as a line can ask for, cut where the server says.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_CONTENTS_AT_ONCE } from '../../../src/limits/backend.ts';
import { MAX_COMMAND_BYTES } from '../../../src/limits/protocol.ts';
import { objects } from '../../../src/room-server/embedded/objects.ts';
import { ANN, askedServer, BOX, failsWith } from '../../support/asked-server.ts';

it('contents come by number, and it is told how many were looked at', async (t) => {
  const { pool, sent } = await askedServer(t, { MEMB: '600 7|3|5|3|9|4\nabcdefg' });
  const { looked, contents } = await objects.contents({ pool, identity: ANN, room: BOX }, [5, 7, 9]);
  assert.equal(looked, 3);
  assert.deepEqual(
    [...contents].map(([number, bytes]) => [number, String(bytes)]),
    [
      [5, 'abc'],
      [9, 'defg'],
    ],
  );
  assert.deepEqual(sent(/^MEMB/), ['MEMB contents|5,7,9']);
});

it('an answer whose lengths are not those of its bytes, or that has looked at nothing, is no answer', async (t) => {
  for (const answer of ['600 7|3|5|3|9|3\nabcdefg', '600 3|0|5|3\nabc', '600 2|1|5|3\nab', '600 3|2|5|-3|7|6\nabc']) {
    const { pool } = await askedServer(t, { MEMB: answer });
    await assert.rejects(
      objects.contents({ pool, identity: ANN, room: BOX }, [5]),
      failsWith('backend_protocol'),
      answer,
    );
  }
});

it('no more is asked for than one line holds, and never too many', async (t) => {
  const { pool, sent } = await askedServer(t, { MEMB: '600 0|1\n' });
  const long = Array.from({ length: 1000 }, (_, i) => 100_000_000_000_000 + i);
  await objects.contents({ pool, identity: ANN, room: BOX }, long);
  const [line] = sent(/^MEMB/);
  assert.ok(line!.length <= MAX_COMMAND_BYTES && line!.length > MAX_COMMAND_BYTES - 17, String(line!.length));
  await objects.contents(
    { pool, identity: ANN, room: BOX },
    Array.from({ length: MAX_CONTENTS_AT_ONCE + 1 }, (_, i) => (i % 9) + 1),
  );
  assert.equal(sent(/^MEMB/)[1]!.split(',').length, MAX_CONTENTS_AT_ONCE);
});

it('a refusal is one of the room', async (t) => {
  const { pool } = await askedServer(t, { MEMB: '550 no\n' });
  await assert.rejects(objects.contents({ pool, identity: ANN, room: BOX }, [5]), failsWith('forbidden', 550));
});

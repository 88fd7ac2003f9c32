// A room of one's own: how it is made, and what it may be called.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_PERSONAL_ROOM_NAME_BYTES } from '../../src/limits/backend.ts';
import { VIEW } from '../../src/model.ts';
import { EMBEDDED } from '../../src/room-server/embedded/embedded.ts';
import { createPersonalRoom } from '../../src/room-server/room-admin.ts';
import { ANN, askedServer, failsWith } from '../support/asked-server.ts';

it('it is made on the first floor, as a personal one, with its view', async (t) => {
  const { pool, sent } = await askedServer(t, { CRE8: '200 made\n' });
  await createPersonalRoom(pool, ANN, 'Plans', VIEW.calendar);
  assert.deepEqual(sent(), ['CRE8 1|Plans|4||0||3']);
});

it('one that is to be filled first is marked, and the mark is taken away', async (t) => {
  const { pool, sent } = await askedServer(t, {
    CRE8: '200 made\n',
    PROP: ['800 send\n0\n000\n', '800 send\n-1\n000\n'],
  });
  await createPersonalRoom(pool, ANN, 'Plans', VIEW.calendar, true);
  assert.deepEqual(sent(/^CRE8/), ['CRE8 1|Plans|4||0||3|1']);
  await EMBEDDED.rooms.finish(pool, ANN, 'Plans');
  assert.deepEqual(sent(/^PROP/), ['PROP set|']);
  await assert.rejects(EMBEDDED.rooms.finish(pool, ANN, 'Plans'), { code: 'forbidden' });
});

it('a name that would be cut is refused before it is sent', async (t) => {
  const { pool, sent } = await askedServer(t, { CRE8: '200 made\n' });
  await createPersonalRoom(pool, ANN, 'x'.repeat(MAX_PERSONAL_ROOM_NAME_BYTES), 0);
  await assert.rejects(createPersonalRoom(pool, ANN, 'x'.repeat(MAX_PERSONAL_ROOM_NAME_BYTES + 1), 0), {
    code: 'bad_request',
  });
  assert.equal(sent(/^CRE8/).length, 1);
});

it('a level that is too low, or a room of that name, is told', async (t) => {
  const { pool } = await askedServer(t, { CRE8: ['550 no\n', '574 there is one\n'] });
  await assert.rejects(createPersonalRoom(pool, ANN, 'A', 0), failsWith('forbidden', 550));
  await assert.rejects(createPersonalRoom(pool, ANN, 'A', 0), failsWith('conflict', 574));
});

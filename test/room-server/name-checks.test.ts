// New names that would be taken for others.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../../src/limits/backend.ts';
import {
  requireFloorUnlike,
  requireRoomNameFits,
  requireRoomUnlike,
  requireUserUnlike,
} from '../../src/room-server/floors.ts';
import { ANN, askedServer, listing } from '../support/asked-server.ts';

describe('the name of a room', () => {
  it('is as long as a real server keeps it, and no longer', () => {
    requireRoomNameFits('x'.repeat(MAX_ROOM_NAME_BYTES), false);
    requireRoomNameFits('é'.repeat(MAX_PERSONAL_ROOM_NAME_BYTES / 2), true);
    assert.throws(() => requireRoomNameFits('x'.repeat(MAX_ROOM_NAME_BYTES + 1), false), { code: 'bad_request' });
    assert.throws(() => requireRoomNameFits('x'.repeat(MAX_PERSONAL_ROOM_NAME_BYTES + 1), true), {
      code: 'bad_request',
      message: new RegExp(`personal room .* ${MAX_PERSONAL_ROOM_NAME_BYTES} bytes`),
    });
    assert.throws(() => requireRoomNameFits('é'.repeat(MAX_ROOM_NAME_BYTES), false), { code: 'bad_request' });
  });

  it('looks like that of no public room, nor of one that every server has; private ones do not count', async (t) => {
    const { pool } = await askedServer(t, {
      LRMS: listing('Box|2|0|0|0|302|0|0|0|', 'Secret|6|0|0|0|302|0|0|0|', 'Hall|2|0|0|0|20|0|0|0|'),
    });
    for (const name of ['BOX', 'Вох', 'hall', 'lobby', 'Aide']) {
      await assert.rejects(requireRoomUnlike(pool, ANN, name), { code: 'conflict' }, name);
    }
    for (const name of ['Secret', 'Boxes']) await requireRoomUnlike(pool, ANN, name);
    await requireRoomUnlike(pool, ANN, 'BOX', 'Box');
    await assert.rejects(requireRoomUnlike(pool, ANN, 'HALL', 'Box'), { code: 'conflict', message: /“Hall”/ });
  });
});

it('the name of a floor looks like that of no other floor', async (t) => {
  const { pool } = await askedServer(t, { LFLR: listing('0|Main|3') });
  await assert.rejects(requireFloorUnlike(pool, ANN, 'main'), { code: 'conflict', message: /floor “Main”/ });
  await requireFloorUnlike(pool, ANN, 'MAIN', 'Main');
  await requireFloorUnlike(pool, ANN, 'Cellar');
});

it('the name of a user looks like that of no other', async (t) => {
  const { connect } = await askedServer(t, { LIST: listing('Bob|4|3|0|1|1|') });
  const connection = await connect();
  await assert.rejects(requireUserUnlike(connection, 'B-0 B'), { code: 'conflict', message: /user “Bob”/ });
  await requireUserUnlike(connection, 'Carol');
});

// What is at the Destination of a MOVE or COPY.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesAt, enteredTarget, requireRoomFor, type TransferTarget } from '../../src/dav/transfer-target.ts';
import { AppError } from '../../src/errors.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import type { EnteredRoom } from '../../src/model.ts';
import type { Member } from '../../src/room-server/collections.ts';

const entered = { name: 'A', isAdmin: false, isPersonal: false, flags2: 0 } as EnteredRoom;
const member = (name: string) => ({ name, msgnum: 7 }) as Member;
const target = (facts: Partial<TransferTarget>): TransferTarget => ({
  context: {} as RoomContext,
  entered,
  isFiles: true,
  name: 'a',
  file: undefined,
  folder: undefined,
  mayOverwrite: true,
  ...facts,
});

describe('what happens at the Destination', () => {
  const changes = (facts: Partial<TransferTarget>, name: string) =>
    changesAt(target(facts), name).map((change) => `${change.name}${change.isMembership ? ' +' : ''}`);

  it('is that a name comes, or that what has it is written', () => {
    assert.deepEqual(changes({}, 'a'), ['a +']);
    assert.deepEqual(changes({ file: member('a') }, 'a'), ['a']);
  });

  it('is that a folder goes where a file comes, and a file where a folder comes', () => {
    assert.deepEqual(changes({ folder: member('a/') }, 'a'), ['a +', 'a/ +']);
    assert.deepEqual(changes({ file: member('a') }, 'a/'), ['a/ +', 'a +']);
    assert.deepEqual(changes({ folder: member('a/') }, 'a/'), ['a/ +', 'a/ +'], 'with all below it');
  });
});

describe('what is in the way', () => {
  it('is protected by Overwrite: F, and from who may not delete', async () => {
    const code = async (facts: Partial<TransferTarget>) =>
      requireRoomFor(target(facts), 'a').catch((error: AppError) => error.code);
    assert.equal(await code({ file: member('a'), mayOverwrite: false }), 'precondition_failed');
    assert.equal(await code({ folder: member('a/'), mayOverwrite: false }), 'precondition_failed');
    assert.equal(await code({ file: member('a') }), 'forbidden');
  });
});

describe('a room that is not there', () => {
  const into = (error: Error) => {
    const pool = { readInRoom: () => Promise.reject(error) };
    const context = { app: { pool }, caller: {}, room: { name: 'A' } } as unknown as RoomContext;
    return enteredTarget(context);
  };

  it('is a conflict, and another fault is what it is', async () => {
    await assert.rejects(into(new AppError('not_found', 'x')), { code: 'conflict' });
    await assert.rejects(into(new AppError('forbidden', 'x')), { code: 'forbidden' });
    await assert.rejects(into(new Error('broken')), /broken/);
  });
});

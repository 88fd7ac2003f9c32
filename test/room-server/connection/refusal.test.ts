// Refusals of the room server as errors: by number, never by text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REPLY, STATUS } from '../../../src/protocol/status.ts';
import { expectClass, ROOM_ADMINS_ONLY, refusal } from '../../../src/room-server/connection/server-errors.ts';

const status = (code: number, text = 'some text') => ({ code, hasInstantMessages: false, text });

describe('a refusal', () => {
  it('has a code by its number, and the number', () => {
    for (const [number, code] of [
      [STATUS.noSuchRoom, 'not_found'],
      [STATUS.noSuchMessage, 'not_found'],
      [STATUS.higherAccess, 'forbidden'],
      [STATUS.notLoggedIn, 'not_logged_in'],
      [STATUS.passwordRequired, 'forbidden'],
      [STATUS.alreadyExists, 'conflict'],
      [STATUS.tooBig, 'too_large'],
      [STATUS.storage, 'insufficient_storage'],
      [STATUS.illegalValue, 'bad_request'],
    ] as const) {
      const { code: found, backendCode } = refusal(status(number));
      assert.deepEqual([found, backendCode], [code, number]);
    }
  });

  it('says to clients of DAV whether the disk or a quota is full (RFC 4331 section 6)', () => {
    const rooms = { [STATUS.tooBig]: ['insufficient_storage', 'x'] } as const;
    const named = (number: number) => refusal(status(number), { [STATUS.tooBig]: [...rooms[STATUS.tooBig]] }).condition;
    assert.equal(named(STATUS.storage)?.name, 'sufficient-disk-space');
    assert.equal(named(STATUS.tooBig)?.name, 'quota-not-exceeded');
    assert.equal(named(STATUS.noSuchRoom), undefined);
  });

  it('keeps the words of the room server for the log: people do not see them', () => {
    const error = refusal(status(STATUS.noSuchRoom, 'room secret not found'));
    assert.doesNotMatch(error.message, /secret/);
    assert.equal(error.cause, 'room secret not found');
  });

  it('says when to come again where the server is busy, and only then', () => {
    assert.ok(Number(refusal(status(STATUS.tooManySessions)).retryAfterSeconds) > 0);
    assert.equal(refusal(status(STATUS.noSuchRoom)).retryAfterSeconds, undefined);
    const known = refusal(status(STATUS.general), { [STATUS.general]: ['busy', 'x'] });
    assert.ok(Number(known.retryAfterSeconds) > 0);
  });

  it('means what the verb says that it means', () => {
    const { code, message } = refusal(status(550), { [STATUS.higherAccess]: ROOM_ADMINS_ONLY });
    assert.deepEqual([code, message], ROOM_ADMINS_ONLY);
    assert.equal(refusal(status(572), { [STATUS.higherAccess]: ROOM_ADMINS_ONLY }).code, 'not_found');
  });

  it('of a number that nobody knows is a fault of the room server', () => {
    for (const number of [STATUS.general, STATUS.internal, STATUS.unsupported, 599]) {
      assert.equal(refusal(status(number)).code, 'backend_protocol', String(number));
    }
  });
});

describe('an answer that is expected', () => {
  it('is given back', () => {
    const answer = status(200);
    assert.equal(expectClass(answer, REPLY.done), answer);
  });

  it('is a refusal, or nothing that can be understood', () => {
    assert.throws(() => expectClass(status(572), REPLY.done), { code: 'not_found' });
    for (const code of [100, 300, 600, 900]) {
      assert.throws(() => expectClass(status(code), REPLY.done), { code: 'backend_protocol' }, String(code));
    }
  });
});

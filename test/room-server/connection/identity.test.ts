// Logging in: by password or session key, and what each refusal means.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  GUEST,
  type Identity,
  identityKey,
  logIn,
  logInCommands,
  parseLoggedIn,
} from '../../../src/room-server/connection/identity.ts';
import { ANN, askedServer } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { playing } from '../../support/recorded-client.ts';

describe('a log-in', () => {
  it('tells who one is', () => {
    const user = parseLoggedIn('ann|4|7|3|10768|2|1795221425');
    const { name, level, timesCalled, posted, flags, usernum, previousLogin } = user;
    assert.deepEqual(
      [name, level, timesCalled, posted, flags, usernum, previousLogin],
      ['ann', ...[4, 7, 3, 10768, 2, 1795221425]],
    );
    assert.throws(() => parseLoggedIn('ann|4|0|0|0|2'), { code: 'backend_protocol' });
  });

  it('tells a level that there is', () => {
    const levels = ['0', '6', '7', '-1', '', 'x'].map((level) => parseLoggedIn(`ann|${level}|0|0|0|2|0`).level);
    assert.deepEqual(levels, [0, 6, 6, 0, 0, 0]);
  });

  it('says what a recorded client has said, and is told the reason when it fails', async (t) => {
    const { connection, done } = await playing(t, '24-guest.txt', 'BOSS', 16, 19);
    const user = await logIn(connection, { user: 'boss', password: 'bosspw' });
    await done;
    assert.deepEqual([user.name, user.level, user.usernum, user.previousLogin], ['boss', 6, 3, 1795221446]);

    const second = await playing(t, '21-login.txt', 'A', 31, 34);
    await assert.rejects(logIn(second.connection, { user: 'ann', password: 'wrong' }), {
      code: 'not_logged_in',
      backendCode: 540,
    });
    await second.done;
  });

  for (const [what, answers, error] of [
    ['a wrong password', { PASS: '540 Wrong password.\n' }, { code: 'not_logged_in', backendCode: 540 }],
    ['an unknown user, the same', { USER: '570 no such user\n' }, { code: 'not_logged_in', backendCode: 540 }],
    ['a password that comes first', { PASS: '542 user first\n' }, { code: 'not_logged_in', backendCode: 540 }],
    ['an account in use', { PASS: '541 already\n' }, { code: 'conflict' }],
    ['a full server', { USER: '551 too many\n' }, { code: 'busy' }],
    ['too many wrong passwords from this gateway', { PASS: '550 too many\n' }, { code: 'busy', retryAfterSeconds: 60 }],
    ['a server that takes anybody', { USER: '200 ok\n' }, { code: 'backend_protocol' }],
  ] as [string, Answers, object][]) {
    it(`is refused for ${what}`, async (t) => {
      const { connect } = await askedServer(t, answers);
      const connection = await connect();
      await assert.rejects(logIn(connection, ANN), error);
    });
  }

  it('by session key says that the session has ended where the key is not good, or there are none', async (t) => {
    const session: Identity = { user: 'ann', key: 'k' };
    const { connect, sent } = await askedServer(t, {
      SKEY: ['200 ann|4|0|0|0|2|0\n', '540 no\n', '530 no\n', '551 x\n'],
    });
    const connection = await connect();
    assert.equal((await logIn(connection, session)).usernum, 2);
    assert.deepEqual(sent(/./), ['SKEY login|k']);
    await assert.rejects(logIn(connection, session), { code: 'not_logged_in', message: /session has ended/ });
    await assert.rejects(logIn(connection, session), { code: 'not_logged_in', message: /session has ended/ });
    await assert.rejects(logIn(connection, session), { code: 'busy' });
  });

  it('with what cannot be sent is refused before anything is', () => {
    for (const text of ['a|b', 'a\nb', 'x'.repeat(5000)]) {
      for (const identity of [
        { user: text, password: '' },
        { user: 'a', password: text },
        { user: 'a', key: text },
      ]) {
        assert.throws(() => logInCommands(identity), { code: 'bad_request' });
      }
    }
    assert.deepEqual(logInCommands(ANN), ['USER ann\n', 'PASS secret\n']);
  });
});

it('no two identities have one key: not name and password cut elsewhere, nor a password that is a session key', () => {
  const identities: Identity[] = [
    GUEST,
    { user: 'a', password: 'bc' },
    { user: 'ab', password: 'c' },
    { user: 'a', key: 'bc' },
    { user: 'A', password: 'bc' },
    { user: 'a', password: '' },
  ];
  assert.equal(new Set(identities.map(identityKey)).size, identities.length);
});

// Who has written an anonymous message, wherever it is brought.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serveRoom } from '../../../support/wire-users.ts';

describe('anonymous messages', () => {
  it('keep their author from a reader who copies them into a room of his own', async (t) => {
    const { admin, login } = await serveRoom(t, { users: { ann: 4, bob: 4 }, room: 'Box|0' });
    await admin.expect('SETR Box|||514|0', 200);
    const bob = await login('bob');
    await bob.expect('GOTO Box', 200);
    const [number] = await bob.send('ENT0 1||0|1|x||1', 'a secret');
    const ann = await login('ann');
    await ann.expect('CRE8 1|Own|4|||0|10', 200);
    await ann.expect('GOTO Box', 200);
    await ann.expect(`MOVE ${number}|Own|1`, 200);
    await ann.expect('GOTO Own', 200);
    for (const line of [`MSG0 ${number}`, `MSG2 ${number}`, `MSG4 ${number}`, 'MSGS ALL|||1']) {
      assert.doesNotMatch((await ann.text(line)).toLowerCase(), /bob/, line);
    }
    await admin.expect('GOTO Box', 200);
    assert.doesNotMatch(await admin.text(`MSG0 ${number}`), /bob/);
  });
});

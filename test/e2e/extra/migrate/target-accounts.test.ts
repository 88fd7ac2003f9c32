// Accounts that a copy makes: nothing is done to one that is somebody else's.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { User } from '../../../../src/extra/migrate/model.ts';
import { createAccount, finishAccount, setBio } from '../../../../src/extra/migrate/target-accounts.ts';
import { splitFields } from '../../../../src/protocol/fields.ts';
import { Connection } from '../../../../src/room-server/connection/connection.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const EVE: User = { num: 9, name: 'Eve', level: 6, flags: 0, password: 'new', bio: 'I like gardens.' };

async function start(t: TestContext, users: Record<string, number> = {}) {
  const { adminSocketPath, socketPath } = await startRoomServer(t, { users });
  const connection = await Connection.open({ path: adminSocketPath });
  t.after(() => connection.close());
  /** `name|password|flags|calls|posted|level|…` */
  const fields = async () => splitFields((await connection.ask('AGUP eve\n')).text);
  return { connection, socketPath, open: () => Connection.open({ path: socketPath }), fields };
}

describe('an account that a copy makes', () => {
  it('has its password, access level, flags and profile', async (t) => {
    const { connection, open, socketPath, fields } = await start(t);
    const user = { ...EVE, level: 5, flags: 16 };
    await createAccount(connection, user, '');
    await setBio(open, user);
    const eve = await WireClient.login(socketPath, 'eve', 'new');
    assert.deepEqual((await eve.expect('RBIO Eve', 100)).lines.at(-1), 'I like gardens.');
    eve.close();
    const [name, , flags, , , level] = await fields();
    assert.deepEqual([name, level], ['Eve', '5']);
    assert.equal(Number(flags) & 16, 16);
  });

  it('gets its access level when it was broken off before that', async (t) => {
    const { connection, open, fields } = await start(t);
    await createAccount(connection, { ...EVE, level: 4 }, '');
    await finishAccount(connection, open, EVE, '');
    assert.equal((await fields())[5], '6');
  });
});

describe('an account of somebody else', () => {
  it('that has been made meanwhile is not changed', async (t) => {
    const { connection, socketPath, fields } = await start(t, { eve: 2 });
    await assert.rejects(createAccount(connection, EVE, 'new'), { code: 'conflict' });
    assert.equal((await fields())[5], '2');
    (await WireClient.login(socketPath, 'eve', 'evepw')).close();
  });

  it('that has taken the name meanwhile does not become an administrator', async (t) => {
    const { connection, open, fields } = await start(t, { eve: 2 });
    await assert.rejects(finishAccount(connection, open, EVE, 'new'), { code: 'not_logged_in' });
    assert.equal((await fields())[5], '2');
  });

  it('gets no profile', async (t) => {
    const { connection, open } = await start(t, { eve: 2 });
    await assert.rejects(setBio(open, EVE), { code: 'not_logged_in' });
    assert.notEqual((await connection.ask('RBIO eve\n')).lines.at(-1), EVE.bio);
  });
});

// Messages that a copy has brought to a real room server bear the time at which they were written, wherever a gateway
// in front of it tells of them; where no copy has been, no header is read for that.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { OriginalTimes } from '../../../../src/gateway/message/original-times.ts';
import { readMailbox } from '../../../../src/room-server/citadel/messages.ts';
import { Pool } from '../../../../src/room-server/connection/pool.ts';
import { postedNumber, startGateway } from '../../../support/gateway.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { runCopy } from '../../../support/run-copy.ts';
import { WireClient } from '../../../support/wire-client.ts';

const WRITTEN = 1_000_000_000;

interface Row {
  msgnum: number;
  time: number;
  subject: string;
}

const asked = (real: RealServer, verb: string) =>
  real.sessions.flatMap(({ commands }) => commands).filter((command) => command.startsWith(verb)).length;

/** A real server to which a message of 2001 was copied, and a gateway in front of it. */
async function copied(t: TestContext) {
  const source = await startRoomServer(t);
  const wire = await WireClient.connect(source.adminSocketPath);
  await wire.expect('GOTO Lobby', 200);
  const head = `type=4\nmsgn=old@x\ntime=${WRITTEN}\nfrom=admin\nsubj=From long ago\ntext\n`;
  await wire.send('XFER message', `${head}Content-Type: text/plain\n\nold\n`);
  wire.close();
  const real = await startRealServer(t, { users: { alice: 4 } });
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-times-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const ends = ['--from', `embedded:${source.folder}`, '--to', `unix:${real.path}`, '--to-user', 'admin'];
  const { code, out, err } = await runCopy([...ends, '--passwords', join(folder, 'p')], {
    VESTIBULE_TO_PASSWORD: 'adminpw',
  });
  assert.equal(code, 0, out + err);
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  return { real, alice: gateway.as('alice', 'alicepw') };
}

describe('what a copy has brought', () => {
  it('has its own time in the mailbox, as JSON and in a PROPFIND, and its header is read once', async (t) => {
    const { real, alice } = await copied(t);
    const rows = async () => ((await (await alice('r/Lobby/mailbox')).json()) as { msgs: Row[] }).msgs;
    const first = await rows();
    const old = first.find(({ subject }) => subject === 'From long ago')!;
    assert.equal(old.time, WRITTEN);
    assert.ok(first.every(({ time, subject }) => time === WRITTEN || subject === 'Welcome'));
    const headersRead = asked(real, 'MSG2');
    assert.deepEqual(await rows(), first);
    assert.equal(asked(real, 'MSG2'), headersRead);
    const json = (await (await alice(`r/Lobby/${old.msgnum}/json`)).json()) as Row;
    assert.equal(json.time, WRITTEN);
    const written = new Date(WRITTEN * 1000);
    assert.equal((await alice(`r/Lobby/${old.msgnum}`)).headers.get('last-modified'), written.toUTCString());
    const listing = await (await alice('r/Lobby/', { method: 'PROPFIND', headers: { depth: '1' } })).text();
    assert.ok(listing.includes(written.toUTCString()), listing);
    assert.ok(listing.includes(`${written.toISOString().slice(0, 19)}Z`), listing);
  });

  it('is not looked for where no copy has been', async (t) => {
    const real = await startRealServer(t, { users: { alice: 4, dull: 2 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    for (const user of ['dull', 'alice', 'alice']) await gateway.as(user, `${user}pw`)('r/Lobby/mailbox');
    assert.equal(asked(real, 'MSG2'), 0);
    assert.ok(asked(real, 'CRE8 0') <= 2);
  });

  it('is looked for so many messages at a time, the newest first', async (t) => {
    const { real, alice } = await copied(t);
    const post = async () => postedNumber(await alice('r/Lobby/new', { method: 'PUT', body: 'x' }));
    const [second, third] = [await post(), await post()];
    const pool = new Pool({ target: { path: real.path }, clientName: 'test', clientVersion: '1' });
    t.after(() => pool.close());
    const identity = { user: 'alice', password: 'alicepw' };
    const room = { name: 'Lobby', password: '' };
    const rows = (await readMailbox(pool, identity, room)).rows;
    const first = rows.find(({ subject }) => subject === 'From long ago')!.msgnum;
    const row = (msgnum: number) => rows.find((one) => one.msgnum === msgnum)!;
    const times = new OriginalTimes(2);
    const before = asked(real, 'MSG2');
    await times.in(pool, identity, room, [row(second), row(third)]);
    assert.equal(asked(real, 'MSG2') - before, 2);
    const again = new OriginalTimes(2);
    const list = [row(first), row(second), row(third)];
    assert.notEqual((await again.in(pool, identity, room, list))[0]!.time, WRITTEN);
    assert.equal(asked(real, 'MSG2') - before, 4);
    assert.equal((await again.in(pool, identity, room, list))[0]!.time, WRITTEN);
    assert.equal(asked(real, 'MSG2') - before, 5);
  });
});

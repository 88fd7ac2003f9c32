// What a session is told that asked for it by NTFY 1: changes of rooms, between complete replies, to those who know
// them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function start(t: TestContext) {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const log = async (name: string) => {
    const client = await WireClient.login(socketPath, name, `${name}pw`);
    t.after(() => client.close());
    return client;
  };
  const admin = await log('admin');
  await admin.expect('CRE8 1|Box|0||0|0|0', 200);
  const [ann, bob] = [await log('ann'), await log('bob')];
  return { ann, bob, admin, socketPath };
}

async function post(client: WireClient, room: string, recipient = ''): Promise<string> {
  await client.expect(`GOTO ${room}`, 200);
  const [number] = await client.send(`ENT0 1|${recipient}||4|hello||1`, 'Content-type: text/plain\n\nx\n');
  return number!;
}

/** All lines that have come until the server answers. */
async function until(client: WireClient): Promise<string[]> {
  client.write('ECHO done\n');
  const lines: string[] = [];
  for (let line = await client.line(); line !== '200 done'; line = await client.line()) lines.push(line);
  return lines.map((line) => line.replace(/\|\d{9,}\|$/, '|TIME|'));
}

describe('NTFY', () => {
  it('tells rooms that have changed, with their highest number, as the user sees their names', async (t) => {
    const { ann, bob } = await start(t);
    assert.equal((await ann.ask('NTFY 1')).line, '200 1');
    const inBox = await post(bob, 'Box');
    assert.match(await ann.line(), new RegExp(`^903 Box\\|${inBox}\\|\\d{9,}\\|$`), 'without being asked');
    const mail = await post(bob, 'Mail', 'ann');
    assert.deepEqual(await until(ann), [`903 Mail|${mail}|TIME|`]);
  });

  it('tells nothing to who has not asked, asks no more, or has logged out', async (t) => {
    const { ann, bob } = await start(t);
    await post(bob, 'Box');
    assert.deepEqual(await until(ann), []);
    assert.equal((await ann.ask('NTFY 1')).line, '200 1');
    assert.equal((await ann.ask('NTFY 0')).line, '200 0');
    await post(bob, 'Box');
    assert.deepEqual(await until(ann), []);
    await ann.expect('NTFY 1', 200);
    await ann.expect('LOUT', 200);
    await post(bob, 'Box');
    assert.deepEqual(await until(ann), []);
    await ann.expect('NTFY 1', 520);
  });

  it('names no room that the user does not know', async (t) => {
    const { ann, bob, admin } = await start(t);
    await admin.expect('CRE8 1|Cellar|3||0|0|0', 200);
    await ann.expect('NTFY 1', 200);
    await post(admin, 'Cellar');
    await post(bob, 'Mail', 'bob');
    assert.deepEqual(await until(ann), []);
    await admin.expect('GOTO Cellar', 200);
    await admin.expect('INVT ann', 200);
    assert.deepEqual(await until(ann), ['904 The list of rooms has changed.']);
    const number = await post(admin, 'Cellar');
    assert.deepEqual(await until(ann), [`903 Cellar|${number}|TIME|`]);
    await admin.expect('KICK ann', 200);
    assert.deepEqual(await until(ann), ['904 The list of rooms has changed.']);
    await post(admin, 'Cellar');
    assert.deepEqual(await until(ann), []);
  });

  it('tells of deleted, moved and edited content, and of new, renamed and deleted rooms', async (t) => {
    const { ann, admin } = await start(t);
    await ann.expect('NTFY 1', 200);
    await admin.expect('CRE8 1|Attic|0||0|0|0', 200);
    assert.deepEqual(await until(ann), ['903 Attic|0|TIME|']);
    const [kept, moved] = [await post(admin, 'Box'), await post(admin, 'Box')];
    await until(ann);
    await admin.expect(`MOVE ${moved}|Attic|0`, 200);
    assert.deepEqual((await until(ann)).sort(), [`903 Attic|${moved}|TIME|`, `903 Box|${kept}|TIME|`]);
    await admin.expect(`DELE ${kept}`, 200);
    assert.deepEqual(await until(ann), ['903 Box|0|TIME|']);
    await admin.send('EINF 1', 'A banner.\n');
    await admin.expect('NOOP', 200);
    assert.deepEqual(await until(ann), ['903 Box|0|TIME|']);
    await admin.expect('SETR Crate|||0|0|0|64|0|0', 200);
    assert.deepEqual(await until(ann), ['903 Crate|0|TIME|', '904 The list of rooms has changed.']);
    await admin.expect('KILL 1', 200);
    assert.deepEqual(await until(ann), ['904 The list of rooms has changed.']);
  });

  it('comes behind a message that is being sent, and a room that changed often is told once', async (t) => {
    const { ann, bob } = await start(t);
    await ann.expect('NTFY 1', 200);
    await ann.expect('GOTO Mail', 200);
    await until(ann);
    await ann.expect('ENT0 1|bob||4|hello||1', 800);
    await post(bob, 'Box');
    const last = await post(bob, 'Box');
    ann.write('Content-type: text/plain\n\nx\n000\n');
    assert.match((await ann.listing())[0]!, /^\d+$/);
    assert.deepEqual(
      (await until(ann)).filter((line) => line.includes('Box')),
      [`903 Box|${last}|TIME|`],
    );
  });
});

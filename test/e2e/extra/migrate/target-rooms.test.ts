// Rooms, members and read marks that a copy makes at an ordinary room server.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { usersOf } from '../../../../src/extra/migrate/source.ts';
import { admit, createTargetRoom, hasRoom, setVisit } from '../../../../src/extra/migrate/target.ts';
import { openSite } from '../../../../src/extra/migrate/target-site.ts';
import { ROOM_FLAG, VIEW } from '../../../../src/model.ts';
import { SequenceSet } from '../../../../src/protocol/sequence-set.ts';
import { copiedRoom, sessionsAt } from '../../../support/copy-ends.ts';
import { type RealServerOptions, startRealServer } from '../../../support/real-server.ts';
import { storedContent } from '../../../support/stored-content.ts';
import { WireClient } from '../../../support/wire-client.ts';

const INVITED = ROOM_FLAG.permanent | ROOM_FLAG.inUse | ROOM_FLAG.private;

async function start(t: TestContext, options: RealServerOptions = {}) {
  const real = await startRealServer(t, { users: { ann: 4, bob: 4 }, ...options });
  const sessions = await sessionsAt(t, real.path, ['ann']);
  const site = openSite(sessions);
  site.users = await usersOf(sessions.admin);
  const commands = (verb: string) =>
    real.sessions.flatMap((session) => session.commands).filter((line) => line.startsWith(verb));
  return { real, sessions, site, commands, stored: () => storedContent(real.behind.folder) };
}

const visit = (user: string, more = {}) => ({
  user,
  state: 'known',
  lastRead: 0,
  view: '',
  seen: undefined as SequenceSet | undefined,
  ...more,
});

describe('a room that a copy makes at an ordinary server', () => {
  it('has all its settings at once under its own name', async (t) => {
    const { site, stored } = await start(t);
    const room = copiedRoom('Attic', { flags: INVITED, view: VIEW.wiki, order: 7, admin: 'ann' });
    assert.equal(await hasRoom(site, room), false);
    assert.equal(await createTargetRoom(site, room), '');
    assert.equal(await hasRoom(site, room), true);
    assert.match(stored().rooms.find((row) => row.startsWith('Attic|'))!, /^Attic\|7\|0\|Main Floor\|7\|6\|.*\|ann\|/);
    await site.clear();
    assert.ok(!stored().rooms.some((row) => row.startsWith('Vestibule copy')));
  });

  it('of a user is made by himself', async (t) => {
    const { site, stored } = await start(t);
    const { num } = site.users.find(({ name }) => name === 'ann')!;
    const diary = copiedRoom(`${String(num).padStart(10, '0')}.Diary`, { view: VIEW.notes });
    assert.equal(await hasRoom(site, diary), false);
    assert.equal(await createTargetRoom(site, diary), '');
    assert.ok(stored().rooms.some((row) => row.startsWith('ann/Diary|')));
  });

  it('whose password is cut by the server is told with what is kept', async (t) => {
    const { site } = await start(t, {
      rewrite: ({ command, reply }) =>
        command === 'GETR' ? reply.replace(/^(200 [^|]*)\|[^|]*/, '$1|open sesa') : reply,
    });
    const flags = INVITED | ROOM_FLAG.password;
    assert.equal(
      await createTargetRoom(site, copiedRoom('Vault', { flags, password: 'open sesame' })),
      'Vault: the password was truncated to 9 characters.',
    );
  });

  it('that is refused leaves none of its name', async (t) => {
    const { site, stored } = await start(t, {
      answer: (command) => (command.startsWith('SETR Attic|') ? '550 no\n' : undefined),
    });
    await assert.rejects(createTargetRoom(site, copiedRoom('Attic')), { code: 'forbidden' });
    assert.ok(!stored().rooms.some((row) => row.startsWith('Attic')));
  });
});

describe('members of a room', () => {
  it('are invited where nothing else lets them in', async (t) => {
    const { site, commands, stored } = await start(t);
    const room = copiedRoom('Attic', { flags: INVITED });
    await createTargetRoom(site, room);
    await admit(site, room, [visit('ann'), visit('bob', { state: 'none' }), visit('admin'), visit('nobody')]);
    assert.deepEqual(commands('INVT'), ['INVT ann', 'INVT nobody']);
    assert.ok(stored().visits.some((row) => row.startsWith('ann in Attic: known')));
  });

  it('are not invited where they come in by the password, or the room is public', async (t) => {
    const { site, commands } = await start(t);
    const vault = copiedRoom('Vault', { flags: INVITED | ROOM_FLAG.password, password: 'sesame' });
    await createTargetRoom(site, vault);
    await admit(site, vault, [visit('ann'), visit('bob')]);
    await admit(site, copiedRoom('Lobby'), [visit('bob')]);
    const { num } = site.users.find(({ name }) => name === 'ann')!;
    await admit(site, copiedRoom(`${String(num).padStart(10, '0')}.Notes`, { flags: INVITED }), [visit('bob')]);
    assert.deepEqual(commands('INVT'), ['INVT bob'], 'of bob no password is known');
  });
});

describe('read marks', () => {
  it('are set as far as the user has read, with what he has left out, and his view', async (t) => {
    const { real, site, stored } = await start(t);
    const room = copiedRoom('Box');
    await createTargetRoom(site, room);
    const wire = await WireClient.login(real.path, 'admin', 'adminpw');
    t.after(() => wire.close());
    await wire.expect('GOTO Box', 200);
    const all: number[] = [];
    for (const subject of ['a', 'b', 'c']) {
      all.push(Number((await wire.send(`ENT0 1|||4|${subject}||1`, 'Content-Type: text/plain\n\nx\n'))[0]));
    }
    const seen = SequenceSet.parse(`1:${all[0]},${all[2]}`);
    assert.equal(await setVisit(site, visit('ann', { seen, lastRead: all[0], view: '3' }), room, all), '');
    const row = stored().visits.find((one) => one.startsWith('ann in Box'))!;
    assert.match(row, /: known\|3\|/);
    assert.equal(row.split('|').at(-1)!.split(' ').length, 2);
  });

  it('of a user whose password is not known are told, and where nobody knows them nothing is done', async (t) => {
    const { site } = await start(t);
    const lobby = copiedRoom('Lobby');
    assert.equal(
      await setVisit(site, visit('bob', { seen: SequenceSet.upTo(1) }), lobby, [1]),
      'the read marks of bob, whose password is unknown',
    );
    assert.equal(await setVisit(site, visit('bob'), lobby, [1]), '');
  });

  it('of who has forgotten the room are forgotten', async (t) => {
    const { site, stored } = await start(t);
    const room = copiedRoom('Box');
    await createTargetRoom(site, room);
    assert.equal(await setVisit(site, visit('ann', { state: 'forgotten' }), room, []), '');
    assert.ok(stored().visits.some((row) => row.startsWith('ann in Box: forgotten')));
  });
});

// What a copy makes at an ordinary room server for itself alone, and what it knows of the server.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../../src/errors.ts';
import { usersOf } from '../../../../src/extra/migrate/source.ts';
import {
  connectionOf,
  ifRefused,
  isMailbox,
  numbersIn,
  openSite,
  STAGING,
  shortName,
  UNFINISHED,
} from '../../../../src/extra/migrate/target-site.ts';
import { VIEW } from '../../../../src/model.ts';
import { copiedRoom, sessionsAt } from '../../../support/copy-ends.ts';
import { startRealServer } from '../../../support/real-server.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { names } from '../../../support/wire-users.ts';

async function start(t: TestContext) {
  const real = await startRealServer(t, { users: { ann: 4, bob: 4 } });
  const sessions = await sessionsAt(t, real.path, ['ann']);
  const site = openSite(sessions);
  site.users = await usersOf(sessions.admin);
  const mailOf = (name: string) => {
    const { num } = site.users.find((user) => user.name === name)!;
    return copiedRoom(`${String(num).padStart(10, '0')}.Mail`, { view: VIEW.mailbox });
  };
  return { real, sessions, site, mailOf };
}

describe('the rooms of a copy alone', () => {
  it('are there when they are needed, and none when it ends', async (t) => {
    const { real, site, sessions } = await start(t);
    const admin = await WireClient.login(real.path, 'admin', 'adminpw');
    t.after(() => admin.close());
    const own = async () => (await names(admin, 'LKRA -1')).filter((name) => name.startsWith('Vestibule copy'));
    await site.enterOwn(UNFINISHED, VIEW.wiki);
    await site.enterStaging((await sessions.as('ann'))!);
    assert.deepEqual((await own()).sort(), [UNFINISHED, STAGING].sort());
    await site.clear();
    assert.deepEqual(await own(), []);
    await site.clear();
  });

  it('begin anew where a copy was broken off', async (t) => {
    const { site, sessions } = await start(t);
    await site.enterOwn(STAGING, VIEW.board);
    await sessions.admin.start('ENT0 1|||4|left behind||1\n');
    await sessions.admin.sendText([Buffer.from('Content-Type: text/plain\n\ntext\n')]);
    assert.equal((await numbersIn(sessions.admin)).length, 1);
    const again = openSite(sessions);
    await again.enterOwn(STAGING, VIEW.board);
    assert.deepEqual(await numbersIn(sessions.admin), []);
    await again.clear();
  });

  it('are entered by those only who post there, with its password', async (t) => {
    const { real, site, sessions } = await start(t);
    await site.enterStaging((await sessions.as('ann'))!);
    const bob = await WireClient.login(real.path, 'bob', 'bobpw');
    t.after(() => bob.close());
    assert.notEqual((await bob.ask(`GOTO ${STAGING}`)).code, 200);
    await site.clear();
  });

  it('are made once more where one was given away', async (t) => {
    const { real, site } = await start(t);
    await site.enterOwn(UNFINISHED, VIEW.board);
    await site.done('SETR Attic|||6|0\n');
    site.giveAway(UNFINISHED);
    await site.enterOwn(UNFINISHED, VIEW.board);
    const made = real.sessions
      .flatMap(({ commands }) => commands)
      .filter((line) => line.startsWith('CRE8 1|Vestibule'));
    assert.equal(made.length, 2);
    await site.clear();
  });
});

describe('a personal room', () => {
  it('is its owner’s, who alone may do everything there', async (t) => {
    const { site, sessions, mailOf } = await start(t);
    const ann = await sessions.as('ann');
    assert.equal(site.ownerOf(mailOf('ann'))?.name, 'ann');
    assert.equal(await site.masterOf(mailOf('ann')), ann);
    assert.equal(await site.inRoom(mailOf('ann')), ann);
    assert.equal(await site.masterOf(copiedRoom('Lobby')), sessions.admin);
    assert.equal(site.ownerOf(copiedRoom('0000009999.Mail')), undefined);
  });

  it('of a user whose password is not known is out of reach, and says so', async (t) => {
    const { site, mailOf } = await start(t);
    await assert.rejects(site.masterOf(mailOf('bob')), {
      code: 'forbidden',
      message: 'The password of bob is unknown.',
    });
    assert.equal(await connectionOf(site, 'bob'), undefined);
    assert.equal(await connectionOf(site, 'ADMIN'), site.admin);
  });
});

it('what is not granted is no reason to stop; a lost connection is', () => {
  assert.equal(ifRefused(new AppError('forbidden', 'x', { backendCode: 550 })), false);
  const lost = new AppError('backend_lost', 'x');
  assert.throws(() => ifRefused(lost), lost);
  const fault = new TypeError('x');
  assert.throws(() => ifRefused(fault), fault);
});

it('a mailbox is told by its view or its name; drafts are none', () => {
  assert.equal(shortName(copiedRoom('0000000002.My.Mail')), 'My.Mail');
  for (const [name, view, expected] of [
    ['0000000002.Mail', VIEW.board, true],
    ['0000000002.Sent Items', VIEW.mailbox, true],
    ['0000000002.Drafts', VIEW.mailbox, false],
    ['0000000002.Notes', VIEW.notes, false],
  ] as const) {
    assert.equal(isMailbox(copiedRoom(name, { view })), expected, name);
  }
});

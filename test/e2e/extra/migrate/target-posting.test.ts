// How a message gets into a room of an ordinary room server, and as whose.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import type { Room } from '../../../../src/extra/migrate/model.ts';
import { usersOf } from '../../../../src/extra/migrate/source.ts';
import { openPoster, openReferences } from '../../../../src/extra/migrate/target.ts';
import { openSite } from '../../../../src/extra/migrate/target-site.ts';
import { VIEW } from '../../../../src/model.ts';
import { copiedRoom, sessionsAt } from '../../../support/copy-ends.ts';
import { type RealServerOptions, startRealServer } from '../../../support/real-server.ts';
import { storedContent } from '../../../support/stored-content.ts';

const LOBBY = copiedRoom('Lobby');
const TEXT = 'Content-Type: text/plain\n\ntext\n';

async function start(t: TestContext, options: RealServerOptions = {}) {
  const real = await startRealServer(t, { users: { ann: 4, bob: 4 }, ...options });
  const sessions = await sessionsAt(t, real.path, ['ann']);
  const site = openSite(sessions);
  site.users = await usersOf(sessions.admin);
  const poster = openPoster(site, openReferences(), tmpdir(), undefined);
  const put = (fields: Record<string, string>, room: Room = LOBBY, text = TEXT) =>
    poster.put(room, new Map(Object.entries({ type: '4', ...fields })), Readable.from([Buffer.from(text)]));
  const of = (user: string, name: string, view: number) => {
    const { num } = site.users.find((one) => one.name === user)!;
    return copiedRoom(`${String(num).padStart(10, '0')}.${name}`, { view });
  };
  /** `room: author, address` of the message with this subject */
  const stored = (subject: string) => {
    const row = storedContent(real.behind.folder)
      .messages.find((one) => one.includes(`|${subject}|`))
      ?.split('|');
    return row && `${row[0]!.replace(/: .*/, '')}: ${row[3]}, ${row[5]!.replace(/@.*/, '')}`;
  };
  return { site, put, of, stored, content: () => storedContent(real.behind.folder) };
}

describe('a message for a room of an ordinary server', () => {
  it('is posted by its author where the copy knows his password', async (t) => {
    const { put, stored } = await start(t);
    assert.deepEqual((await put({ from: 'ann', subj: 'one' })).lost, []);
    assert.equal(stored('one'), 'Lobby: ann, ann');
  });

  it('is posted for anybody else by the administrator under his name, and the address is lost', async (t) => {
    const { put, stored } = await start(t);
    assert.deepEqual((await put({ from: 'bob', subj: 'one' })).lost, ['the address of bob']);
    assert.deepEqual((await put({ from: 'Zoe|from\nafar', subj: 'two' })).lost, ['the address of Zoe from afar']);
    assert.deepEqual((await put({ subj: 'three' })).lost, ['the address of an unnamed author']);
    assert.deepEqual((await put({ from: 'Admin', subj: 'four' })).lost, []);
    assert.deepEqual([stored('one'), stored('four')], ['Lobby: bob, admin', 'Lobby: admin, admin']);
  });

  it('keeps the author of an anonymous message to itself', async (t) => {
    const { put, stored, content } = await start(t);
    const fields = { from: 'bob', rfca: 'bob@vm', path: 'bob', subj: 'mask', anon: 'only' };
    assert.deepEqual((await put(fields)).lost, ['the address of ****']);
    assert.equal(stored('mask'), 'Lobby: ****, admin');
    assert.doesNotMatch(content().messages.find((one) => one.includes('|mask|'))!, /bob/);
  });

  it('names the copy of what it answers to', async (t) => {
    const { put, content } = await start(t);
    await put({ from: 'ann', subj: 'thread', msgn: 'old@there' });
    await put({ from: 'ann', subj: 'reply', msgn: 'reply@there', wefw: 'old@there|other@there' });
    const rows = content().messages.map((row) => row.split('|'));
    const id = rows.find((row) => row.includes('thread'))![0]!.replace('Lobby: ', '');
    assert.equal(
      rows
        .find((row) => row.includes('reply'))!
        .slice(11, 13)
        .join('|'),
      `${id}|other@there`,
    );
  });

  it('is not sent where the server would cut it, drop half of it, or end it early', async (t) => {
    const { put, content } = await start(t);
    const before = content().messages;
    await assert.rejects(put({}, LOBBY, `${TEXT}000\nQUIT\n`), { message: 'It contains a line 000.' });
    await assert.rejects(put({}, LOBBY, `${TEXT}a\0b\n`), { message: /^It contains a NUL byte/ });
    assert.deepEqual(content().messages, before);
  });

  it('may have as many bytes as the server takes, its marks counted, and not one more', async (t) => {
    const { put } = await start(t, { maxMessageBytes: 500 });
    const message = await put({ subj: 'x' }, LOBBY, `${TEXT}${'x'.repeat(600)}\n`).then(
      () => '',
      (error: Error) => error.message,
    );
    const [, bytes] = /^Its (\d+) bytes exceed the limit of the room server, 500 \(c_maxmsglen\)\.$/.exec(message)!;
    const over = Number(bytes) - 500;
    await put({ subj: 'x' }, LOBBY, `${TEXT}${'x'.repeat(600 - over)}\n`);
    await assert.rejects(put({ subj: 'x' }, LOBBY, `${TEXT}${'x'.repeat(601 - over)}\n`), {
      message: /Its 501 bytes/,
    });
  });
});

describe('a message for a room of somebody', () => {
  it('is posted by himself where it is his own', async (t) => {
    const { put, of, stored } = await start(t);
    await put(
      { from: 'bob', subj: 'card' },
      of('ann', 'Contacts', VIEW.addressBook),
      'Content-Type: text/vcard\n\nBEGIN:VCARD\nUID:u\nFN:card\nEND:VCARD\n',
    );
    assert.equal(stored('card'), 'ann/Contacts: ann, ann');
  });

  it('comes into a mailbox by way of another room, and is in the mailbox alone', async (t) => {
    const { put, of, stored, content } = await start(t);
    await put({ from: 'bob', subj: 'mail' }, of('ann', 'Mail', VIEW.mailbox));
    assert.equal(stored('mail'), 'ann/Mail: bob, admin');
    assert.equal(content().messages.filter((row) => row.includes('|mail|')).length, 1);
  });

  it('whose password is not known is refused', async (t) => {
    const { put, of } = await start(t);
    await assert.rejects(put({ from: 'ann' }, of('bob', 'Mail', VIEW.mailbox)), {
      message: 'The password of bob is unknown.',
    });
  });
});

// Mail that is copied to a real room server on this machine goes through its socket for LMTP and keeps what a post
// loses; where that cannot be, it is posted.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { type LmtpServer, startLmtpServer } from '../../support/lmtp-server.ts';
import { type RealServer, startRealServer } from '../../support/real-server.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { runCopy } from '../../support/run-copy.ts';
import { storedContent } from '../../support/stored-content.ts';
import { WireClient } from '../../support/wire-client.ts';

const ENV = { VESTIBULE_FROM_PASSWORD: 'adminpw', VESTIBULE_TO_PASSWORD: 'adminpw' };
const folder = await mkdtemp(join(tmpdir(), 'vestibule-mail-'));
after(() => rm(folder, { recursive: true, force: true }));
const source = await startRoomServer({ after }, { demo: true });
await furnish();
const isMail = (row: string) => /^(alice|bob)\/(Mail|Sent Items)/.test(row);
const mail = storedContent(source.folder).messages.filter(isMail);
/** in a room of nobody, where a message has no UID */
const isShared = (row: string) => /^Town Square:/.test(row);
const shared = storedContent(source.folder).messages.filter(isShared);

/** Mail from elsewhere, with dots and an odd author; and one that mail cannot carry, for its line is too long. */
async function furnish(): Promise<void> {
  const wire = await WireClient.connect(source.adminSocketPath);
  const { lines } = await wire.expect('LIST', 100);
  const alice = lines.find((row) => row.startsWith('alice|'))!.split('|')[2]!;
  await wire.expect(`GOTO ${alice.padStart(10, '0')}.Mail`, 200);
  const head = (id: string, more: string) =>
    `type=4\nmsgn=${id}\ntime=1000000000\nfrom="Q" Smith\nrfca=q@else.where\nrcpt=alice\n${more}text\n`;
  await wire.send(
    'XFER message',
    `${head('odd@else', 'wefw=a@x|b@x\nsubj=Größe\n')}Content-Type: text/plain\n\n.\n..two\nend`,
  );
  await wire.send('XFER message', `${head('long@else', '')}Content-Type: text/plain\n\n${'x'.repeat(999)}\n`);
  await wire.send('XFER message', `${head('fits@else', '')}Content-Type: text/plain\n\n${'x'.repeat(998)}\n`);
  wire.close();
}

interface Copied {
  real: RealServer;
  lmtp: LmtpServer;
  out: string;
  again(): Promise<string>;
}

async function copyWith(t: TestContext, name: string, answer: Record<string, string> = {}): Promise<Copied> {
  const real = await startRealServer(t);
  const lmtp = await startLmtpServer(t, real, answer);
  const words = ['--from', `embedded:${source.folder}`, '--to', `unix:${real.path}`, '--to-user', 'admin'];
  const again = async () => {
    const { code, out, err } = await runCopy([...words, '--passwords', join(folder, name)], ENV);
    assert.equal(code, 0, err + out);
    return out;
  };
  return { real, lmtp, out: await again(), again };
}

/** id, time, author, address, recipients, references */
const facts = (rows: readonly string[]) =>
  rows
    .map((row) => row.split('|'))
    .map((field) => [field[0], field[1], field[3], field[5], field[8], field[11]].join('|'))
    .sort();

describe('mail that is copied to a real room server on this machine', () => {
  it('keeps id, date, author, address, recipients and references, and is brought once', async (t) => {
    const { real, lmtp, out, again } = await copyWith(t, 'kept');
    assert.match(out, /\n(\d+)\t\1\t0\t0\tMail of alice\n/);
    // the long one was posted, by the administrator
    const isShort = (row: string) => !row.includes('long@else') && !row.endsWith('|admin@vm||');
    const there = storedContent(real.behind.folder).messages.filter(isMail);
    assert.deepEqual(facts(there).filter(isShort), facts(mail).filter(isShort));
    assert.equal(there.length, mail.length);
    const { length } = lmtp.delivered;
    assert.ok(length >= mail.length - 1 + shared.length, `${length} were delivered`);
    assert.ok(lmtp.data.some((data) => data.includes('\r\n..\r\n...two\r\nend\r\n')));
    assert.match(await again(), /\n(\d+)\t0\t\1\t0\tin all\n/);
    assert.equal(lmtp.delivered.length, length);
  });

  it('keeps as much where it is of a room of nobody, and leaves nothing with the administrator', async (t) => {
    const { real } = await copyWith(t, 'shared');
    const { messages } = storedContent(real.behind.folder);
    assert.deepEqual(facts(messages.filter(isShared)), facts(shared));
    assert.deepEqual(
      messages.filter((row) => row.startsWith('admin/Mail')),
      [],
    );
  });

  it('comes back as it was', async (t) => {
    const { real } = await copyWith(t, 'there');
    const back = await startRoomServer(t);
    const words = ['--from', `unix:${real.path}`, '--from-user', 'admin', '--to', `embedded:${back.folder}`];
    const { code, out, err } = await runCopy([...words, '--passwords', join(folder, 'back')], ENV);
    assert.equal(code, 0, err + out);
    assert.deepEqual(storedContent(back.folder).messages.filter(isMail).sort(), [...mail].sort());
  });

  for (const [what, answer] of [
    ['refuses the recipient', { RCPT: '550 no' }],
    ['refuses everything', { LHLO: '500 what' }],
    ['breaks off', { DATA: '' }],
  ] as const) {
    it(`is posted where the server ${what}`, async (t) => {
      const { real, lmtp } = await copyWith(t, what, answer);
      assert.deepEqual(lmtp.delivered, []);
      assert.equal(storedContent(real.behind.folder).messages.filter(isMail).length, mail.length);
    });
  }

  it('is not posted where nobody knows whether it was delivered: the copy stops', async (t) => {
    await assert.rejects(copyWith(t, 'lost', { '.': '' }), { code: 'backend_lost' });
  });
});

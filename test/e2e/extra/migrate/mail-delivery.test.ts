// Mail that is copied to a real room server on this machine goes through its socket for LMTP and keeps what a post
// loses; where that cannot be, it is posted. What it holds is the same byte by byte, or the report says what is not.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../../src/backend/store/messages.ts';
import { decodedPieces, decoderFor } from '../../../../src/mime/coding/transfer.ts';
import { contentParts } from '../../../../src/mime/part.ts';
import { walk } from '../../../../src/mime/walk.ts';
import { type LmtpServer, startLmtpServer } from '../../../support/lmtp-server.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { runCopy } from '../../../support/run-copy.ts';
import { storedContent } from '../../../support/stored-content.ts';
import { WireClient } from '../../../support/wire-client.ts';

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

/** Mail from elsewhere, with dots and an odd author; with long lines, header fields of its own, CR LF. */
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
  const fields = 'Reply-To: boss@else.where\nEnvelope-To: alice@else.where\nContent-Type: text/plain\n';
  await wire.send('XFER message', `${head('fields@else', '')}${fields}\n\nBehind an empty line\r\n\r\n`);
  wire.close();
}

/** By id, what the parts of each message hold, for those that a row of storedContent is wanted of. */
function contents(folder: string): Map<string, string[]> {
  const db = new DatabaseSync(join(folder, 'vestibule.db'), { readOnly: true, timeout: 5000 });
  const select = db.prepare('SELECT data FROM chunk WHERE blob = ? ORDER BY seq');
  const found = new Map<string, string[]>();
  for (const { msgid, format, blob } of db.prepare('SELECT msgid, format, blob FROM message').all()) {
    const bytes = Buffer.concat(select.all(blob!).map(({ data }) => data as Uint8Array));
    const leaves = format === 4 ? [...contentParts(walk(bytes))] : [];
    const held = leaves.map(({ start, end, encoding }) =>
      Buffer.concat([...decodedPieces([bytes.subarray(start, end)], decoderFor(encoding))]).toString('latin1'),
    );
    found.set(String(msgid), format === 4 ? held : [bytes.toString('latin1')]);
  }
  db.close();
  return found;
}

const idOf = (row: string) => row.split('|')[0]!.replace(/^.*?: /, '');
const wanted = [...mail, ...shared].map(idOf);

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
    assert.match(await again(), /\n(\d+)\t0\t\1\t0\ttotal\n/);
    assert.equal(lmtp.delivered.length, length);
  });

  it('holds what it held, byte by byte, and what could not be kept is said', async (t) => {
    const { real, out } = await copyWith(t, 'bytes');
    const [before, there] = [contents(source.folder), contents(real.behind.folder)];
    const isSigned = (id: string) => before.get(id)!.some((text) => text.startsWith('Date: '));
    for (const id of wanted.filter((one) => !isSigned(one))) assert.deepEqual(there.get(id), before.get(id), id);
    assert.match(out, /header fields inside the text: envelope-to/i);
    assert.match(out, /form of the multipart: its parts are base64 now, after an empty line\n/);
    assert.match(out, /embedded messages: they are CR LF/);
    assert.match(out, /3 times: lost: the exact text of the contact/);
    assert.match(out, /the old text format/);
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
    // but for the encoding
    const withoutHash = (row: string) => row.replace(/\|[^|]*$/, '');
    const brought = storedContent(back.folder).messages.filter(isMail).map(withoutHash).sort();
    assert.deepEqual(brought, mail.map(withoutHash).sort());
    const [before, now] = [contents(source.folder), contents(back.folder)];
    for (const id of mail.map(idOf)) assert.deepEqual(now.get(id), before.get(id), id);
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

it('What comes from a real server holds every CR that it has there, and its Reply-To', async (t) => {
  const fields: Record<string, string> = { rep2: 'boss@else.where', list: '<l.else.where>' };
  const more = Object.entries(fields).map(([name, value]) => `\n${name}=${value}`);
  const real = await startRealServer(t, {
    rewrite: ({ command, reply }) =>
      /^MSG0 [1-9]/.test(command) ? reply.replace(/\nsubj=Mail$/m, `$&${more.join('')}`) : reply,
  });
  const { store } = real.behind;
  const { id } = store.prepare(`SELECT id FROM room WHERE name = 'Lobby'`).get() as { id: number };
  const text = 'Content-Type: text/plain\n\n\r\none\r\ntwo\r\n';
  store.transaction(() =>
    saveMessage(store, {
      ...{ format: 4, author: 'Ann', path: 'ann', address: 'ann@else', room: 'Lobby', recipients: '', euid: '' },
      ...{ subject: 'Mail', msgid: 'crlf@else', body: finishedBody(store, 4, Buffer.from(text)), rooms: [id] },
    }),
  );
  const target = await startRoomServer(t);
  const words = ['--from', `unix:${real.path}`, '--from-user', 'admin', '--to', `embedded:${target.folder}`];
  const { code, out, err } = await runCopy([...words, '--passwords', join(folder, 'crlf')], ENV);
  assert.equal(code, 0, err + out);
  assert.deepEqual(contents(target.folder).get('crlf@else'), ['\r\none\r\ntwo\r\n']);
  const reader = await WireClient.connect(target.adminSocketPath);
  await reader.expect('GOTO Lobby', 200);
  const number = (await reader.expect('MSGS ALL', 100)).lines.at(-1)!;
  const { lines } = await reader.expect(`MSG2 ${number}`, 100);
  reader.close();
  assert.ok(
    lines.some((line) => line.trim() === 'Reply-To: boss@else.where'),
    lines.join('\n'),
  );
  assert.ok(
    lines.some((line) => line.trim() === 'List-ID: <l.else.where>'),
    lines.join('\n'),
  );
});

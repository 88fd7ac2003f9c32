// The message verbs over a real socket: framing, large bodies, connections that die. What the verbs say is in the other
// files of this folder.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { BACKEND_INLINE_BYTES } from '../../../../src/limits/backend.ts';
import { startRoomServer, type TestRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function open(t: TestContext): Promise<{ server: TestRoomServer; ann: WireClient }> {
  const server = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(server.socketPath, 'ann', 'annpw');
  t.after(() => ann.close());
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  return { server, ann };
}

function rows(server: TestRoomServer): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const table of ['message', 'room_message', 'blob', 'chunk', 'message_text']) {
    counts[table] = Number(server.store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
  }
  return counts;
}

describe('messages over the line protocol', () => {
  it('take no body for commands that comes at once, not even where it is refused', async (t) => {
    const { server, ann } = await open(t);
    const body = 'Content-type: text/plain\n\nQUIT\nLOUT\n000\n';
    ann.write(`ENT0 1|||4|x||1|||||||1\n${body}NOOP\n`);
    assert.deepEqual((await ann.reply()).lines.slice(1), ['Message accepted.', '']);
    await ann.expect('NOOP', 200);
    assert.equal((await ann.reply()).code, 200);
    const guest = await WireClient.connect(server.socketPath);
    t.after(() => guest.close());
    guest.write(`ENT0 1|||4|x||1|||||||1\n${body}NOOP\n`);
    assert.deepEqual([(await guest.reply()).code, (await guest.reply()).code], [520, 200]);
    assert.equal((await guest.ask('TIME')).code, 200);
  });

  it('come back to the byte, 5 MiB and with every byte value', async (t) => {
    const { server, ann } = await open(t);
    const before = rows(server);
    const content = randomBytes(5 * 1024 * 1024);
    const base64 = content.toString('base64').replace(/.{76}/g, '$&\n');
    const [number] = await ann.send(
      'ENT0 1|||4|large||1',
      `Content-type: x/y\nContent-transfer-encoding: base64\n\n${base64}`,
    );
    const reply = await ann.ask(`DLAT ${number}|1`);
    assert.equal(reply.line, `600 ${content.length}|-1||x/y|`);
    assert.equal(
      createHash('sha256').update(reply.bytes).digest('hex'),
      createHash('sha256').update(content).digest('hex'),
    );
    const { lines } = await ann.ask(`MSG2 ${number}|2`);
    assert.equal(lines.slice(2).join('').replaceAll('\r', ''), base64.replaceAll('\n', ''));
    await ann.expect(`MOVE ${number}|_TRASH_|1`, 200);
    await ann.expect('GOTO _TRASH_', 200);
    await ann.expect(`DELE ${number}`, 200);
    const admin = await WireClient.login(server.socketPath, 'admin', 'adminpw');
    await admin.expect('GOTO Box', 200);
    await admin.expect(`DELE ${number}`, 200);
    admin.close();
    await server.server.housekeeper.done();
    assert.deepEqual(rows(server), before);
    assert.deepEqual(server.faults, []);
  });

  it('keep NUL and other control characters, and drop one CR before LF', async (t) => {
    const { ann } = await open(t);
    const [number] = await ann.send('ENT0 1|||4|x||1', 'Content-type: text/plain\r\n\r\na\0b\x01\r\r\n\xff');
    const { bytes } = await ann.ask(`DLAT ${number}|1`);
    assert.equal(bytes.toString('utf8'), 'a\0b\x01\r\n\xff\n');
  });

  it('leave nothing behind when the connection dies inside the body', async (t) => {
    const { server, ann } = await open(t);
    const before = rows(server);
    for (const length of [1000, 4 * BACKEND_INLINE_BYTES]) {
      const dying = await WireClient.login(server.socketPath, 'ann', 'annpw');
      await dying.expect('GOTO Box', 200);
      await dying.expect('ENT0 1|||4|x||1', 800);
      dying.write('y'.repeat(length));
      dying.socket.end();
      await dying.rest();
      while (server.server.sessions.size > 1) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(rows(server), before, String(length));
    }
    assert.equal(await ann.text('MSGS ALL'), '100  ');
  });

  it('can be posted and read in one write', async (t) => {
    const { ann } = await open(t);
    ann.write('ENT0 1|||1|one||1\nfirst\n000\nENT0 1|||1|two||0\nsecond\n000\nMSGS ALL\nNOOP\n');
    assert.equal((await ann.reply()).line, '800 send message');
    const [number, text, euid] = await ann.listing();
    assert.deepEqual([text, euid], ['Message accepted.', '']);
    assert.equal((await ann.reply()).line, '400 send message');
    assert.deepEqual((await ann.reply()).lines, [number, String(Number(number) + 1)]);
    assert.equal((await ann.reply()).line, '200 ok');
    ann.write(`MSG0 ${number}|2\nMSG0 ${number}|2\nDLAT ${number}|1\nMSG2 ${number}|2\n`);
    for (let i = 0; i < 2; i++) assert.deepEqual((await ann.reply()).lines, ['text', 'first']);
    assert.equal((await ann.reply()).line, '512 This is not a MIME message.');
    assert.deepEqual((await ann.reply()).lines, ['first\r']);
  });

  it('count as new mail for those who are here', async (t) => {
    const { server, ann } = await open(t);
    const admin = await WireClient.login(server.socketPath, 'admin', 'adminpw');
    t.after(() => admin.close());
    await ann.expect('GOTO _MAIL_', 200);
    await ann.send('ENT0 1|admin||1|hi||1', 'x');
    assert.equal(await admin.text('BIFF'), '200 1');
    assert.equal(await admin.text('BIFF'), '200 0');
    assert.match(await admin.text('GOTO Mail'), /^200 Mail\|1\|1\|/);
  });
});

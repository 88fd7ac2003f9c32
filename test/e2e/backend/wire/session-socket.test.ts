import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { VERBS } from '../../../../src/backend/verbs/table.ts';
import { BACKEND_INLINE_BYTES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('a session', () => {
  it('ends with QUIT and ignores what follows', async (t) => {
    const { socketPath, server } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    client.write('ECHO one\nQUIT\nECHO never\n');
    assert.equal(await client.rest(), '200 one\n200 Goodbye.\n');
    while (server.sessions.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('answers everything to a peer that has closed its side', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.connect({ path: socketPath, allowHalfOpen: true });
    client.socket.end('USER ann\nPASS annpw\nECHO done\n');
    assert.match(await client.rest(), /^300 .*\n200 ann.*\n200 done\n$/);
  });

  it('survives a fault, which is told as 510 and reported', async (t) => {
    const { socketPath, faults } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    t.mock.method(VERBS.get('MORE')!, 'run', () => {
      throw new TypeError('broken');
    });
    assert.equal(await client.text('MORE'), '510 Internal error.');
    assert.equal(await client.text('ECHO alive'), '200 alive');
    assert.match(String(faults), /broken/);
  });

  it('is closed silently when it is idle', async (t) => {
    const { socketPath } = await startRoomServer(t, { idleMs: 30 });
    const client = await WireClient.connect(socketPath);
    assert.equal(await client.rest(), '');
  });

  it('is refused with 551 beyond the limit, except on the administration socket', async (t) => {
    const { socketPath, adminSocketPath } = await startRoomServer(t, { maxSessions: 2 });
    const first = await WireClient.connect(socketPath);
    await WireClient.connect(socketPath);
    const third = await WireClient.connect(socketPath);
    assert.equal(third.greeting, '551 Too many users are already online (maximum is 2)');
    assert.equal(await third.rest(), '');
    assert.match((await WireClient.connect(adminSocketPath)).greeting, /ADMIN CONNECTION ready\.$/);
    assert.equal(await first.text('NOOP'), '200 ok');
  });

  it('stops reading from a peer that does not read, and loses nothing', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    client.socket.pause();
    const text = 'x'.repeat(4000);
    const count = 1000;
    for (let i = 0; i < count; i++) client.write(`ECHO ${text}\n`);
    // With both directions full, not all of the 4 MB can have been taken.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(client.socket.writableLength > 0);
    client.socket.resume();
    for (let i = 0; i < count; i++) assert.equal((await client.line()).length, 4004);
  });

  it('writes a streamed reply as the peer takes it, in step with what follows', async (t) => {
    const { socketPath } = await startRoomServer(t);
    let pulled = 0;
    t.mock.method(VERBS.get('MORE')!, 'run', () => ({
      stream: (function* () {
        yield '100 begin\n';
        for (let i = 0; i < 2000; i++) {
          pulled++;
          yield i % 2 ? Buffer.from(`${'b'.repeat(1999)}\n`) : `${'s'.repeat(1999)}\n`;
        }
        yield '000\n';
      })(),
    }));
    const client = await WireClient.connect(socketPath);
    client.socket.pause();
    client.write('MORE\nECHO after\n');
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(pulled < 2000, `pulled ${pulled}`);
    client.socket.resume();
    const { lines } = await client.reply();
    assert.equal(lines.length, 2000);
    assert.ok(lines.every((line) => line.length === 1999));
    assert.equal(await client.line(), '200 after');
  });

  it('is broken off when a streamed reply fails half-way, and answers a refusal before its first byte', async (t) => {
    const { socketPath, faults } = await startRoomServer(t);
    const { Refusal } = await import('../../../../src/backend/store/refusal.ts');
    const run = t.mock.method(VERBS.get('MORE')!, 'run', () => ({
      // biome-ignore lint/correctness/useYield: it fails before the first piece
      stream: (function* (): Generator<string> {
        throw new Refusal('noSuchMessage', 'gone');
      })(),
    }));
    const client = await WireClient.connect(socketPath);
    assert.equal(await client.text('MORE'), '575 gone');
    run.mock.mockImplementation(() => ({
      stream: (function* (): Generator<string> {
        yield '100 begin\n';
        throw new Error('disk');
      })(),
    }));
    client.write('MORE\nECHO never\n');
    assert.doesNotMatch(await client.rest(), /never|000/);
    assert.match(String(faults), /disk/);
  });
});

describe('a text transfer', () => {
  it('may come in one write with its command and the next', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.login(socketPath, 'ann', 'annpw');
    client.write('EBIO\nI am Ann.\r\n0000\n\nBye.\n000\nECHO after\n');
    assert.match((await client.reply()).line, /^400 /);
    assert.equal((await client.reply()).line, '200 after');
    assert.deepEqual((await client.ask('RBIO ann')).lines, ['I am Ann.', '0000', '', 'Bye.']);
  });

  it('that breaks off leaves nothing behind', async (t) => {
    const { socketPath, server } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.login(socketPath, 'ann', 'annpw');
    await client.send('EBIO', 'before\n');
    client.write('EBIO\nhalf of\n');
    await client.line();
    client.close();
    await once(client.socket, 'close');
    while (server.sessions.size > 0) await new Promise((resolve) => setImmediate(resolve));
    const other = await WireClient.login(socketPath, 'ann', 'annpw');
    assert.deepEqual((await other.ask('RBIO ann')).lines, ['before']);
  });

  it('of a message, however long, that breaks off posts nothing and keeps nothing of it', async (t) => {
    const { socketPath, server, store } = await startRoomServer(t, { users: { ann: 4 } });
    const blobs = () => store.db.prepare('SELECT id, complete FROM blob').all();
    const before = blobs();
    const client = await WireClient.login(socketPath, 'ann', 'annpw');
    await client.expect('ENT0 1|||4|x||1', 800);
    client.write(`Content-type: text/plain\n\n${'half of a message\n'.repeat(BACKEND_INLINE_BYTES / 8)}`);
    while (blobs().length === before.length) await new Promise((resolve) => setImmediate(resolve));
    client.close();
    while (server.sessions.size > 0) await new Promise((resolve) => setImmediate(resolve));
    await server.housekeeper.done();
    assert.deepEqual(blobs(), before);
    const other = await WireClient.login(socketPath, 'ann', 'annpw');
    assert.deepEqual((await other.ask('MSGS GT|1')).lines, []);
  });
});

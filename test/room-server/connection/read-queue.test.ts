// Readers of one socket: each gets its bytes in turn; what breaks the socket fails all that wait.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { BULK_TURN_BYTES, BULK_TURN_MS, REPLY_TIMEOUT_MS, STREAM_CHUNK_BYTES } from '../../../src/limits/protocol.ts';
import type { ByteQueue } from '../../../src/protocol/lines.ts';
import { ReadQueue } from '../../../src/room-server/connection/read-queue.ts';
import { faultError } from '../../../src/room-server/connection/server-errors.ts';
import { requestTurns } from '../../../src/system/turn-queue.ts';
import { eventually } from '../../support/eventually.ts';
import { listenOnUnixSocket } from '../../support/unix-listener.ts';

const line = (queue: ByteQueue) => queue.line()?.toString();

async function start(t: TestContext, unsolicited: (queue: ByteQueue) => void = () => {}) {
  const accepted = Promise.withResolvers<Socket>();
  const listener = await listenOnUnixSocket(accepted.resolve);
  const socket = connect(listener.path);
  await once(socket, 'connect');
  const told = { closed: 0, heard: 0, failed: 0 };
  const count = (of: keyof typeof told) => () => void told[of]++;
  const queue = new ReadQueue(socket, {
    unsolicited,
    closed: count('closed'),
    heard: count('heard'),
    failed: count('failed'),
  });
  t.after(async () => {
    socket.destroy();
    await listener.close();
  });
  return { queue, peer: await accepted.promise, told };
}

/** The other side is a thread of its own, which sends so many bytes. */
async function startBesideThread(t: TestContext, bytes: number) {
  const path = join(tmpdir(), `vestibule-${randomUUID()}`);
  const code = `const { parentPort, workerData: [path, bytes] } = require('node:worker_threads');
    require('node:net').createServer((socket) => socket.end(Buffer.alloc(bytes, 'x')))
      .listen(path, () => parentPort.postMessage('listening'));`;
  const thread = new Worker(code, { eval: true, workerData: [path, bytes] });
  t.after(() => thread.terminate());
  await once(thread, 'message');
  const socket = connect(path);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return { queue: new ReadQueue(socket, { unsolicited() {}, closed() {} }) };
}

describe('readers', () => {
  it('get what comes in the order in which they came, however it is cut', async (t) => {
    const { queue, peer } = await start(t);
    const lines = [queue.take(line), queue.take(line), queue.take(line)];
    assert.equal(queue.isEmpty, false);
    for (const piece of ['o', 'ne\ntw', 'o\nthr']) peer.write(piece);
    assert.deepEqual(await Promise.all(lines.slice(0, 2)), ['one', 'two']);
    peer.write('ee\n');
    assert.equal(await lines[2], 'three');
    assert.equal(queue.isEmpty, true);
  });

  it('get what has come already', async (t) => {
    const { queue, peer } = await start(t);
    peer.write('one\ntwo\n');
    await eventually(async () => queue.isEmpty, false);
    assert.equal(await queue.pull(line), 'one');
    assert.equal(await queue.take(line), 'two');
  });

  it('fail alone where they break the protocol; the others have lost their connection', async (t) => {
    const { queue, peer, told } = await start(t);
    const broken = queue.take<string>(() => {
      throw new Error('no status line');
    });
    const next = queue.take(line);
    peer.write('x\n');
    await assert.rejects(broken, { code: 'backend_protocol' });
    await assert.rejects(next, { code: 'backend_lost' });
    assert.deepEqual([queue.isClosed, told.closed], [true, 1]);
    await assert.rejects(queue.take(line), { code: 'backend_protocol' }, 'who comes later is told why');
  });

  it('all fail when the other side closes', async (t) => {
    const { queue, peer, told } = await start(t);
    const waiting = [queue.take(line), queue.pull(line)];
    peer.end();
    for (const each of waiting) await assert.rejects(each, { code: 'backend_lost' });
    assert.equal(told.closed, 1);
  });

  it('are not needed for bytes to be seen: nobody has asked for these', async (t) => {
    const { queue, peer } = await start(t, (unasked) => {
      if (unasked.length > 0) throw new Error('not asked for');
    });
    const closed = once(peer.resume(), 'close');
    peer.write('200 hello\n');
    await closed;
    assert.equal(queue.isClosed, true);
  });
});

describe('a stream', () => {
  const next = (queue: ByteQueue) => (queue.length > 0 ? queue.take(queue.length) : undefined);

  it('leaves the event loop to others behind so many bytes, however fast they come', async (t) => {
    const all = 16 * BULK_TURN_BYTES;
    const { queue } = await startBesideThread(t, all);
    let most = 0;
    let ofRound = 0;
    let read = 0;
    const look = () => {
      most = Math.max(most, ofRound);
      ofRound = 0;
      if (read < all) setImmediate(look);
    };
    look();
    while (read < all) {
      const { length } = await queue.pull(next);
      read += length;
      ofRound += length;
      // the thread has sent more when this is done
      for (const end = performance.now() + 0.5; performance.now() < end; );
    }
    look();
    assert.ok(most < BULK_TURN_BYTES + STREAM_CHUNK_BYTES, `${most} bytes in one round`);
  });

  it('rests behind so many bytes while others ask, whichever way it goes', async (t) => {
    const nextOfBulk = t.mock.method(requestTurns, 'nextOfBulk');
    const all = 4 * BULK_TURN_BYTES;
    const { queue, peer } = await start(t);
    peer.write(Buffer.alloc(all, 'x'));
    for (let read = 0; read < all; ) read += (await queue.pull(next)).length;
    const rests = nextOfBulk.mock.callCount();
    assert.ok(rests === 3 || rests === 4, `${rests}`); // what is read at once goes a little beyond the bound
    peer.resume();
    const pieces = Array.from({ length: all / STREAM_CHUNK_BYTES }, () => Buffer.alloc(STREAM_CHUNK_BYTES, 'y'));
    await queue.send(pieces);
    assert.equal(nextOfBulk.mock.callCount(), rests + 4);
    for (const {
      arguments: [worked],
    } of nextOfBulk.mock.calls)
      assert.equal(worked, BULK_TURN_MS);
  });

  it('is what rests: many short answers only take turns', async (t) => {
    const nextOfBulk = t.mock.method(requestTurns, 'nextOfBulk');
    const turns = t.mock.method(requestTurns, 'next');
    const { queue, peer } = await start(t);
    const answer = `${'x'.repeat(1023)}\n`;
    const count = (4 * BULK_TURN_BYTES) / answer.length;
    peer.write(answer.repeat(count));
    for (let i = 0; i < count; i++) assert.equal((await queue.take(line))?.length, 1023);
    assert.equal(nextOfBulk.mock.callCount(), 0);
    assert.ok(turns.mock.callCount() >= 3);
  });

  it('rests on while nobody pulls, also behind so many bytes', async (t) => {
    const { queue, peer } = await start(t);
    peer.write(Buffer.alloc(4 * BULK_TURN_BYTES, 'x'));
    for (let read = 0; read < BULK_TURN_BYTES; ) read += (await queue.pull(next)).length;
    await sleep(20);
    const { length } = await queue.pull(next);
    assert.ok(length <= STREAM_CHUNK_BYTES, `${length} bytes had been read meanwhile`);
  });
});

describe('silence of the other side', () => {
  const clocked = async (t: TestContext) => {
    const started = await start(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    return started;
  };

  it('lasts only so long, also on a connection that has been idle for longer', async (t) => {
    const { queue, peer } = await clocked(t);
    const first = queue.take(line);
    peer.write('one\n');
    assert.equal(await first, 'one');
    t.mock.timers.tick(3 * REPLY_TIMEOUT_MS);
    assert.equal(queue.isClosed, false, 'nobody waits');
    const second = assert.rejects(queue.take(line), { code: 'backend_timeout' });
    t.mock.timers.tick(REPLY_TIMEOUT_MS - 1);
    assert.equal(queue.isClosed, false);
    t.mock.timers.tick(1);
    await second;
  });

  it('lasts only so long, also while it takes nothing and nobody waits for an answer', async (t) => {
    const { queue, peer } = await clocked(t);
    peer.pause();
    const sent = assert.rejects(queue.send(Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024))), {
      code: 'backend_timeout',
    });
    // a part of it finds a place in the buffers of the system
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(REPLY_TIMEOUT_MS);
    await sent;
  });

  it('is told of once, and bytes that come are, too: by both a circuit breaker knows whether it answers', async (t) => {
    const { queue, peer, told } = await clocked(t);
    const first = queue.take(line);
    peer.write('on');
    await eventually(async () => told.heard, 1);
    t.mock.timers.tick(REPLY_TIMEOUT_MS - 1);
    peer.write('e\n');
    assert.equal(await first, 'one');
    assert.deepEqual(told, { closed: 0, heard: 2, failed: 0 });
    const late = [queue.take(line), queue.take(line)].map((each) => assert.rejects(each, { code: 'backend_timeout' }));
    t.mock.timers.tick(REPLY_TIMEOUT_MS);
    await Promise.all(late);
    assert.deepEqual(told, { closed: 1, heard: 2, failed: 1 });
    t.mock.timers.tick(REPLY_TIMEOUT_MS);
    assert.equal(told.failed, 1);
  });

  it('is no silence where the connection is lost or the protocol broken: those are told by other ways', async (t) => {
    for (const spoil of [(peer: Socket) => peer.end(), (peer: Socket) => peer.write('x\n')]) {
      const { queue, peer, told } = await start(t);
      const waiting = queue.take<string>(() => {
        throw new Error('no status line');
      });
      spoil(peer);
      await assert.rejects(waiting);
      assert.equal(told.failed, 0);
    }
  });

  it('is not ended by what others ask', async (t) => {
    const { queue } = await clocked(t);
    const waiting = [assert.rejects(queue.take(line), { code: 'backend_timeout' })];
    for (let half = 0; half < 2; half++) {
      t.mock.timers.tick(REPLY_TIMEOUT_MS / 2 - 1);
      waiting.push(assert.rejects(queue.take(line), { code: 'backend_timeout' }));
      queue.write('NOOP\n');
    }
    t.mock.timers.tick(2);
    await Promise.all(waiting);
  });

  it('begins anew with each byte that comes', async (t) => {
    const { setTimeout } = globalThis;
    const shorter = (then: () => void, ms?: number) => setTimeout(then, ms === REPLY_TIMEOUT_MS ? 1000 : ms);
    t.mock.method(globalThis, 'setTimeout', shorter);
    const { queue, peer } = await start(t);
    const waiting = queue.take(line);
    for (const byte of 'one\n') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      peer.write(byte);
    }
    assert.equal(await waiting, 'one');
  });
});

describe('what is sent', () => {
  it('goes out in order', async (t) => {
    const { queue, peer } = await start(t);
    queue.write('one\n');
    await queue.send([Buffer.from('two\n'), Buffer.from('three\n')]);
    let received = '';
    peer.on('data', (bytes) => (received += String(bytes)));
    await eventually(async () => received, 'one\ntwo\nthree\n');
  });

  it('waits while the other side takes nothing', async (t) => {
    const { queue, peer } = await start(t);
    peer.pause();
    let pulled = 0;
    const sending = queue.send(
      (function* () {
        for (; pulled < 500; pulled++) yield Buffer.alloc(64 * 1024);
      })(),
    );
    let before = -1;
    while (before !== pulled) {
      before = pulled;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.ok(pulled < 100, `${pulled} pieces`);
    peer.resume();
    await sending;
    assert.equal(pulled, 500);
  });

  it('closes the connection where its source fails: the other side would wait for the rest', async (t) => {
    const { queue, peer } = await start(t);
    const closed = once(peer.resume(), 'close');
    const failing = (async function* () {
      yield Buffer.from('half');
      throw new Error('disk');
    })();
    await assert.rejects(queue.send(failing), /disk/);
    await closed;
    assert.equal(queue.isClosed, true);
  });

  it('is nothing after a failure', async (t) => {
    const { queue } = await start(t);
    queue.fail('backend_lost', faultError('backend_timeout', 'x'));
    queue.write('one\n');
    await assert.rejects(queue.send([Buffer.from('x')]), { code: 'backend_timeout' });
  });
});

// Answers on their way to clients that are slow, send bodies that nobody reads, or have gone.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { WritingPace, writePieces } from '../../src/http/answer-body.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { Outgoing } from '../../src/http/outgoing.ts';
import { asJson, send, sendStream } from '../../src/http/respond.ts';
import { OUTGOING_PIECE_BYTES, STALL_TIMEOUT_MS } from '../../src/limits/http.ts';
import { BULK_TURN_BYTES } from '../../src/limits/protocol.ts';
import { requestTurns } from '../../src/system/turn-queue.ts';
import { eventually } from '../support/eventually.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

/** what a connection's buffers surely cannot hold */
const LARGE = 16 * 1024 * 1024;
const SHORT_MS = 1000;
/** for which a system takes what is written */
const BUSY_MS = 4;

/** To wait a minute is not for a test. */
function hasten(socket: Socket | undefined): void {
  if (socket?.timeout === STALL_TIMEOUT_MS) socket.setTimeout(SHORT_MS);
}

describe('clients that do not read', () => {
  it('are dropped when they take nothing for a while', async (t) => {
    const outgoing = new Outgoing();
    const sockets: Socket[] = [];
    const site = await serve(
      t,
      (exchange) => {
        sockets.push(exchange.request.socket);
        return send(exchange, 200, asJson('a'.repeat(LARGE)));
      },
      { outgoing },
    );
    const reader = await dial(site.port);
    t.after(() => reader.destroy());
    reader.pause().write(head('GET /'));
    await eventually(async () => {
      hasten(sockets[0]);
      return sockets[0]?.destroyed;
    }, true);
    await eventually(async () => outgoing.bytes.held, 0);
    await once(reader.resume(), 'close');
    assert.ok(reader.bytesRead < LARGE);
  });

  it('are not while they wait for an answer that is not made yet', async (t) => {
    const made = Promise.withResolvers<void>();
    const sockets: Socket[] = [];
    let isStreamed = false;
    async function* stream() {
      for (let i = 0; i < 4; i++) yield Buffer.alloc(64 * 1024, 'b');
      isStreamed = true;
    }
    const site = await serve(t, async (exchange) => {
      sockets.push(exchange.request.socket);
      if (exchange.rawPath !== '/slow') return sendStream(exchange, { contentType: 'text/plain', body: stream() });
      await made.promise;
      await send(exchange, 200, asJson('a'));
    });
    const reader = await dial(site.port);
    reader.write(head('GET /slow') + head('GET /', 'Connection: close'));
    await eventually(async () => sockets.length, 2);
    for (let i = 0; i < 20; i++) await setImmediate();
    assert.deepEqual([isStreamed, sockets[0]!.timeout === STALL_TIMEOUT_MS], [false, false]);
    made.resolve();
    const received = await receive(reader);
    assert.equal(received.match(/b/g)?.length, 4 * 64 * 1024);
  });

  it('are not while they take a little now and then', async (t) => {
    const sockets: Socket[] = [];
    const site = await serve(t, (exchange) => {
      sockets.push(exchange.request.socket);
      return send(exchange, 200, asJson('a'.repeat(LARGE)));
    });
    const reader = await dial(site.port);
    t.after(() => reader.destroy());
    reader.pause().write(head('GET /', 'Connection: close'));
    await eventually(async () => {
      hasten(sockets[0]);
      return sockets[0]?.timeout;
    }, SHORT_MS);
    const started = performance.now();
    let size = 0;
    reader.on('data', (bytes) => {
      size += bytes.length;
      hasten(sockets[0]);
      if (performance.now() - started > 4 * SHORT_MS) return;
      reader.pause();
      setTimeout(() => reader.resume(), SHORT_MS / 20);
    });
    await once(reader.resume(), 'end');
    assert.ok(size > LARGE, `${size} bytes`);
  });

  it('behind an answer that is not there yet are let go with their connection', async (t) => {
    const outgoing = new Outgoing();
    const site = await serve(
      t,
      (exchange) =>
        exchange.rawPath === '/never' ? new Promise<void>(() => {}) : send(exchange, 200, asJson('a'.repeat(LARGE))),
      { outgoing },
    );
    const socket = await dial(site.port);
    socket.write(head('GET /never') + head('GET /'));
    await eventually(async () => outgoing.bytes.held, LARGE + 2);
    socket.destroy();
    await eventually(async () => outgoing.bytes.held, 0);
  });
});

describe('a large answer', () => {
  const value = Array.from({ length: 50_000 }, (_, i) => `entry ${i}`);

  it('arrives whole, packed or not, also by HEAD and to who sends a body that nobody reads', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asJson(value), { 'X-A': 'b' }));
    for (const encoding of ['identity', 'gzip', 'br']) {
      const answer = await fetch(site.url, { headers: { 'accept-encoding': encoding } });
      assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      assert.equal(answer.headers.get('x-a'), 'b');
      assert.deepEqual(await answer.json(), value);
    }
    const length = JSON.stringify(value).length;
    const only = await exchangeRaw(site.port, head('HEAD /', 'Connection: close'));
    assert.match(only, new RegExp(`Content-Length: ${length}\\r\\n[\\s\\S]*\\r\\n\\r\\n$`));
    const posted = await fetch(site.url, { method: 'POST', body: randomBytes(100_000) });
    assert.deepEqual(await posted.json(), value);
  });

  it('leaves its connection usable', async (t) => {
    const site = await serve(t, (exchange) =>
      exchange.rawPath === '/' ? send(exchange, 200, asJson(value)) : send(exchange, 200, asJson('small')),
    );
    const socket = await dial(site.port);
    socket.write(head('GET /') + head('GET /next', 'Connection: close'));
    const received = await receive(socket);
    assert.match(received, /"entry 49999"\]HTTP\/1\.1 200 OK[\s\S]*"small"$/);
  });
});

describe('WritingPace', () => {
  it('waits for its turn behind so many bytes, though the client takes all at once', async () => {
    const written: string[] = [];
    const write = (name: string) => async () => {
      const response = { write: (piece: Buffer) => written.push(`${name}${piece.length}`) > 0 };
      const pace = new WritingPace({ response, sentBytes: 0 } as unknown as Exchange);
      for (const size of [BULK_TURN_BYTES - 1, 1, BULK_TURN_BYTES]) {
        const wait = pace.write(Buffer.alloc(size));
        if (wait) await wait;
      }
    };
    const both = Promise.all(['a', 'b'].map((name) => write(name)()));
    const [n, m] = [BULK_TURN_BYTES, BULK_TURN_BYTES - 1];
    assert.deepEqual(written, [`a${m}`, 'a1', `b${m}`, 'b1']);
    await both;
    assert.deepEqual(written.slice(4), [`a${n}`, `b${n}`]);
  });

  it('rests for what the system was busy with behind a turn, also where the client had to be waited for', async (t) => {
    const rested = Promise.withResolvers<void>();
    const worked: number[] = [];
    t.mock.method(requestTurns, 'nextOfBulk', async (ms: number) => {
      if (worked.push(ms) === 2) await rested.promise;
    });
    const response = Object.assign(new EventEmitter(), {
      socket: null,
      // as node does: behind the stretch that writes
      write() {
        process.nextTick(() => {
          for (const end = performance.now() + BUSY_MS; performance.now() < end; );
          response.emit('drain');
        });
        return false;
      },
    });
    const gone = new AbortController().signal;
    const pace = new WritingPace({ response, request: {}, sentBytes: 0, gone } as unknown as Exchange);
    const write = () => pace.write(Buffer.alloc(BULK_TURN_BYTES / 4))!;
    for (let i = 0; i < 7; i++) await write();
    let isThrough = false;
    const last = write().then(() => {
      isThrough = true;
    });
    await eventually(async () => worked.length, 2);
    await setImmediate();
    assert.equal(isThrough, false);
    assert.ok(worked[0]! < BUSY_MS, `${worked[0]} ms for what is no longer than a turn`);
    assert.ok(worked[1]! >= 4 * BUSY_MS, `${worked[1]} ms`);
    rested.resolve();
    await last;
  });

  it('rests once for pieces that are written at a stretch', async (t) => {
    const worked: number[] = [];
    t.mock.method(requestTurns, 'nextOfBulk', async (ms: number) => {
      worked.push(ms);
    });
    const response = { write: () => true };
    const pace = new WritingPace({ response, sentBytes: BULK_TURN_BYTES } as unknown as Exchange);
    const began = performance.now();
    const size = BULK_TURN_BYTES / 256;
    for (let i = 1; i < 256; i++) {
      assert.equal(pace.write(Buffer.alloc(size)), undefined);
      for (const end = performance.now() + BUSY_MS / 256; performance.now() < end; );
    }
    await pace.write(Buffer.alloc(size));
    const took = performance.now() - began;
    assert.ok(worked[0]! <= took, `${worked[0]} of ${took} ms`);
  });
});

describe('writePieces', () => {
  /** an exchange whose system is busy with each write for a while, and takes it all */
  const busy = (ms = BUSY_MS) => {
    const written: number[] = [];
    const write = (piece: Buffer) => {
      for (const end = performance.now() + ms; performance.now() < end; );
      return written.push(piece.length) > 0;
    };
    const exchange = { response: { write }, sentBytes: 0, gone: { aborted: false } } as unknown as Exchange;
    return { exchange, written };
  };

  it('waits for a turn before each piece of what is long, and rests for what was written before', async (t) => {
    const nextOfBulk = t.mock.method(requestTurns, 'nextOfBulk');
    const [first, second] = [busy(), busy()];
    await writePieces(first.exchange, [Buffer.alloc(10), Buffer.alloc(2 * OUTGOING_PIECE_BYTES)]);
    await writePieces(busy(0).exchange, [Buffer.alloc(10)]); // a short one neither rests nor takes that rest away
    await writePieces(second.exchange, [Buffer.alloc(OUTGOING_PIECE_BYTES + 1)]);
    assert.deepEqual(first.written, [10, OUTGOING_PIECE_BYTES, OUTGOING_PIECE_BYTES]);
    assert.equal(first.exchange.sentBytes, 10 + 2 * OUTGOING_PIECE_BYTES);
    const worked = nextOfBulk.mock.calls.map((call) => call.arguments[0]);
    assert.equal(worked.length, 5);
    for (const ms of worked.slice(1)) assert.ok(ms >= BUSY_MS, `${ms}`);
  });

  it('lets what is no longer than a piece go at once', async (t) => {
    const nextOfBulk = t.mock.method(requestTurns, 'nextOfBulk');
    const { exchange, written } = busy();
    const sent = writePieces(exchange, [Buffer.alloc(OUTGOING_PIECE_BYTES)]);
    assert.deepEqual(written, [OUTGOING_PIECE_BYTES]);
    await sent;
    assert.equal(nextOfBulk.mock.callCount(), 0);
  });

  it('writes nothing more to a client that has gone while it waited', async (t) => {
    const { exchange, written } = busy();
    t.mock.method(requestTurns, 'nextOfBulk', async () => {
      if (written.length > 0) Object.assign(exchange.gone, { aborted: true });
    });
    await writePieces(exchange, [Buffer.alloc(3 * OUTGOING_PIECE_BYTES)]);
    assert.deepEqual(written, [OUTGOING_PIECE_BYTES]);
  });
});

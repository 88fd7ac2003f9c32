// Large answers to clients that do not read: how much of them is held, and what others get meanwhile.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { Outgoing } from '../../src/http/outgoing.ts';
import { asJson, JSON_TYPE, send } from '../../src/http/respond.ts';
import { MAX_UNCOUNTED_ANSWER_BYTES } from '../../src/limits/http.ts';
import type { Asker } from '../../src/system/fair-queue.ts';
import { eventually } from '../support/eventually.ts';
import { dial, head, serve } from './serving.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const isBusy = (error: unknown) =>
  error instanceof AppError && error.code === 'busy' && Number(error.retryAfterSeconds) > 0;

function client(turnKey: string): Asker & { leave(): void } {
  const leaving = new AbortController();
  return { turnKey, gone: leaving.signal, leave: () => leaving.abort(new Error('left')) };
}

/** The test may end before it is let in. */
function ask(outgoing: Outgoing, of: Asker, size: number, then = () => {}): void {
  outgoing.enter(of, bytes(size), size).then(then, () => {});
}

function bytes(size: number): Uint8Array {
  return new Uint8Array(size);
}

describe('large answers on their way', () => {
  const [ann, bob, cid] = [client('ann'), client('bob'), client('cid')];

  it('come to the bound at most, and to half of it for one client', async () => {
    for (const [more, waits] of [
      [0, false],
      [1, true],
    ] as const) {
      const outgoing = new Outgoing(100, 100);
      await outgoing.enter(ann, bytes(50), 50);
      await outgoing.enter(bob, bytes(30), 30);
      let isIn = false;
      ask(outgoing, cid, 20 + more, () => {
        isIn = true;
      });
      await turn();
      assert.equal(isIn, !waits, 'in all');
      let isSecondIn = false;
      ask(outgoing, bob, 20, () => {
        isSecondIn = true;
      });
      await turn();
      assert.equal(isSecondIn, waits, 'what fits goes past what does not');
      assert.ok(outgoing.bytes.held <= 100);
    }
    const outgoing = new Outgoing(100, 100);
    await outgoing.enter(ann, bytes(50), 50);
    ask(outgoing, ann, 1);
    await turn();
    assert.deepEqual(outgoing.bytes, { held: 50, waiting: 1 });
  });

  it('wait in turn, up to a bound, and to half of it for one client', async () => {
    const outgoing = new Outgoing(100, 100);
    const first = await outgoing.enter(ann, bytes(50), 50);
    await outgoing.enter(bob, bytes(50), 50);
    const order: string[] = [];
    ask(outgoing, ann, 50, () => {
      order.push('ann');
    });
    await assert.rejects(outgoing.enter(ann, bytes(1), 1), isBusy);
    ask(outgoing, cid, 40, () => {
      order.push('cid');
    });
    ask(outgoing, bob, 10, () => {
      order.push('bob');
    });
    await assert.rejects(outgoing.enter(client('dan'), bytes(1), 1), isBusy);
    assert.deepEqual(outgoing.bytes, { held: 100, waiting: 100 });
    first.leave();
    first.leave();
    await turn();
    assert.deepEqual(order, ['ann'], 'whose place it was');
    assert.deepEqual(outgoing.bytes, { held: 100, waiting: 50 });
  });

  it('are forgotten with their client', async () => {
    const outgoing = new Outgoing(100, 100);
    const [leaving, other] = [client('ann'), client('ann')];
    const held = await outgoing.enter(leaving, bytes(50), 50);
    const waiting = outgoing.enter(leaving, bytes(50), 50);
    leaving.leave();
    await assert.rejects(waiting, { message: 'left' });
    held.leave();
    assert.deepEqual(outgoing.bytes, { held: 0, waiting: 0 });
    await outgoing.enter(other, bytes(50), 50);
  });

  it('that are one and the same count once', async () => {
    const outgoing = new Outgoing(100, 0);
    const same = bytes(50);
    const all = await Promise.all([ann, ann, bob].map((each) => outgoing.enter(each, same, 50)));
    assert.equal(outgoing.bytes.held, 50);
    for (const held of all.slice(1)) held.leave();
    assert.equal(outgoing.bytes.held, 50);
    all[0]!.leave();
    assert.equal(outgoing.bytes.held, 0);
  });

  it('larger than what a client may have get their turn when little else is on its way', async () => {
    const outgoing = new Outgoing(100, 1000);
    const [first, second] = [await outgoing.enter(ann, bytes(50), 50), await outgoing.enter(bob, bytes(1), 1)];
    let isIn = false;
    ask(outgoing, cid, 120, () => {
      isIn = true;
    });
    await turn();
    assert.equal(isIn, false);
    second.leave();
    await turn();
    assert.equal(isIn, true);
    first.leave();
    assert.equal(outgoing.bytes.held, 120);
  });

  it('that get smaller need no new turn', async () => {
    const outgoing = new Outgoing(100, 100);
    const held = await outgoing.enter(ann, bytes(50), 50);
    await outgoing.enter(bob, bytes(50), 50);
    ask(outgoing, cid, 50);
    await held.replace(bytes(20));
    assert.deepEqual(outgoing.bytes, { held: 70, waiting: 50 });
    held.leave();
    await turn();
    assert.deepEqual(outgoing.bytes, { held: 100, waiting: 0 });
  });

  it('are packed by so many at a time', async () => {
    const outgoing = new Outgoing();
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const packing = Array.from({ length: 4 }, () => outgoing.pack(() => promise));
    assert.equal(await outgoing.pack(() => promise), undefined);
    resolve(Buffer.from('packed'));
    assert.deepEqual((await Promise.all(packing)).map(String), Array(4).fill('packed'));
    assert.equal(String(await outgoing.pack(() => promise)), 'packed');
  });
});

describe('clients that do not read', () => {
  /** what a connection's buffers surely cannot hold */
  const LARGE = 16 * MIB;

  async function unread(t: TestContext, port: number, count: number): Promise<Socket[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = await dial(port);
        t.after(() => socket.destroy());
        socket.on('error', () => {});
        socket.pause().write(head('GET /'));
        return socket;
      }),
    );
  }

  it('hold so much, the next ones wait, then they are told to come again; when they go it is free', async (t) => {
    const outgoing = new Outgoing(4 * LARGE, 2 * LARGE);
    const site = await serve(t, (exchange) => send(exchange, 200, asJson('a'.repeat(LARGE - 2))), { outgoing });
    const readers = await unread(t, site.port, 3);
    await eventually(async () => outgoing.bytes, { held: 2 * LARGE, waiting: LARGE });
    const refused = await fetch(site.url);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    for (const reader of readers) reader.destroy();
    await eventually(async () => outgoing.bytes, { held: 0, waiting: 0 });
    const whole = await fetch(site.url);
    assert.equal((await whole.text()).length, LARGE);
    await eventually(async () => outgoing.bytes, { held: 0, waiting: 0 });
  });

  it('share what is the same for all of them', async (t) => {
    const outgoing = new Outgoing(2 * LARGE, 0);
    const shared = Buffer.from(`,"b":"${'b'.repeat(LARGE - 8)}"}`);
    const site = await serve(
      t,
      (exchange) => send(exchange, 200, { type: JSON_TYPE, body: [Buffer.from('{"a":1'), shared] }),
      { outgoing },
    );
    await unread(t, site.port, 10);
    await eventually(async () => outgoing.bytes.held, LARGE + 6);
    assert.equal(outgoing.bytes.waiting, 0);
    const answer = (await (await fetch(site.url)).json()) as { b: string };
    assert.equal(answer.b.length, LARGE - 8);
  });

  it('are not counted for answers that are small', async (t) => {
    const outgoing = new Outgoing(4, 0);
    await outgoing.enter(client('other'), bytes(3), 3);
    const site = await serve(
      t,
      (exchange) => send(exchange, 200, { type: 'image/png', body: Buffer.alloc(Number(exchange.rawPath.slice(1))) }),
      {
        outgoing,
      },
    );
    assert.equal((await fetch(`${site.url}/${MAX_UNCOUNTED_ANSWER_BYTES}`)).status, 200);
    assert.equal((await fetch(`${site.url}/${MAX_UNCOUNTED_ANSWER_BYTES + 1}`)).status, 503);
  });
});

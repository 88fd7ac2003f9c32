// The pieces of an event stream.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventPieces } from '../../src/api/events.ts';
import { EVENTS_RECONNECT_MS, EVENTS_SPREAD_MS } from '../../src/limits/http.ts';
import { STREAM_CHUNK_BYTES } from '../../src/limits/protocol.ts';
import type { Change, Follower, Position } from '../../src/room-server/watch/follower.ts';

const POSITION: Position = { inbox: 7, mtime: 8, room: 'a/b ☕', highest: 9 };

/** Told `told` at the first question, and nothing from then on. */
function follower(told: Change[], isWokenForNothing = false) {
  const asked = { changes: 0, isClosed: false };
  let stop: (() => void) | undefined;
  const fake = {
    position: POSITION,
    get isEnded() {
      return asked.isClosed;
    },
    async changes() {
      return asked.changes++ === 0 ? told : [];
    },
    wait(ms: number) {
      if (asked.changes === 0) return Promise.resolve(true);
      const pause = isWokenForNothing ? Math.min(ms, 1) : ms;
      return new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(pause < ms), pause);
        stop = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
    close() {
      asked.isClosed = true;
      stop?.();
    },
  };
  return { asked, fake: fake as unknown as Follower };
}

const room = (name: string): Change => ({ kind: 'room', name, mtime: 8, isGone: false, position: POSITION });

describe('the pieces of a stream', () => {
  it('write events with their ids, data on one line whatever a name holds', async () => {
    const pieces = eventPieces(
      follower([room('x\n\ndata: y'), { ...room('z'), isGone: true } as Change]).fake,
      () => false,
    );
    const id = 'id: 7-8-9-a%2Fb%20%E2%98%95\n';
    assert.equal(String((await pieces.next()).value), `retry: 3000\n${id}\n`);
    assert.equal(
      String((await pieces.next()).value),
      `${id}event: room\ndata: {"name":"x\\n\\ndata: y","mtime":8}\n\n` +
        `${id}event: room\ndata: {"name":"z","mtime":8,"is_gone":true}\n\n`,
    );
    await pieces.return!();
  });

  it('are of bounded size, and nothing is asked before they are taken', async () => {
    const name = 'n'.repeat(100);
    const { fake, asked } = follower(Array.from({ length: 5000 }, () => room(name)));
    const pieces = eventPieces(fake, () => false);
    let count = 0;
    await pieces.next();
    assert.equal(asked.changes, 0);
    while (count < 5000) {
      const text = String((await pieces.next()).value);
      assert.ok(text.length < STREAM_CHUNK_BYTES + 1000);
      count += text.split(name).length - 1;
      assert.equal(asked.changes, 1);
    }
    assert.equal(count, 5000);
    await pieces.return!();
  });

  for (const isWokenForNothing of [false, true]) {
    it(`say that it is alive when nothing happens, ${isWokenForNothing ? 'though woken' : 'left alone'}`, async () => {
      const pieces = eventPieces(follower([], isWokenForNothing).fake, () => false, 10);
      await pieces.next();
      assert.equal(String((await pieces.next()).value), ': still here\n\n');
      await pieces.return!();
    });
  }

  it('end with the server, after a hint that spreads those who connect again', async () => {
    const hints = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const { fake, asked } = follower([room('x')]);
      const pieces = eventPieces(fake, () => false);
      await pieces.next();
      asked.isClosed = true;
      const hint = String((await pieces.next()).value);
      const ms = Number(/^retry: (\d+)\n\n$/.exec(hint)?.[1]);
      assert.ok(ms >= EVENTS_RECONNECT_MS && ms <= EVENTS_RECONNECT_MS + EVENTS_SPREAD_MS, hint);
      hints.add(hint);
      assert.deepEqual(await pieces.next(), { done: true, value: undefined });
    }
    assert.ok(hints.size > 1);
  });

  it('end when the session has, and when the reader has gone, also while they are waited for', async () => {
    const over = eventPieces(follower([room('x')]).fake, async () => true);
    await over.next();
    assert.deepEqual(await over.next(), { done: true, value: undefined });
    const left = eventPieces(follower([]).fake, () => false);
    await left.next();
    const waiting = left.next();
    await new Promise(setImmediate);
    await left.return!();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.deepEqual(await left.next(), { done: true, value: undefined });
  });
});

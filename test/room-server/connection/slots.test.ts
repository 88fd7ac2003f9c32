// Who gets a connection when all are taken, and what a room server that takes no more teaches.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_WAIT_MS } from '../../../src/limits/protocol.ts';
import { refusal } from '../../../src/room-server/connection/server-errors.ts';
import { Slots } from '../../../src/room-server/connection/slots.ts';
import { onBehalfOf } from '../../../src/system/fair-queue.ts';
import { eventually } from '../../support/eventually.ts';

const none = (): boolean => false;
const TOO_MANY = { code: 551, text: 'Too many users are already online (maximum is 2)', hasInstantMessages: false };

describe('slots for connections', () => {
  it('go to those who wait in their order, and to nobody at the cost of what is not idle', async () => {
    const slots = new Slots(1);
    await slots.open(none, async () => {});
    const order: number[] = [];
    const waiting = [1, 2].map((n) => slots.open(none, async () => void order.push(n)));
    await assert.rejects(
      slots.open(undefined, async () => {}),
      { code: 'busy' },
    );
    slots.release();
    await waiting[0];
    assert.deepEqual(order, [1]);
    slots.release();
    await waiting[1];
    assert.deepEqual(order, [1, 2]);
  });

  it('go to accounts in turn, and to nobody whose client has left', async () => {
    const slots = new Slots(1);
    await slots.open(none, async () => {});
    const order: string[] = [];
    const leaving = new AbortController();
    const open = (turnKey: string, gone = new AbortController().signal) =>
      onBehalfOf({ turnKey, gone }, () => slots.open(none, async () => void order.push(turnKey), gone));
    const some = ['mallory', 'mallory', 'ann'].map((who) => open(who));
    const left = Array.from({ length: 100 }, () =>
      assert.rejects(open('mallory', leaving.signal), { message: 'left' }),
    );
    leaving.abort(new Error('left'));
    await Promise.all(left);
    for (let n = 1; n <= 3; n++) {
      slots.release();
      await eventually(async () => order.length, n);
    }
    await Promise.all(some);
    assert.deepEqual(order, ['mallory', 'ann', 'mallory']);
  });

  it('are waited for MAX_WAIT_MS at most, and not when the pool closes', async (t) => {
    const slots = new Slots(1);
    await slots.open(none, async () => {});
    const { timers } = t.mock;
    timers.enable({ apis: ['setTimeout'] });
    const waiting = assert.rejects(
      slots.open(none, async () => {}),
      { code: 'busy' },
    );
    timers.tick(MAX_WAIT_MS);
    await waiting;
    timers.reset();
    const stopped = slots.open(none, async () => {});
    slots.close();
    await assert.rejects(stopped, { message: 'The gateway is stopping.' });
  });

  it('are nine of ten sessions that the room server says it takes: the tenth is left to others', async () => {
    const slots = new Slots(100);
    slots.keepClearOf(20);
    for (let i = 0; i < 18; i++) await slots.open(undefined, async () => {});
    await assert.rejects(
      slots.open(undefined, async () => {}),
      { code: 'busy' },
    );
    slots.keepClearOf(1000);
    await slots.open(undefined, async () => {});
  });

  it('are as many as the room server took before it refused one: then one goes for each that comes', async () => {
    const slots = new Slots(10);
    const server = { sessions: 0, most: 2, refused: 0 };
    const connect = async () => {
      if (server.sessions === server.most) {
        server.refused++;
        throw refusal(TOO_MANY);
      }
      server.sessions++;
    };
    const evict = () => {
      if (server.sessions === 0) return false;
      server.sessions--;
      slots.release();
      return true;
    };
    for (let i = 0; i < 8; i++) await slots.open(evict, connect);
    assert.deepEqual(server, { sessions: 2, most: 2, refused: 1 });
    await assert.rejects(slots.open(undefined, connect), { code: 'busy' });
  });
});

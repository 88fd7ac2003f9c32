// What each gateway of a fleet knows of instant messages: room servers give one to all sessions of a user, or to one.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_INSTANT_MESSAGES } from '../../src/limits/backend.ts';
import {
  INSTANT_KEPT_MS,
  MAX_INSTANT_BOXES,
  MAX_TAKEN_INSTANTS,
  MAX_WAITING_INSTANT_CHARS,
} from '../../src/limits/http.ts';
import type { Answer } from '../../src/protocol/answer.ts';
import type { Pool } from '../../src/room-server/connection/pool.ts';
import type { InstantListener } from '../../src/room-server/connection/receiver.ts';
import { type InstantChange, InstantMailbox } from '../../src/room-server/instant-mailbox.ts';

const ANN = { user: 'ann', password: 'pw' };

/** A gateway's session with the room server, which may get messages. */
function session() {
  const waiting: Answer[] = [];
  let listener: InstantListener | undefined;
  const pool = {
    takeInstantMessages: async () => waiting.splice(0),
    listenForInstantMessages: (_: unknown, given: InstantListener) => {
      listener = given;
      return () => {
        listener = undefined;
      };
    },
  } as unknown as Pool;
  const get = (text: string, time = 1) => {
    waiting.push({ code: 100, text: `0|${time}|0|bob|node|bob@a`, lines: [text] } as unknown as Answer);
    listener?.arrived();
  };
  return { pool, get, waiting };
}

function fleetOf(count: number) {
  const all: InstantMailbox[] = [];
  const tell = async (change: InstantChange) => {
    await new Promise(setImmediate); // as from another machine
    for (const each of all) each.hear(change);
  };
  const gateways = Array.from({ length: count }, () => {
    const { pool, ...rest } = session();
    const mailbox = new InstantMailbox(pool, tell);
    all.push(mailbox);
    const take = async () => (await mailbox.take(ANN)).map(({ text }) => text);
    return { mailbox, take, ...rest };
  });
  return gateways;
}

/** A page that waits at this mailbox; resolves when it is woken. */
function woken(mailbox: InstantMailbox): Promise<void> {
  return new Promise((resolve) => {
    mailbox.listen(ANN, { arrived: resolve, lost() {}, isFollowed: () => true });
  });
}

const settled = async () => {
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
};

describe('instant messages of several gateways', () => {
  it('wake the page wherever it waits, and are fetched at any, once', async () => {
    const [a, b, c] = fleetOf(3) as [Gateway, Gateway, Gateway];
    await b.take(); // it has a session from now on
    const told = woken(a.mailbox);
    b.get('only here');
    await told;
    assert.ok(a.mailbox.arrivals(ANN) > 0);
    assert.deepEqual(await c.take(), ['only here']);
    assert.deepEqual([await a.take(), await b.take()], [[], []]);
    assert.equal(a.mailbox.arrivals(ANN), 0);
  });

  it('come once, however many copies there are and whenever these come', async () => {
    const [a, b] = fleetOf(2) as [Gateway, Gateway];
    const told = woken(a.mailbox);
    a.get('copied');
    await told;
    assert.deepEqual(await b.take(), ['copied']);
    b.get('copied');
    await settled();
    assert.deepEqual([await a.take(), await b.take()], [[], []]);
  });

  it('come as often as they were sent, though they look the same', async () => {
    const [a, b] = fleetOf(2) as [Gateway, Gateway];
    await Promise.all([a.take(), b.take()]);
    for (const each of [a, b, a, b]) each.get('Hello?');
    await settled();
    assert.deepEqual([await a.take(), await b.take()], [['Hello?', 'Hello?'], []]);
    a.get('Hello?', 2);
    await settled();
    assert.deepEqual(await b.take(), ['Hello?']);
  });

  it('belong to one user; what another one or his other session has got is not there', async () => {
    const [a, b] = fleetOf(2) as [Gateway, Gateway];
    await a.take();
    a.get('for ann');
    await settled();
    for (const other of [
      { user: 'bob', password: 'pw' },
      { user: 'a nn', password: 'pw' },
      { user: 'ann', key: 'pw' },
    ]) {
      assert.deepEqual(await b.mailbox.take(other), []);
    }
    assert.deepEqual(await b.take(), ['for ann']);
  });

  it('are given to all who ask at the same moment', async () => {
    const [a] = fleetOf(1) as [Gateway];
    a.get('to both');
    assert.deepEqual(await Promise.all([a.take(), a.take()]), [['to both'], ['to both']]);
  });

  it('are there though the others cannot be told', async () => {
    const { pool, get } = session();
    const mailbox = new InstantMailbox(pool, () => Promise.reject(new Error('away')));
    await mailbox.take(ANN);
    const told = woken(mailbox);
    get('all the same');
    await told;
    assert.equal((await mailbox.take(ANN)).length, 1);
  });
});

describe('what nobody fetches', () => {
  it(`stays at the room server above ${MAX_INSTANT_MESSAGES}, which refuses more in the end`, async () => {
    const [a, b] = fleetOf(2) as [Gateway, Gateway];
    await a.take();
    for (let n = 0; n < MAX_INSTANT_MESSAGES; n++) {
      a.get(String(n));
      await settled();
    }
    assert.equal(a.waiting.length, 0);
    a.get('one more');
    await settled();
    assert.equal(a.waiting.length, 1);
    assert.equal((await b.take()).length, MAX_INSTANT_MESSAGES);
    assert.deepEqual(await a.take(), ['one more']);
  });

  it('is forgotten after a while', async (t) => {
    const [a] = fleetOf(1) as [Gateway];
    const pass = clock(t);
    await a.take();
    a.get('kept');
    await settled();
    pass(INSTANT_KEPT_MS - 1);
    assert.deepEqual(await a.take(), ['kept']);
    a.get('gone');
    await settled();
    pass(INSTANT_KEPT_MS);
    assert.deepEqual(await a.take(), []);
  });

  it(`goes where ${MAX_INSTANT_BOXES} others have come behind it`, async () => {
    const [a] = fleetOf(1) as [Gateway];
    await a.take();
    a.get('first');
    await settled();
    const hear = (n: number) => a.mailbox.hear({ from: 'elsewhere', owner: String(n), come: [], taken: ['x'] });
    for (let n = 1; n < MAX_INSTANT_BOXES; n++) hear(n);
    assert.ok(a.mailbox.arrivals(ANN) > 0);
    hear(MAX_INSTANT_BOXES);
    hear(MAX_INSTANT_BOXES + 1);
    assert.equal(a.mailbox.arrivals(ANN), 0);
  });

  it('goes where the texts of all would take more than they may', async () => {
    const text = 'x'.repeat(MAX_WAITING_INSTANT_CHARS - 'first'.length);
    for (const [more, left] of [
      ['', true],
      ['y', false],
    ] as const) {
      const [a] = fleetOf(1) as [Gateway];
      await a.take();
      a.get('first');
      await settled();
      const come = [{ id: 'x', time: 1, sender: 'bob', address: '', isBroadcast: false, text: text + more }];
      a.mailbox.hear({ from: 'elsewhere', owner: 'another', come, taken: [] });
      assert.equal((await a.take()).length > 0, left);
    }
  });

  it(`is known as fetched, of the last ${MAX_TAKEN_INSTANTS}`, async () => {
    const { pool } = session();
    const heard: InstantChange[] = [];
    const other = session();
    const first = new InstantMailbox(other.pool, async (change) => void heard.push(change));
    other.get('x');
    await first.take(ANN);
    const { owner, taken } = heard[0]!;
    const message = { id: taken[0]!, time: 1, sender: 'bob', address: '', isBroadcast: false, text: 'x' };
    for (const [count, found] of [
      [MAX_TAKEN_INSTANTS - 1, 0],
      [MAX_TAKEN_INSTANTS, 1],
    ] as const) {
      const mailbox = new InstantMailbox(pool);
      mailbox.hear({ from: 'a', owner, come: [], taken: [message.id] });
      mailbox.hear({ from: 'a', owner, come: [], taken: Array.from({ length: count }, (_, n) => `${n}`) });
      mailbox.hear({ from: 'a', owner, come: [message], taken: [] });
      assert.equal((await mailbox.take(ANN)).length, found);
    }
  });
});

type Gateway = ReturnType<typeof fleetOf>[number];

/** Lets time pass. */
function clock(t: TestContext): (ms: number) => void {
  let ahead = 0;
  const now = Math.floor(performance.now()); // sums of whole numbers are exact
  t.mock.method(performance, 'now', () => now + ahead);
  return (ms) => {
    ahead += ms;
  };
}

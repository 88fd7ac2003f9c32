// Which connection is given up first: the one that has waited longest.

import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { WAITING_ORDER_MS } from '../../src/limits/http.ts';
import { WaitingConnections } from '../../src/system/connection-slots.ts';

const LONG_MS = 1_000_000;
let now = LONG_MS;

function lineOf(...clients: string[]) {
  const waiting = new WaitingConnections();
  const waiters = clients.map((client) => ({ client, since: 0, loggedIn: 0 }));
  for (const waiter of waiters) {
    waiting.enter(waiter);
    pass();
  }
  return { waiting, waiters };
}

/** So much that it is seen. */
function pass(): void {
  now += WAITING_ORDER_MS;
}

describe('connections that wait', () => {
  beforeEach((t) => (t as TestContext).mock.method(performance, 'now', () => now));

  it('are given up in the order in which they began to', () => {
    const { waiting, waiters } = lineOf('a', 'b');
    const [first, second] = waiters;
    assert.equal(waiting.longest(0), first);
    waiting.leave(first!);
    assert.equal(waiting.longest(0), second);
    waiting.leave(second!);
    waiting.leave(second!);
    assert.equal(waiting.longest(0), undefined);
  });

  it('are not, while none has waited long enough', () => {
    const { waiting } = lineOf('a');
    assert.equal(waiting.longest(LONG_MS), undefined);
    assert.equal(waiting.longestOf('a', LONG_MS), undefined);
  });

  it('begin anew when they wait again', () => {
    const { waiting, waiters } = lineOf('a', 'a', 'a');
    const [first, second, third] = waiters;
    waiting.begin(first!);
    pass();
    waiting.begin(second!);
    assert.equal(waiting.longest(0), third);
    assert.equal(waiting.longestOf('a', 0), third);
    waiting.leave(third!);
    assert.equal(waiting.longest(0), first);
    assert.equal(waiting.longestOf('a', 0), first);
  });

  it('are not given up while they run something for somebody who has logged in', () => {
    const { waiting, waiters } = lineOf('a', 'a');
    const [first, second] = waiters;
    first!.loggedIn = 1;
    assert.equal(waiting.longest(0), second);
    assert.equal(waiting.longestOf('a', 0), second);
    second!.loggedIn = 1;
    assert.equal(waiting.longest(0), undefined);
    assert.equal(waiting.longestOf('a', 0), undefined);
    second!.loggedIn = 0;
    waiting.begin(second!);
    pass();
    first!.loggedIn = 0;
    waiting.begin(first!);
    assert.equal(waiting.longest(0), second);
    waiting.leave(second!);
    assert.equal(waiting.longest(0), first);
  });

  it('are looked at for each client', () => {
    const { waiting, waiters } = lineOf('a', 'b');
    const [first, second] = waiters;
    assert.equal(waiting.longestOf('b', 0), second);
    assert.equal(waiting.longestOf('c', 0), undefined);
    waiting.leave(first!);
    assert.equal(waiting.longestOf('a', 0), undefined);
  });

  it('that have only just come protect none that has waited long', () => {
    const { waiting, waiters } = lineOf('a');
    const [idle] = waiters;
    waiting.begin(idle!); // its only request
    now += 10 * WAITING_ORDER_MS;
    waiting.enter({ client: 'b', since: 0, loggedIn: 0 });
    assert.equal(waiting.longest(5 * WAITING_ORDER_MS), idle);
  });

  it('keep their place while they are busy for less than the order is known to', () => {
    const { waiting, waiters } = lineOf('a', 'b');
    const [first, second] = waiters;
    now += WAITING_ORDER_MS;
    waiting.begin(first!);
    assert.equal(waiting.longest(0), second);
    now += WAITING_ORDER_MS - 1;
    waiting.begin(second!);
    now += WAITING_ORDER_MS - 1;
    waiting.begin(first!);
    assert.equal(waiting.longest(0), second);
  });
});

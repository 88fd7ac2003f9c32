// Which connection is given up first: the one that has waited longest.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { WaitingConnections } from '../../src/http/waiting.ts';

const socket = () => ({}) as Socket;
const LONG_MS = 1_000_000;

describe('connections that wait', () => {
  it('are given up in the order in which they began to', () => {
    const waiting = new WaitingConnections();
    const [first, second] = [socket(), socket()];
    assert.equal(waiting.longest(0), undefined);
    waiting.add(first, 'a');
    waiting.add(second, 'b');
    assert.equal(waiting.longest(0), first);
    waiting.delete(first);
    assert.equal(waiting.longest(0), second);
    waiting.delete(second);
    waiting.delete(second);
    assert.equal(waiting.longest(0), undefined);
  });

  it('are not, while none has waited long enough', () => {
    const waiting = new WaitingConnections();
    waiting.add(socket(), 'a');
    assert.equal(waiting.longest(LONG_MS), undefined);
    assert.equal(waiting.longest(LONG_MS, 'a'), undefined);
  });

  it('begin anew when they wait again', () => {
    const waiting = new WaitingConnections();
    const [first, second] = [socket(), socket()];
    waiting.add(first, 'a');
    waiting.add(second, 'a');
    waiting.add(first, 'a');
    assert.equal(waiting.longest(0), second);
    assert.equal(waiting.longest(0, 'a'), second);
  });

  it('are counted for each client, under the name that it waits with now', () => {
    const waiting = new WaitingConnections();
    const [first, second] = [socket(), socket()];
    waiting.add(first, 'a');
    waiting.add(second, 'b');
    assert.equal(waiting.longest(0, 'b'), second);
    assert.equal(waiting.longest(0, 'c'), undefined);
    waiting.add(second, 'c');
    assert.equal(waiting.longest(0, 'b'), undefined);
    assert.equal(waiting.longest(0, 'c'), second);
    waiting.delete(first);
    assert.equal(waiting.longest(0, 'a'), undefined);
  });
});

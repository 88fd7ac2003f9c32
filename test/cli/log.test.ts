// What the operator reads when something fails.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { operatorLog } from '../../src/cli/log.ts';
import { AppError } from '../../src/errors.ts';
import {
  LOG_PERIOD_MS,
  MAX_LOG_KINDS,
  MAX_LOGGED_ALIKE,
  MAX_LOGGED_CAUSE_CHARACTERS,
} from '../../src/limits/sessions.ts';
import { openSocket } from '../../src/room-server/connection/socket.ts';

function logged(errors: unknown[]): string[] {
  const entries: string[] = [];
  const log = operatorLog((entry) => entries.push(entry));
  for (const error of errors) log('4711', error);
  return entries.map((entry) => entry.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /, ''));
}

const unreachable = (code: string) =>
  new AppError('backend_unreachable', 'The room server cannot be reached.', {
    cause: Object.assign(new Error(`connect ${code} /run/rooms`), { code }),
  });

describe('the log', () => {
  it('has one line for a room server that is not there: code, text, cause and request', async () => {
    const error = await openSocket({ path: '/nowhere/room.socket' }).catch((fault: unknown) => fault);
    assert.deepEqual(logged([error]), [
      '[4711] backend_unreachable: The room server cannot be reached. (connect ENOENT /nowhere/room.socket)',
    ]);
  });

  it('has one line whatever the cause is, and none of it looks like a line of its own', () => {
    const of = (cause: unknown) => logged([new AppError('backend_protocol', 'Broken.', { cause })])[0];
    assert.equal(of(undefined), '[4711] backend_protocol: Broken.');
    assert.equal(of('line too long'), '[4711] backend_protocol: Broken. (line too long)');
    assert.equal(
      of({ code: 299, text: 'a\r\n2026-01-01 [x] b\u2028c', lines: ['secret'] }),
      '[4711] backend_protocol: Broken. (299 a 2026-01-01 [x] b c)',
    );
    assert.equal(of(new AggregateError([], '')), '[4711] backend_protocol: Broken.');
    assert.equal(
      of(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })),
      '[4711] backend_protocol: Broken. (ECONNREFUSED)',
    );
    const long = 'x'.repeat(MAX_LOGGED_CAUSE_CHARACTERS);
    assert.equal(of(long), `[4711] backend_protocol: Broken. (${long})`);
    assert.equal(of(`${long}x`), `[4711] backend_protocol: Broken. (${long})`);
  });

  it('has the stack of what is a fault of ours, also in the room server', () => {
    const [own, internal, fromThread] = logged([
      new TypeError('undefined is no function'),
      new AppError('internal', 'The key must have 32 bytes.'),
      'Error: no such table\n    at store.ts:1',
    ]);
    assert.match(own!, /^\[4711\] TypeError: undefined is no function\n +at .*log\.test\.ts/);
    assert.match(internal!, /^\[4711\] AppError: The key must have 32 bytes\.\n +at /);
    assert.equal(fromThread, '[4711] Error: no such table\n    at store.ts:1');
  });

  describe('while the same happens again and again', () => {
    const start = (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const entries: string[] = [];
      return { entries, log: operatorLog((entry) => entries.push(entry)) };
    };

    it('tells the first ones, then how many more there were, each period anew', (t) => {
      const { entries, log } = start(t);
      for (let round = 0; round < 2; round++) {
        entries.length = 0;
        for (let i = 0; i < MAX_LOGGED_ALIKE + 500; i++) log(`r${i}`, unreachable('ECONNREFUSED'));
        log('other', unreachable('ENOENT'));
        assert.equal(entries.length, MAX_LOGGED_ALIKE + 1);
        assert.match(entries.at(-1)!, /\[other\] .*ENOENT/);
        t.mock.timers.tick(LOG_PERIOD_MS);
        assert.equal(entries.length, MAX_LOGGED_ALIKE + 2);
        assert.match(entries.at(-1)!, /\[-\] backend_unreachable: .*ECONNREFUSED.* \(500 more times\)$/);
      }
      t.mock.timers.tick(10 * LOG_PERIOD_MS);
      assert.equal(entries.length, MAX_LOGGED_ALIKE + 2, 'nothing when nothing happens');
    });

    it('tells exactly as many as it may without a count', (t) => {
      const { entries, log } = start(t);
      for (let i = 0; i < MAX_LOGGED_ALIKE; i++) log(`r${i}`, unreachable('ECONNREFUSED'));
      t.mock.timers.tick(LOG_PERIOD_MS);
      assert.equal(entries.length, MAX_LOGGED_ALIKE);
    });

    it('tells a bounded number of kinds apart', (t) => {
      const { entries, log } = start(t);
      for (let i = 0; i < MAX_LOG_KINDS + 500; i++) log('r', new AppError('backend_protocol', `Fault ${i}.`));
      assert.equal(entries.length, MAX_LOG_KINDS + MAX_LOGGED_ALIKE);
      t.mock.timers.tick(LOG_PERIOD_MS);
      assert.match(entries.at(-1)!, /\[-\] other faults \(490 more times\)$/);
    });
  });
});

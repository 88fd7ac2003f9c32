// The examples fit together: each answers to an earlier one, and times are those of the last month.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demoEntries } from '../../../src/extra/demo/content.ts';
import { events, rooms } from '../../../src/extra/demo/rooms.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;
const entries = demoEntries(NOW);

describe('the examples', () => {
  it('are in the order of their times, none of them in the future', () => {
    const times = entries.map(({ time }) => time);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    assert.ok(times[0]! > NOW - 40 * DAY && times.at(-1)! <= NOW);
    assert.ok(times.every(Number.isInteger));
  });

  it('answer to what was said before, in the same room', () => {
    const seen = new Map<string, string>();
    for (const { key, replyTo = [], room = 'mail', subject = '' } of entries) {
      for (const one of replyTo) assert.equal(seen.get(one), room, subject);
      if (replyTo.length > 0) assert.match(subject, /^Re: /);
      if (key !== undefined) {
        assert.ok(!seen.has(key), key);
        seen.set(key, room);
      }
    }
  });

  it('go either to a room or to people, and have something to show', () => {
    for (const { room, to, body } of entries) {
      assert.equal(room === undefined, to !== undefined);
      assert.ok(body.length > 10);
    }
  });

  it('include those of the other rooms', () => {
    const more = [...rooms((days) => NOW - Math.round(days * DAY)), ...events(NOW)];
    for (const entry of more) assert.ok(entries.some(({ body, time }) => body === entry.body && time === entry.time));
  });
});

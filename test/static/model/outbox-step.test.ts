// What is left to be done to an object that waited, where it may have changed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { objectWork } from '../../../static/model/outbox-joining.js';
// @ts-expect-error: the web client has no types
import { stepOf } from '../../../static/model/outbox-step.js';

type Version = { etag: string; text: string };
const one: Version = { etag: '"1"', text: 'one' };
const work = (text: string | undefined, base?: Version, tried: (string | undefined)[] = []) => ({
  ...objectWork({ room: 'Tasks', name: 'uid', type: 'text/calendar', text, base, title: 'T', place: [] }),
  tried,
});

describe('what is left to do', () => {
  const step = (wanted: ReturnType<typeof work>, there?: Version) => stepOf(wanted, there) as unknown;

  it('is to write over what it was made from', () => {
    assert.deepEqual(step(work('two', one), one), { over: one });
    assert.deepEqual(step(work(undefined, one), one), { over: one });
    assert.deepEqual(step(work('new')), { over: undefined });
  });

  it('is nothing where it is done', () => {
    assert.equal(step(work('two', one), { etag: '"2"', text: 'two\r\n' }), 'done');
    assert.equal(step(work(undefined, one)), 'done');
    assert.equal(step(work('new'), { etag: '"2"', text: 'new' }), 'done');
  });

  it('is to write over what has arrived of one’s own', () => {
    const there = { etag: '"2"', text: 'two' };
    assert.deepEqual(step(work('three', one, ['two']), there), { over: there });
    assert.deepEqual(step(work('again', one, [undefined])), { over: undefined });
  });

  it('is to ask where another device was faster', () => {
    const theirs = { etag: '"2"', text: 'theirs' };
    assert.equal(step(work('two', one), theirs), 'conflict');
    assert.equal(step(work('two', one)), 'conflict');
    assert.equal(step(work(undefined, one), theirs), 'conflict');
    assert.equal(step(work('new'), theirs), 'conflict');
    assert.equal(step(work('three', one, ['two']), theirs), 'conflict');
  });
});

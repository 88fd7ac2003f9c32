// What waits to be done to an object: what is done to it twice is one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { joined, objectWork } from '../../../static/model/outbox-joining.js';

type Version = { etag: string; text: string };
const one: Version = { etag: '"1"', text: 'one' };
const work = (text: string | undefined, base?: Version, tried: (string | undefined)[] = []) => ({
  ...objectWork({ room: 'Tasks', name: 'uid', type: 'text/calendar', text, base, title: 'T', place: [] }),
  tried,
});
const entry = (state: string, earlier: ReturnType<typeof work>) => ({
  id: '1',
  user: 'a',
  time: 1,
  state,
  work: earlier,
});
const join = (state: string, earlier: ReturnType<typeof work>, text: string | undefined) =>
  joined(entry(state, earlier), work(text, { etag: '"9"', text: 'what is shown' }))?.work;

describe('what is done to an object twice', () => {
  it('is the last of it, made from what was there first', () => {
    assert.deepEqual(join('waiting', work('two', one), 'three'), work('three', one));
    assert.deepEqual(join('waiting', work('new'), 'newer'), work('newer'));
    assert.deepEqual(join('waiting', work('two', one), undefined), work(undefined, one));
  });

  it('is nothing where it is then as it was', () => {
    assert.equal(join('waiting', work('new'), undefined), undefined);
    assert.equal(join('waiting', work('two', one), 'one'), undefined);
  });

  it('knows what may have arrived already', () => {
    assert.deepEqual(join('unknown', work('two', one), 'three'), work('three', one, ['two']));
    assert.deepEqual(join('sending', work('new'), undefined), work(undefined, undefined, ['new']));
    assert.deepEqual(join('unknown', work('two', one, ['new']), 'one'), work('one', one, ['new', 'two']));
  });
});

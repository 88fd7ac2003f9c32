// Hits that must be more than hits, looked for in steps.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { filteredHits, hits, type SearchFilter } from '../../../src/backend/verbs/search.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { run } from '../../support/message-session.ts';
import { save, world as searchWorld } from '../../support/search-world.ts';

const ANY: SearchFilter = { author: '', since: 0, until: 0, hasFiles: false, isLastBegun: false };
const COUNT = 2100;

function world(t: TestContext) {
  const { w, ann, session } = searchWorld(t);
  const [box, other] = [w.room('Box'), w.room('Other')];
  const look = (words: string, more: Partial<SearchFilter> = {}, rooms = [box]) =>
    atOnce(filteredHits(w.store, rooms, words, { ...ANY, ...more })).map(({ message }) => message);
  const fill = () => w.store.transaction(() => Array.from({ length: COUNT }, () => save(w, 'pear', box)));
  return { w, ann, session, box, other, look, fill };
}

describe('filtered hits', () => {
  it('are all there are, the latest first, over the pages of the index', (t) => {
    const { w, box, other, look, fill } = world(t);
    save(w, 'plum', box);
    save(w, 'pear', other);
    fill();
    const all = Array.from({ length: COUNT }, (_, i) => COUNT + 2 - i);
    assert.deepEqual(look('pear'), all);
    assert.deepEqual(look('pear', {}, [box, other]), [...all, 2]);
    assert.deepEqual(look('pea', { isLastBegun: true }), all);
    assert.deepEqual(look('pear', { author: 'NN' }), all);
    assert.deepEqual(look('pear', { author: 'bob' }), []);
    assert.deepEqual(look('pear', { until: 1 }), []);
    assert.deepEqual(look('plum'), [1]);
    assert.deepEqual(look(''), []);
  });

  it('are those with files', (t) => {
    const { session, look } = world(t);
    const part = (more: string) => `--b\nContent-type: text/plain\n${more}\npear\n`;
    for (const more of ['', 'Content-disposition: attachment; filename=a\n']) {
      const text = `Content-type: multipart/mixed; boundary=b\n\n${part('')}${part(more)}--b--\n`;
      run(session('Box'), ent0, '1|||4|s||1', text);
    }
    assert.deepEqual(look('pear'), [2, 1]);
    assert.deepEqual(look('pear', { hasFiles: true }), [2]);
  });

  it('leave others their turn, though nothing is found', (t) => {
    const { session, fill } = world(t);
    fill();
    for (const [args, hitsAndViews] of [
      ['0|100||bob||||||pear', '0|'],
      ['0|1|||||1|||pear', '0|'],
      ['0|1||||||||pear', `${COUNT}|0,${COUNT}`],
    ]) {
      const { statements, text } = longestPiece(t, session('Box'), hits, args!);
      assert.ok(statements <= 12, `${args}: ${statements}`);
      assert.equal(text.split('\n', 1)[0], `100 ${hitsAndViews}`);
    }
  });
});

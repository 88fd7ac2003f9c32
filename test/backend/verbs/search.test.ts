// Searching over rooms: FIND, and MSGS SEARCH.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { move } from '../../../src/backend/verbs/moving.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { find, srch } from '../../../src/backend/verbs/search.ts';
import { MAX_SEARCH_ROOM_WORDS } from '../../../src/limits/backend.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { run } from '../../support/message-session.ts';
import { save, world } from '../../support/search-world.ts';

describe('FIND', () => {
  it('tells what a list shows and where the message is', (t) => {
    const { w, ann, session, post, lines } = world(t);
    post('Box', 'pear');
    const [row] = lines(run(session('Lobby'), find, '10|pear'));
    const [listed] = lines(run(session('Box'), msgs, 'ALL|||9'));
    const box = w.room('Box');
    assert.equal(row, `${listed}Box|${box.flags}|0|`);
    const own = personalRoom(w.store, ann, 'Notes');
    run(
      w.session(ann, own),
      ent0,
      '1|||4|plum||1',
      'Content-type: text/vnote\n\nBEGIN:vnote\nUID:1\nSUMMARY:plum\nEND:vnote\n',
    );
    assert.match(lines(run(session('Lobby'), find, '10|plum'))[0]!, new RegExp(`\\|Notes\\|${own.flags}\\|0\\|$`));
  });

  it('leaves others their turn among the rows', (t) => {
    const { session, post } = world(t);
    for (let i = 0; i < 30; i++) post('Box', 'pear');
    const { lines, text } = longestPiece(t, session('Lobby'), find, '30|pear');
    assert.ok(lines <= 11, String(lines));
    assert.equal(text, run(session('Lobby'), find, '30|pear'));
  });

  it('gives the latest of all rooms first, as many as are wanted', (t) => {
    const { post, found } = world(t);
    for (const name of ['A', 'B', 'A', 'C']) post(name, 'pear');
    post('B', 'plum');
    assert.deepEqual(found('pear'), ['C 4', 'A 3', 'B 2', 'A 1']);
    assert.deepEqual(found('pear', undefined, 2), ['C 4', 'A 3']);
    assert.deepEqual(found('pear', undefined, 0), []);
    assert.deepEqual(found('pear', undefined, -1), []);
    assert.deepEqual(found(''), []);
  });

  it('names no room and no message that the user does not know', (t) => {
    const { w, ann, post, found } = world(t);
    const bob = w.user('bob');
    const hidden = w.room('Hidden', 0, { flags: ROOM_FLAG.private });
    updateVisit(w.store, visitOf(w.store, ann.id, hidden.id), { state: 'known' });
    post('Hidden', 'pear');
    assert.deepEqual(found('pear'), ['Hidden 1']);
    assert.deepEqual(found('pear', bob), []);
    updateVisit(w.store, visitOf(w.store, ann.id, hidden.id), { state: 'locked_out' });
    assert.deepEqual(found('pear'), []);
  });

  it('finds no room by the words that the index has for rooms', (t) => {
    const { w, post, found, inRoom } = world(t);
    post('Box', 'pear');
    const { id } = w.room('Box');
    for (const words of [`r${id}`, `rooms:r${id}`, `rooms r${id}`]) {
      assert.deepEqual(found(words), []);
      assert.deepEqual(inRoom('Box', words), []);
    }
  });

  it('hides the author of an anonymous message, from administrators, too', (t) => {
    const { w, ann, session, post, lines } = world(t);
    const admin = w.user('root', 6);
    post('Masked', 'pear', ann, ROOM_FLAG.anonymousOnly);
    const authors = [ann, admin].map((who) => lines(run(session('Lobby', who), find, '9|pear'))[0]!.split('|')[2]);
    assert.deepEqual(authors, ['****', '****']);
  });

  it('gives the same to those who know very many rooms', (t) => {
    const { w, post, found } = world(t);
    const bob = w.user('bob');
    post('A', 'pear');
    const hidden = w.room('Hidden', 0, { flags: ROOM_FLAG.private });
    updateVisit(w.store, visitOf(w.store, bob.id, hidden.id), { state: 'known' });
    post('Hidden', 'pear', bob);
    post('B', 'pear');
    assert.deepEqual(found('pear'), ['B 3', 'A 1']);
    w.store.transaction(() => {
      for (let i = 0; i <= MAX_SEARCH_ROOM_WORDS; i++) save(w, 'plum', w.room(`Room ${i}`));
    });
    assert.deepEqual(found('pear'), ['B 3', 'A 1']);
  });

  it('gives the same of a word that very many messages have', (t) => {
    const { w, ann, session, found, inRoom } = world(t);
    const [a, b, hidden] = [w.room('A'), w.room('B'), w.room('Hidden', 0, { flags: ROOM_FLAG.private })];
    w.store.transaction(() => {
      for (let i = 0; i < 250; i++) save(w, 'pear', hidden);
      for (const room of [a, b, a]) save(w, 'pear plum', room);
    });
    const hits = ['A 253', 'B 252', 'A 251'];
    assert.deepEqual(found('pear'), hits);
    assert.deepEqual(found('pear plum'), hits, 'the other word is rare');
    const root = w.user('root', 6);
    assert.match(run(w.session(root, hidden), move, '7|B|0'), /^200 /);
    assert.match(run(w.session(root, a), move, '251,253|Hidden|0'), /^200 /);
    assert.deepEqual(found('pear'), ['B 252', 'B 7']);
    assert.deepEqual([inRoom('A', 'pear'), inRoom('B', 'pear')], [[], [7, 252]]);
    assert.equal(run(session('A', ann), srch, 'pear'), '100 2 msgs match all search words:\n7\n252\n000\n');
  });

  it('is refused without a log-in', (t) => {
    const { w } = world(t);
    assert.match(run(w.session(undefined, w.room('Lobby')), find, '9|pear'), /^520 /);
  });
});

it('MSGS SEARCH shows of its hits what a list of the room shows', (t) => {
  const { post, session, lines } = world(t);
  for (const text of ['pear', 'plum', 'pear', 'plum', 'pear']) post('Box', text);
  for (const mode of ['1', '4', '9']) {
    const all = lines(run(session('Box'), msgs, `ALL|||${mode}`));
    assert.deepEqual(lines(run(session('Box'), msgs, `SEARCH|pear||${mode}`)), [all[0], all[2], all[4]], mode);
  }
});

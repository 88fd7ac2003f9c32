// The index knows in which rooms a message is, when it is copied, moved and deleted, too.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { copyToRoom, removeFromRoom } from '../../../src/backend/store/references.ts';
import { indexMessage, searchNumbers, unindexMessage } from '../../../src/backend/store/search-index.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { dele, move } from '../../../src/backend/verbs/moving.ts';
import { srch } from '../../../src/backend/verbs/search.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { run } from '../../support/message-session.ts';
import { attribute, element, signed, tnef } from '../../support/packed-content.ts';
import { saveIn } from '../../support/saved-message.ts';
import { save, world } from '../../support/search-world.ts';

describe('the numbers of hits in some rooms', () => {
  it('are the latest where there are very many, ascending', (t) => {
    const { w } = world(t);
    const [a, b, other] = [w.room('A'), w.room('B'), w.room('C')];
    w.store.transaction(() => {
      for (let i = 0; i < 24; i++) save(w, i % 2 ? 'pear' : 'plum', i % 3 ? a : b);
      save(w, 'pear', other);
    });
    const even = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24];
    for (const limit of [1, 2, 3, 12, 13]) {
      assert.deepEqual(searchNumbers(w.store, [a, b], 'pear', limit), even.slice(-limit), `${limit} of 12`);
    }
    assert.deepEqual(searchNumbers(w.store, [b], 'pear', 100), [4, 10, 16, 22]);
    assert.deepEqual(searchNumbers(w.store, [], 'pear', 100), []);
    assert.deepEqual(searchNumbers(w.store, [a], '?', 100), []);
  });

  it('are the same where few of many messages are hits, and a message in two of the rooms is one', (t) => {
    const { w } = world(t);
    const [a, b, other] = [w.room('A'), w.room('B'), w.room('C')];
    w.store.transaction(() => {
      for (let i = 0; i < 250; i++) save(w, 'plum', i % 2 ? a : b);
      for (const room of [a, other, b]) save(w, 'pear', room);
    });
    const root = w.user('root', 6);
    assert.match(run(w.session(root, a), move, '251|B|1'), /^200 /);
    assert.match(run(w.session(root, b), move, '253|A|1'), /^200 /);
    assert.match(run(w.session(root, b), move, '1|C|0'), /^200 /);
    assert.deepEqual(searchNumbers(w.store, [a, b], 'pear', 100), [251, 253]);
    assert.deepEqual(searchNumbers(w.store, [a, b], 'pear', 2), [251, 253], 'the limit counts messages');
    assert.equal(searchNumbers(w.store, [a, b], 'plum', 1000).length, 249);
    assert.deepEqual(searchNumbers(w.store, [a, b], 'plum', 1000).slice(0, 2), [2, 3]);
  });
});

describe('a message that', () => {
  it('comes and goes in one transaction, or is taken back with it, leaves nothing in the index', (t) => {
    const { w } = world(t);
    const [a, b] = [w.room('A'), w.room('B')];
    const kept = w.store.transaction(() => {
      const [gone, copied] = [saveIn(w, a, { text: 'pear\n' }), saveIn(w, a, { text: 'pear\n' })];
      copyToRoom(w.store, a.id, b.id, [copied]);
      removeFromRoom(w.store, a.id, [gone, copied]);
      return copied;
    });
    const failing = () =>
      w.store.transaction(() => {
        save(w, 'pear', a);
        throw new Error('failed');
      });
    assert.throws(failing);
    save(w, 'plum', a);
    assert.deepEqual(searchNumbers(w.store, [a, b], 'pear', 100), [kept]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('is copied is found in both rooms, also when the first loses it', (t) => {
    const { ann, w, session, post, found, inRoom } = world(t);
    const own = personalRoom(w.store, ann, 'Drafts');
    post('A', 'pear');
    assert.match(run(session('A'), move, '1|Drafts|1'), /^200 /);
    assert.deepEqual(found('pear').sort(), ['A 1', 'Drafts 1']);
    assert.equal(run(session('Lobby'), srch, 'pear'), '100 1 msgs match all search words:\n1\n000\n');
    assert.match(run(w.session(w.user('root', 6), w.room('A')), dele, '1'), /^200 /);
    assert.deepEqual(found('pear'), ['Drafts 1']);
    assert.deepEqual(inRoom('A', 'pear'), []);
    assert.match(run(w.session(ann, own), msgs, 'SEARCH|pear'), /\n1\n/);
  });

  it('moves is found where it is, with author, subject and text', (t) => {
    const { w, post, found, inRoom } = world(t);
    post('A', 'pear');
    const root = w.user('root', 6);
    w.room('B');
    assert.match(run(w.session(root, w.room('A')), move, '1|B|0'), /^200 /);
    for (const word of ['pear', 'ann', 's']) assert.deepEqual(found(word), ['B 1'], word);
    assert.deepEqual([inRoom('A', 'pear'), inRoom('B', 'pear')], [[], [1]]);
  });

  it('holds another one in winmail.dat, signed data or base64 is found by its words, not by uuencoded lines', (t) => {
    const { w } = world(t);
    const room = w.room('A');
    const packed = (type: string, content: Buffer) =>
      saveIn(w, room, { type: `${type}\nContent-Transfer-Encoding: base64`, text: content.toString('base64') });
    const letter = (word: string) => Buffer.from(`Subject: x\nContent-Type: text/plain\n\n${word}\n`);
    const ids = [
      packed('application/ms-tnef', tnef(attribute(0x800c, Buffer.from('outlook\0')))),
      packed('application/pkcs7-mime', signed(element, element(4, letter('signature')))),
      packed('message/rfc822', letter('enclosed')),
      packed('application/pkcs7-mime', signed(element, element(4, letter('begin 644 a\n#0V%T\n`\nend\nfileless')))),
    ];
    const found = ['outlook', 'signature', 'enclosed', 'fileless'].map((word) =>
      searchNumbers(w.store, [room], word, 9),
    );
    assert.deepEqual(
      found,
      ids.map((id) => [id]),
    );
    assert.deepEqual(searchNumbers(w.store, [room], 'V%T', 9), []);
  });

  it('is anonymous has no author in the index after it was copied either', (t) => {
    const { ann, session, post, found } = world(t);
    post('Masked', 'pear', ann, ROOM_FLAG.anonymousOnly);
    assert.match(run(session('Masked'), move, '1|Drafts|1'), /^200 /);
    assert.deepEqual(found('ann'), []);
    assert.equal(found('pear').length, 2);
  });
});

it('takes messages out of a large index, and other changes work afterwards', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  t.after(() => rm(folder, { recursive: true }));
  const store = openStore(folder);
  t.after(() => store.close());
  const indexed = (word: string) =>
    store.prepare('SELECT rowid FROM message_text WHERE message_text MATCH ?').all(word).length;
  store.transaction(() => {
    for (let id = 1; id <= 200; id++) {
      indexMessage(store, {
        id,
        blob: 0,
        format: 4,
        structure: undefined,
        subject: `word number${id}`,
        author: 'ann',
        rooms: [],
      });
    }
  });
  // tombstones of FTS5 get row ids beyond 2^53
  for (let id = 1; id <= 200; id += 2) store.transaction(() => unindexMessage(store, id));
  store.setConfig('c_test', 'x');
  store.prepare('DELETE FROM config WHERE name = ?').run('c_test');
  assert.deepEqual([indexed('word'), indexed('number3'), indexed('number4')], [100, 0, 1]);
});

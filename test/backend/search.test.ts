import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ent0 } from '../../src/backend/enter.ts';
import { msgs } from '../../src/backend/listing.ts';
import { srch } from '../../src/backend/search.ts';
import { personalRoom } from '../../src/backend/users.ts';
import { updateVisit, visitOf } from '../../src/backend/visits.ts';
import { ROOM_FLAG } from '../../src/model.ts';
import { messageWorld, run } from '../support/message-session.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const box = w.room('Box');
  const session = w.session(ann, box);
  const post = (body: string, subject = 's', room = box) =>
    run(w.session(ann, room), ent0, `1|||4|${subject}||1`, body);
  const search = (words: string, who = session) => {
    const lines = run(who, srch, words).split('\n').slice(0, -2);
    assert.equal(lines[0], `100 ${lines.length - 1} msgs match all search words:`);
    return lines.slice(1).join(',');
  };
  return { w, ann, box, session, post, search };
}

const PLAIN = 'Content-type: text/plain; charset=utf-8\n\n';

describe('search', () => {
  it('finds words of subject, author and text in any case, decoded', (t) => {
    const { post, search } = world(t);
    post(`${PLAIN}red apple and pear\n`, 'Fruit');
    post(`${PLAIN}green PEAR cabbage\n`, 'Größe');
    post('Content-type: text/html\n\n<p>zebra <b>cross</b>ing</p><script>hidden</script>\n');
    post(
      `Content-type: text/plain\nContent-transfer-encoding: base64\n\n${Buffer.from('elephant').toString('base64')}\n`,
    );
    post('Content-type: text/plain; charset=iso-8859-1\nContent-transfer-encoding: quoted-printable\n\ncaf=E9\n');
    const found: [string, string][] = [
      ['pear', '1,2'],
      ['PEAR apple', '1'],
      ['pear nothing', ''],
      ['größe', '2'],
      ['zebra crossing', '3'],
      ['hidden', ''],
      ['elephant', '4'],
      ['café', '5'],
      ['fruit', '1'],
      ['ann', '1,2,3,4,5'],
      ['', ''],
    ];
    for (const [words, numbers] of found) assert.equal(search(words), numbers, words);
  });

  it('takes signs of the query language for blanks', (t) => {
    const { post, search } = world(t);
    post(`${PLAIN}red apple\n`);
    for (const words of [
      '"red',
      'red AND',
      'red*apple',
      'subject:red',
      'red) OR (',
      "NEAR('red'",
      '-red',
      '"',
      '^red',
      '{body}:red',
    ]) {
      search(words);
    }
    assert.equal(search('red" "apple'), '1');
    assert.equal(search('red OR nothing'), '');
  });

  it('in MSGS stays in the room', (t) => {
    const { w, session, post } = world(t);
    post(`${PLAIN}pear\n`);
    post(`${PLAIN}pear\n`, 's', w.room('Other'));
    assert.equal(run(session, msgs, 'SEARCH|pear'), '100  \n1\n000\n');
  });

  it('gives nothing from rooms the user does not know', (t) => {
    const { w, ann, post, search } = world(t);
    const bob = w.user('bob');
    const hidden = w.room('Hidden', 0, { flags: ROOM_FLAG.private });
    updateVisit(w.store, visitOf(w.store, ann.id, hidden.id), { state: 'known' });
    post(`${PLAIN}secret\n`, 's', hidden);
    post(`${PLAIN}secret\n`, 's', personalRoom(w.store, ann, 'Drafts'));
    assert.equal(search('secret'), '1,2');
    assert.equal(search('secret', w.session(bob, hidden)), '');
  });

  it('does not tell who wrote an anonymous message', (t) => {
    const { w, post, search } = world(t);
    post(`${PLAIN}masked\n`, 's', w.room('Masked', 0, { flags: ROOM_FLAG.anonymousOnly }));
    assert.equal(search('ann'), '');
    assert.equal(search('masked'), '1');
  });
});

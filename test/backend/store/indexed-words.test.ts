import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { dele, move } from '../../../src/backend/verbs/moving.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { srch } from '../../../src/backend/verbs/search.ts';
import { MAX_INDEXED_WORDS_BYTES, MAX_SEARCH_HITS } from '../../../src/limits/backend.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

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

  it('finds words of scripts that are written without blanks', (t) => {
    const { post, search } = world(t);
    post(`${PLAIN}東京都は日本の首都です。人口は約1400万人\n`, '会議のお知らせ');
    post(`${PLAIN}我喜欢在京都喝茶 with Node入門\n`);
    post(`${PLAIN}한국어를 배우는 사람\n`);
    post(`${PLAIN}สวัสดีชาวโลก ที่นี่\n`);
    post(`${PLAIN}ﾊﾝｶｸ ＡＢＣ𠮷野家\n`);
    const found: [string, string][] = [
      ['東京', '1'],
      ['東京都', '1'],
      ['京都', '1,2'],
      ['都', '1,2'],
      ['茶', '2'],
      ['京東', ''],
      ['東都', ''],
      ['せせ', ''],
      ['日本の首都', '1'],
      ['首都 会議', '1'],
      ['お知らせ', '1'],
      ['Node', '2'],
      ['node入門', '2'],
      ['1400', '1'],
      ['한국어', '3'],
      ['배우는', '3'],
      ['ชาวโลก', '4'],
      ['นี่', '4'],
      ['ハンカク abc', '5'],
      ['ﾊﾝｶｸ ＡＢＣ', '5'],
      ['𠮷野', '5'],
      ['野', '5'],
      ['"東京" OR 茶', ''],
    ];
    for (const [words, numbers] of found) assert.equal(search(words), numbers, words);
  });

  it('finds words of every alternative, of enclosed messages, of events and contacts, not of other files', (t) => {
    const { post, search } = world(t);
    post(
      [
        'Content-type: multipart/mixed; boundary=o',
        '',
        '--o',
        'Content-type: multipart/alternative; boundary=i',
        '',
        '--i',
        'Content-type: text/plain',
        '',
        'plainword',
        '--i',
        'Content-type: text/html',
        '',
        '<p>htmlword</p>',
        '--i--',
        '--o',
        'Content-type: message/rfc822',
        '',
        'Subject: x',
        'Content-type: text/plain',
        '',
        'enclosedword',
        '--o',
        'Content-type: text/calendar',
        '',
        'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:eventword\nLOCATION:placeword\nEND:VEVENT\nEND:VCALENDAR',
        '--o',
        'Content-type: text/vcard',
        '',
        'BEGIN:VCARD\nFN:Cardword Person\nEND:VCARD',
        '--o',
        'Content-type: application/octet-stream',
        '',
        'binaryword',
        '--o',
        'Content-type: text/css',
        '',
        'styleword',
        '--o--',
        '',
      ].join('\n'),
    );
    for (const word of ['plainword', 'htmlword', 'enclosedword', 'eventword', 'placeword', 'cardword']) {
      assert.equal(search(word), '1', word);
    }
    for (const word of ['binaryword', 'styleword', 'SUMMARY']) assert.equal(search(word), '', word);
  });

  it('finds the words of a very long text as far as they go into the index, letter pairs counted as such', (t) => {
    const { post, search } = world(t);
    const upTo = (end: number, word: string) => `${PLAIN}${'ab '.repeat(end)}`.slice(0, PLAIN.length + end) + word;
    post(upTo(MAX_INDEXED_WORDS_BYTES - 5, ' pear\n'));
    post(upTo(MAX_INDEXED_WORDS_BYTES - 4, ' pear\n'));
    assert.equal(search('ab'), '1,2');
    assert.equal(search('pear'), '1');
    const filling = '一'.repeat(Math.floor((MAX_INDEXED_WORDS_BYTES - 1) / 7) - 2);
    post(`${PLAIN}${filling}丁七\n`);
    post(`${PLAIN}${filling}一一一丁七\n`);
    assert.equal(search('丁七'), '3');
  });

  it('finds a message no more when it was deleted, and where it was moved', (t) => {
    const { w, box, post, search } = world(t);
    const session = w.session(w.user('root', 6), box);
    const other = w.room('Other');
    for (const word of ['moved', 'deleted']) post(`${PLAIN}${word}\n`);
    run(session, move, '1|Other|0');
    run(session, dele, '2');
    assert.equal(search('moved'), '1');
    assert.equal(search('deleted'), '');
    assert.equal(run(session, msgs, 'SEARCH|moved'), '100  \n000\n');
    session.room = other;
    assert.equal(run(session, msgs, 'SEARCH|moved'), '100  \n1\n000\n');
  });

  it('finds the messages of one word behind any number of hits in rooms that the user does not know', (t) => {
    const { w, post, search } = world(t);
    const bob = w.user('bob');
    const hidden = w.room('Hidden', 0, { flags: ROOM_FLAG.private });
    post(`${PLAIN}common\n`);
    const save = () =>
      saveMessage(w.store, {
        format: 1,
        author: 'ann',
        path: 'ann',
        address: '',
        room: 'Hidden',
        subject: 'common',
        body: finishedBody(w.store, 1, Buffer.from('x\n')),
        rooms: [hidden.id],
      });
    w.store.transaction(() => {
      for (let i = 0; i <= MAX_SEARCH_HITS; i++) save();
    });
    assert.equal(search('common', w.session(bob, w.room('Box'))), '1');
  });
});

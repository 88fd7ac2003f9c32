import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { msg4 } from '../../../src/backend/verbs/citadel/reading.ts';
import { msg0, msg2 } from '../../../src/backend/verbs/reading.ts';
import { CUT_NOTE } from '../../../src/html/output-bound.ts';
import { MAX_RENDERED_CHARACTERS } from '../../../src/limits/mime.ts';
import { run, runBytes } from '../../support/message-session.ts';
import { world } from '../../support/posting-session.ts';
import { FORWARD, MIXED, NESTED } from '../../support/sample-messages.ts';

/** What follows the header lines of MSG0. */
function behindHeaders(reply: string): string {
  return reply.slice(reply.indexOf('\nsubj=s\n') + 8);
}

describe('MSG0', () => {
  it('shows formats 0 and 1 folded, and no text of unknown formats', (t) => {
    const { session, post } = world(t);
    post(0, `First\n Second\n\n${'word '.repeat(20)}\n`);
    post(1, '  keeps   blanks\n\nend\n');
    post(2, 'lost\n');
    assert.equal(
      run(session, msg0, '1|2'),
      `100 msg:\ntext\nFirst\n Second\n\n${'word '.repeat(15).trim()}\n${'word '.repeat(5)}\n000\n`,
    );
    assert.equal(run(session, msg0, '2|2'), '100 msg:\ntext\n  keeps   blanks\n\nend\n000\n');
    assert.equal(run(session, msg0, '3|2'), '100 msg:\ntext\n000\n');
  });

  it('has modes: all, headers and parts, parts and text, headers', (t) => {
    const { session, post } = world(t);
    post(4, 'Content-type: text/plain; charset=utf-8\n\nPlain\n');
    const headers = run(session, msg0, '1|3').slice(0, -4);
    assert.match(headers, /^100 msg:\ntype=4\n/);
    const part = 'part=||1||text/plain|6||utf-8\n';
    assert.equal(run(session, msg0, '1'), `${headers}${part}text\nPlain\n000\n`);
    assert.equal(run(session, msg0, '1|1'), `${headers}${part}000\n`);
    assert.equal(run(session, msg0, '1|2'), `100 msg:\n${part}text\nPlain\n000\n`);
    assert.equal(run(session, msg0, '1|99'), run(session, msg0, '1|0'));
  });

  it('lists parts and shows their texts', (t) => {
    const { session, post } = world(t);
    post(4, MIXED);
    assert.equal(
      behindHeaders(run(session, msg0, '1')),
      `pref=|multipart/mixed
part=||1||text/plain|16||utf-8
part=dot.png|dot.png|2|attachment|image/png|97|dot@example|
part=notes.txt|notes.txt|3|attachment|text/plain|15||
suff=|multipart/mixed
text
See attachments.
Part 2: dot.png (image/png) (70 bytes)\r
these are notes
000
`,
    );
  });

  it('lists nested parts without those of alternatives, and shows the first alternative', (t) => {
    const { session, post } = world(t);
    post(4, NESTED);
    assert.equal(
      behindHeaders(run(session, msg0, '1')),
      `pref=|multipart/mixed
pref=1|multipart/related
part=pic.png|pic.png|1.2|inline|image/png|97|pic1|
suff=1|multipart/related
part=fwd.eml|fwd.eml|2|attachment|message/rfc822|${FORWARD.length}||
pref=2|message/rfc822
pref=2.1|multipart/mixed
part=||2.1.1||text/plain|10||
part=a.pdf|a.pdf|2.1.2|attachment|application/pdf|8||
suff=2.1|multipart/mixed
suff=2|message/rfc822
part=||3||text/x-log|18||
suff=|multipart/mixed
text
deep plain
Part 1.2: pic.png (image/png) (70 bytes)\r
Part 2: fwd.eml (message/rfc822) (${FORWARD.length} bytes)\r
inner text
Part 2.1.2: a.pdf (application/pdf) (5 bytes)\r
Part 3:  (text/x-log) (18 bytes)\r
000
`,
    );
  });

  it('keeps bars and line ends of names out of the fields', (t) => {
    const { session, post } = world(t);
    post(4, "Content-type: text/plain; name*=UTF-8''a%7Cb%0Ac%00d\n\nx\n");
    assert.match(run(session, msg0, '1|1'), /\npart=a_b c d\|\|1\|\|text\/plain\|2\|\|\n000\n$/);
  });

  it('never sends decoded text as a line 000', (t) => {
    const { session, post } = world(t);
    const parts: [string, string][] = [
      ['Content-type: text/plain\nContent-transfer-encoding: quoted-printable\n\n', 'before\n=30=30=30\nafter\n'],
      [
        'Content-type: text/plain\nContent-transfer-encoding: base64\n\n',
        `${Buffer.from('before\n000\nafter\n').toString('base64')}\n`,
      ],
      ['Content-type: text/html\n\n', 'before<br>&#48;00<br>after\n'],
      ['Content-type: text/vcard\n\n', 'BEGIN:VCARD\nX:before\nY:000\nZ:after\nEND:VCARD\n'],
    ];
    for (const [i, [header, content]] of parts.entries()) {
      post(4, `${header}${content}`);
      for (const verb of [msg0, msg4]) {
        assert.match(run(session, verb, String(i + 1)), /\nbefore\n 000\nafter\n+000\n$/, header);
        assert.equal(run(session, verb, String(i + 1)).split('\n000\n').length, 2);
      }
    }
  });

  it('cuts a page whose text would be many times as long, and says so', (t) => {
    const { session, post } = world(t);
    post(4, `Content-type: text/html\n\n${'<blockquote>'.repeat(31)}${'x<br>'.repeat(70_000)}\n`);
    const reply = run(session, msg0, '1|2');
    assert.ok(reply.length <= MAX_RENDERED_CHARACTERS + 200, `${reply.length}`);
    assert.ok(reply.endsWith(`> x\n${CUT_NOTE}\n000\n`), reply.slice(-200));
  });

  it('keeps bytes that are no UTF-8', (t) => {
    const { session, post } = world(t);
    post(
      4,
      Buffer.concat([Buffer.from('Content-type: text/plain; charset=iso-8859-1\n\ncaf'), Buffer.from([0xe9, 0, 10])]),
    );
    assert.ok(runBytes(session, msg0, '1').includes(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0, 10])));
    assert.ok(runBytes(session, msg2, '1').includes(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0, 13, 10])));
  });

  it('of a message whose body is large reads no more of it than is shown', (t) => {
    const { w, session, post } = world(t);
    post(4, `Content-type: text/plain\n\n${'x\n'.repeat(200_000)}`);
    w.store.db.exec('DELETE FROM chunk WHERE seq > 0');
    for (const [verb, mode] of [
      [msg0, 1],
      [msg0, 3],
      [msg2, 1],
      [msg2, 3],
    ] as const) {
      assert.match(run(session, verb, `1|${mode}`), /000\n$/);
    }
  });

  it('shows events and cards by their values', (t) => {
    const { session, post } = world(t);
    post(
      4,
      'Content-type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:why\\, how\n' +
        'SUMMARY:Stand-\n up\nLOCATION:here\nEND:VEVENT\nEND:VCALENDAR\n',
    );
    assert.match(run(session, msg0, '1'), /\ntext\nStand-up\nhere\nwhy, how\n000\n$/);
  });

  it('knows the messages of the current room only', (t) => {
    const { w, ann, box, session, post } = world(t);
    post(1, 'x\n');
    for (const args of ['999', '0', '-1', 'abc', '']) {
      const number = Number.parseInt(args, 10) || 0;
      const gone = `550 message ${number} was not found in this room\n`;
      for (const verb of [msg0, msg2, msg4]) assert.equal(run(session, verb, args), gone);
    }
    assert.match(run(w.session(ann, w.room('Other')), msg0, '1'), /^550 /);
    updateVisit(w.store, visitOf(w.store, ann.id, box.id), { state: 'locked_out' });
    assert.match(run(session, msg0, '1'), /^550 /, 'a user who was kicked out while in the room');
  });
});

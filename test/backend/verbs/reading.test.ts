import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0, msg2, msg4, msgp } from '../../../src/backend/verbs/reading.ts';
import { CUT_NOTE } from '../../../src/html/output-bound.ts';
import { MAX_RENDERED_CHARACTERS } from '../../../src/limits/mime.ts';
import { messageWorld, run, runBytes } from '../../support/message-session.ts';
import { FORWARD, MIXED, NESTED } from '../../support/sample-messages.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const box = w.room('Box');
  const session = w.session(ann, box);
  const post = (format: number, body: string | Buffer, subject = 's') =>
    run(session, ent0, `1|||${format}|${subject}||1`, body);
  return { w, ann, box, session, post };
}

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
      'Content-type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:why\\, how\nSUMMARY:Stand-\n up\nLOCATION:here\nEND:VEVENT\nEND:VCALENDAR\n',
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

describe('MSG2', () => {
  it('sends CR LF lines, the stored MIME header, and an end line of LF alone', (t) => {
    const { session, post } = world(t);
    post(4, 'Content-type: text/plain; charset=utf-8\n\nPlain\nsecond\n');
    const generated = run(session, msg2, '1|3').slice(0, -4);
    assert.match(
      generated,
      /^100 msg:\nReturn-Path: ann\r\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} [+-]0000\r\nSubject: s\r\nMessage-ID: <[0-9A-F]{8}-00000001@vm>\r\nFrom: "ann" <ann@vm>\r\n$/,
    );
    const header = 'Content-type: text/plain; charset=utf-8\r\n';
    assert.equal(run(session, msg2, '1'), `${generated}${header}\r\nPlain\r\nsecond\r\n000\n`);
    assert.equal(run(session, msg2, '1|1'), `${generated}${header}000\n`);
    assert.equal(run(session, msg2, '1|2'), '100 msg:\n\r\n\r\nPlain\r\nsecond\r\n000\n');
  });

  it('separates text of formats 0 and 1 by a blank line, in all modes but 2', (t) => {
    const { session, post } = world(t);
    post(0, 'text\n');
    assert.match(run(session, msg2, '1'), /\r\nFrom: "ann" <ann@vm>\r\n\r\ntext\r\n000\n$/);
    for (const mode of [1, 3]) assert.match(run(session, msg2, `1|${mode}`), /\r\nFrom: "ann" <ann@vm>\r\n\r\n000\n$/);
    assert.equal(run(session, msg2, '1|2'), '100 msg:\ntext\r\n000\n');
  });

  it('takes a blank first line as an empty header', (t) => {
    const { session, post } = world(t);
    post(4, '\nText\n');
    assert.match(run(session, msg2, '1'), /"ann" <ann@vm>\r\n\r\nText\r\n000\n$/);
    assert.match(run(session, msg2, '1|1'), /"ann" <ann@vm>\r\n000\n$/);
  });

  it('writes valid senders: quotes escaped, encoded words outside quotes, an address for those without', (t) => {
    const { w, box, session } = world(t);
    const names: [string, string, string][] = [
      ['a "b" \\c', 'x@y', 'From: "a \\"b\\" \\\\c" <x@y>'],
      ['Vestibule', '', 'From: "Vestibule" <vestibule@vm>'],
      ['Zoë', 'z@y', 'From: =?UTF-8?B?Wm/Dqw==?= <z@y>'],
    ];
    for (const [author, address, line] of names) {
      const body = finishedBody(w.store, 1, Buffer.from('x\n'));
      const number = saveMessage(w.store, {
        format: 1,
        author,
        path: '',
        address,
        room: 'Box',
        subject: '',
        body,
        rooms: [box.id],
      });
      const lines = run(session, msg2, String(number)).split('\r\n');
      assert.ok(lines.includes(line), lines.join('\n'));
      assert.ok(lines.includes('Subject: (no subject)'));
    }
  });

  it('cannot be given further header lines by what a sender types', (t) => {
    const { w, box, session } = world(t);
    const body = finishedBody(w.store, 1, Buffer.from('x\n'));
    const evil = 'a\r\nX-Evil: 1';
    saveMessage(w.store, {
      format: 1,
      author: evil,
      path: evil,
      address: evil,
      room: evil,
      recipients: evil,
      cc: evil,
      euid: evil,
      references: evil,
      subject: evil,
      body,
      rooms: [box.id],
    });
    for (const verb of [msg0, msg2, msg4]) assert.doesNotMatch(run(session, verb, '1'), /^X-Evil/m);
  });

  it('folds long header lines at blanks', (t) => {
    const { session } = world(t);
    const references = Array.from({ length: 100 }, (_, i) => `id-number-${i}@host`);
    run(session, ent0, `1|||1|${'word '.repeat(300)}||1|||||${references.join('!')}`, 'x\n');
    const text = run(session, msg2, '1|3');
    assert.ok(text.split('\r\n').every((line) => line.length <= 998));
    const unfolded = text.replaceAll('\r\n ', ' ');
    assert.ok(unfolded.includes(`\r\nReferences: ${references.map((id) => `<${id}>`).join(' ')}\r\n`));
    assert.ok(unfolded.includes(`\r\nSubject: ${'word '.repeat(300).trim()}\r\n`));
  });

  it('streams a large body with its line ends, to the end although it is deleted meanwhile', (t) => {
    const { w, box, session, post } = world(t);
    const line = `${'y'.repeat(99)}\n`;
    post(4, `Content-type: text/plain\n\n${line.repeat(5000)}`);
    assert.equal(run(session, msg2, '1|2'), `100 msg:\n\r\n\r\n${line.replace('\n', '\r\n').repeat(5000)}000\n`);
    const reply = msg2(session, '1');
    assert.ok(typeof reply === 'object' && 'stream' in reply);
    const pieces = reply.stream[Symbol.iterator]();
    let text = '';
    for (let i = 0; i < 3; i++) text += pieces.next().value;
    removeFromRoom(w.store, box.id, [1]);
    for (const piece of { [Symbol.iterator]: () => pieces }) text += piece;
    assert.ok(text.endsWith(`\r\n\r\n${line.replace('\n', '\r\n').repeat(5000)}000\n`));
  });
});

describe('MSG4', () => {
  it('wraps text of formats 0 and 1 with a type', (t) => {
    const { session, post } = world(t);
    post(0, 'zero\n');
    post(1, 'one\n');
    assert.match(run(session, msg4, '1'), /\ntext\nContent-type: text\/x-citadel-variformat\n\nzero\n000\n$/);
    assert.match(run(session, msg4, '2'), /\ntext\nContent-type: text\/plain\n\none\n000\n$/);
    assert.doesNotMatch(run(session, msg4, '1'), /type=/);
  });

  it('sends the part that MSGP likes best, else the first', (t) => {
    const { session, post } = world(t);
    post(4, NESTED);
    const first = /\ntext\nContent-type: text\/plain\n\ndeep plain\n000\n$/;
    assert.match(run(session, msg4, '1'), first);
    assert.equal(run(session, msgp, 'text/html|text/plain'), '200 Preferred MIME formats have been set.\n');
    const html =
      'Content-type: text/html\nContent-length: 38\nContent-transfer-encoding: 7bit\nX-Citadel-MSG4-Partnum: 1.1.2\n\n';
    assert.ok(run(session, msg4, '1|0').endsWith(`\ntext\n${html}<p>deep html <img src="cid:pic1"></p>\n000\n`));
    run(session, msgp, 'text/x-none');
    assert.match(run(session, msg4, '1'), first);
  });

  it('does not prefer an attachment to the text of the message', (t) => {
    const { session, post } = world(t);
    post(
      4,
      'Content-type: multipart/mixed; boundary=b\n\n--b\nContent-type: text/plain\n\nbody\n--b\nContent-type: text/html\nContent-disposition: attachment\n\n<p>\n--b--\n',
    );
    run(session, msgp, 'text/html|text/plain');
    assert.match(run(session, msg4, '1'), /\nX-Citadel-MSG4-Partnum: 1\n\nbody\n000\n$/);
    run(session, msgp, 'text/html');
    assert.match(run(session, msg4, '1'), /\nX-Citadel-MSG4-Partnum: 2\n\n<p>\n000\n$/);
  });

  it('names the encoding of what it sends', (t) => {
    const { session, post } = world(t);
    post(4, 'Content-type: text/html; charset=utf-8\nContent-transfer-encoding: quoted-printable\n\n<p>=C3=BC</p>\n');
    run(session, msgp, 'text/html');
    const head = (length: number, encoding: string) =>
      `\ntext\nContent-type: text/html; charset=utf-8\nContent-length: ${length}\nContent-transfer-encoding: ${encoding}\nX-Citadel-MSG4-Partnum: 1\n\n`;
    assert.ok(run(session, msg4, '1').endsWith(`${head(10, '8bit')}<p>ü</p>\n000\n`));
    assert.equal(run(session, msgp, 'dont_decode'), '200 MSG4 will not pre-decode messages.\n');
    assert.ok(run(session, msg4, '1').endsWith(`${head(14, 'quoted-printable')}<p>=C3=BC</p>\n000\n`));
  });

  it('gets no further lines from parameters of a part', (t) => {
    const { session, post } = world(t);
    post(4, "Content-type: text/plain; charset*=UTF-8''a%0A000%0AX-Evil:1; name*=UTF-8''b%0A000\n\nx\n");
    run(session, msgp, 'text/plain');
    for (const verb of [msg0, msg4]) assert.doesNotMatch(run(session, verb, '1').slice(0, -4), /^(000|X-Evil.*)$/m);
  });

  it('shows a forwarded message as one of its own', (t) => {
    const { session, post } = world(t);
    post(4, NESTED);
    run(session, msgp, 'text/html|text/plain');
    assert.equal(
      run(session, msg4, '1|2'),
      `100 msg:
time=1704067200
from=Other
rfca=other@example.org
subj=inner mail
pref=|multipart/mixed
part=||1||text/plain|10||
part=a.pdf|a.pdf|2|attachment|application/pdf|8||
suff=|multipart/mixed
text
Content-type: text/plain
Content-length: 11
Content-transfer-encoding: 7bit
X-Citadel-MSG4-Partnum: 1

inner text
000
`,
    );
    for (const section of ['1', '9', '2.1'])
      assert.equal(run(session, msg4, `1|${section}`), `575 msg 1 has no part ${section}\n`);
  });
});

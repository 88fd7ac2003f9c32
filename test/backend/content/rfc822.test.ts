import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { msg4 } from '../../../src/backend/verbs/citadel/reading.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0, msg2 } from '../../../src/backend/verbs/reading.ts';
import { run } from '../../support/message-session.ts';
import { world } from '../../support/posting-session.ts';

describe('MSG2', () => {
  it('sends CR LF lines, the stored MIME header, and an end line of LF alone', (t) => {
    const { session, post } = world(t);
    post(4, 'Content-type: text/plain; charset=utf-8\n\nPlain\nsecond\n');
    const generated = run(session, msg2, '1|3').slice(0, -4);
    const [status, ...lines] = generated.split('\n');
    assert.equal(status, '100 msg:');
    const forms = [
      /^Return-Path: ann\r$/,
      /^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} [+-]0000\r$/,
      /^Subject: s\r$/,
      /^Message-ID: <[0-9A-F]{8}-00000001@vm>\r$/,
      /^From: "ann" <ann@vm>\r$/,
      /^$/,
    ];
    assert.equal(lines.length, forms.length);
    for (const [i, form] of forms.entries()) assert.match(lines[i]!, form);
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

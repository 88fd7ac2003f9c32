import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { msg4, msgp } from '../../../src/backend/verbs/citadel/reading.ts';
import { msg0 } from '../../../src/backend/verbs/reading.ts';
import { run } from '../../support/message-session.ts';
import { world } from '../../support/posting-session.ts';
import { NESTED } from '../../support/sample-messages.ts';

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
      'Content-type: multipart/mixed; boundary=b\n\n--b\nContent-type: text/plain\n\nbody\n' +
        '--b\nContent-type: text/html\nContent-disposition: attachment\n\n<p>\n--b--\n',
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
      `\ntext\nContent-type: text/html; charset=utf-8\nContent-length: ${length}\n` +
      `Content-transfer-encoding: ${encoding}\nX-Citadel-MSG4-Partnum: 1\n\n`;
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

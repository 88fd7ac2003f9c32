// Parts of a stored message: found, decoded, and listed.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { asField, decodedPart, findPart, partLines, partText } from '../../../src/backend/store/message-part.ts';
import { messageByNumber, structureOf } from '../../../src/backend/store/messages.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

const PARTS = `--x
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--x
Content-Type: application/pdf; name="a|b.pdf"
Content-Disposition: attachment; filename="c.pdf"
Content-ID: <One@x>
Content-Transfer-Encoding: base64

AAEC
--x
Content-Type: image/png
Content-ID: <1>
Content-Transfer-Encoding: uuencode-2

??
--x--
`;

function stored(t: TestContext, type = 'multipart/mixed; boundary=x', text = PARTS) {
  const w = messageWorld(t);
  const id = saveIn(w, w.room('Box'), { type, text });
  const { blob } = messageByNumber(w.store, id)!;
  return { store: w.store, body: { blob }, root: structureOf(w.store, id)! };
}

describe('a part of a message', () => {
  it('is found by its number before any Content-ID, and by that in any case', (t) => {
    const { root } = stored(t);
    assert.equal(findPart(root, '2')?.type, 'application/pdf');
    assert.equal(findPart(root, 'ONE@X')?.number, '2');
    assert.equal(findPart(root, '1')?.type, 'text/plain');
    for (const id of ['', '4', '2.1', '<one@x>', ' 2']) assert.equal(findPart(root, id), undefined, id);
  });

  it('is decoded; in an encoding that nobody knows it is as it is', (t) => {
    const { store, body, root } = stored(t);
    const decoded = decodedPart(store, body, findPart(root, '2')!);
    assert.deepEqual(Buffer.concat([...decoded]), Buffer.from([0, 1, 2]));
    assert.equal(partText(store, body, findPart(root, '3')!, 3), '??');
  });

  it('is read as text in its charset, up to so many bytes', (t) => {
    const { store, body, root } = stored(t);
    const text = findPart(root, '1')!;
    assert.equal(partText(store, body, text, 100), 'Grüße');
    assert.equal(partText(store, body, text, 3), 'Grü');
    assert.equal(partText(store, body, text, 0), '');
    const other = stored(t, 'text/plain', 'another\n');
    const only = findPart(other.root, '1')!;
    for (let round = 0; round < 2; round++) {
      assert.equal(partText(store, body, text, 100), 'Grüße');
      assert.equal(partText(other.store, other.body, only, 100), 'another\n');
    }
  });

  it('of HTML is read in the charset that it names itself', (t) => {
    const type = 'text/html\nContent-Transfer-Encoding: quoted-printable';
    const { store, body, root } = stored(t, type, '<meta charset=3D"koi8-r">=E4=C1\n');
    assert.equal(partText(store, body, findPart(root, '1')!, 1000), '<meta charset="koi8-r">Да\n');
  });
});

describe('the list of parts', () => {
  it('has a line for each, inside brackets, and no value ends a field', (t) => {
    const { root } = stored(t);
    assert.equal(
      partLines(root),
      'pref=|multipart/mixed\n' +
        'part=||1||text/plain|9||iso-8859-1\n' +
        'part=a_b.pdf|c.pdf|2|attachment|application/pdf|4|One@x|\n' +
        'part=||3||image/png|2|1|\n' +
        'suff=|multipart/mixed\n',
    );
  });

  it('does not tell what is inside of an alternative', (t) => {
    const { root } = stored(t, 'multipart/alternative; boundary=x');
    assert.equal(partLines(root), '');
  });

  it('has an enclosed message as a file, and with what is in it', (t) => {
    const { root } = stored(t, 'message/rfc822', 'Subject: inner\nContent-Type: text/html\n\n<p>x\n');
    const lines = partLines(root).split('\n');
    assert.match(lines[0]!, /^part=\|\|1\|\|message\/rfc822\|/);
    assert.deepEqual(
      lines.slice(1).map((line) => line.replace(/\|\d+\|\|$/, '')),
      ['pref=1|message/rfc822', 'part=||1.1||text/html', 'suff=1|message/rfc822', ''],
    );
  });

  it('cannot be given another line by a name', () => {
    assert.equal(asField('a|b\r\nc\0d é'), 'a_b__c_d é');
  });
});

// The text of a message as MSG0 and MSG4 show it.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { textForListing } from '../../../src/backend/content/message-text.ts';
import { messageByNumber, structureOf } from '../../../src/backend/store/messages.ts';
import { messageWorld } from '../../support/message-session.ts';
import { type SavedFields, saveIn } from '../../support/saved-message.ts';

function shown(t: TestContext, fields: SavedFields): string {
  const w = messageWorld(t);
  const id = saveIn(w, w.room('Box'), fields);
  const row = messageByNumber(w.store, id)!;
  return Buffer.concat([...textForListing(w.store, row, structureOf(w.store, id))]).toString();
}

const part = (type: string, body: string) => `--x\nContent-Type: ${type}\n\n${body}\n`;
const multipart = (kind: string, ...parts: string[]): SavedFields => ({
  type: `multipart/${kind}; boundary=x`,
  text: `${parts.join('')}--x--\n`,
});

describe('the text of a message', () => {
  it('of the text formats is folded, and never ends the listing', (t) => {
    const folded = shown(t, { format: 0, text: 'word '.repeat(100) })
      .trimEnd()
      .split('\n');
    assert.ok(folded.length > 1 && folded.every((line) => line.length < 80), folded.join('\n'));
    assert.doesNotMatch(shown(t, { format: 0, text: '000\n' }), /^000$/m);
    assert.equal(shown(t, { format: 1, text: 'one\n  two\n' }), 'one\n  two\n');
    assert.doesNotMatch(shown(t, { format: 1, text: 'a\n000\nb\n' }), /^000$/m);
  });

  it('has the texts of all parts, decoded, and a line for every other part', (t) => {
    const text = shown(
      t,
      multipart(
        'mixed',
        part('text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable', 'Gr=C3=BC=C3=9Fe'),
        part('text/html', '<p>one <b>two</b></p><script>x</script>'),
        part('image/png; name="a.png"\nContent-Transfer-Encoding: base64', 'AAEC'),
      ),
    );
    assert.match(text, /^Grüße/);
    assert.match(text, /one two/);
    assert.doesNotMatch(text, /<|script|x\b/);
    assert.match(text, /Part 3: a\.png \(image\/png\) \(3 bytes\)/);
  });

  it('of an alternative is the first', (t) => {
    const text = shown(t, multipart('alternative', part('text/plain', 'plain'), part('text/html', '<p>rich</p>')));
    assert.match(text, /plain/);
    assert.doesNotMatch(text, /rich/);
  });

  it('of an event or a card is its values', (t) => {
    const event = 'BEGIN:VEVENT\nSUMMARY:Lunch\\, late\nLOCATION:Hall\nATTENDEE:mailto:ann@vm\nUID:secret\nEND:VEVENT';
    assert.equal(shown(t, { type: 'text/calendar', text: event }), 'Lunch, late\nHall\nmailto:ann@vm\n');
    const task = 'BEGIN:VTODO\nSUMMARY:Water\nEND:VTODO\n';
    assert.equal(shown(t, { type: 'application/ics', text: task }), 'Water\n');
    assert.match(shown(t, { type: 'text/vcard', text: 'BEGIN:VCARD\nFN:Ann\nEND:VCARD\n' }), /^Ann\n/m);
  });

  it('of an enclosed message tells of it, and has its text', (t) => {
    const text = shown(t, { type: 'message/rfc822', text: 'Subject: inner\nContent-Type: text/plain\n\nhello\n' });
    assert.match(text, /^Part 1: {2}\(message\/rfc822\) \(\d+ bytes\)\r?\nhello\n$/);
  });

  it('cannot be given another line by the name of a part', (t) => {
    const text = shown(t, { type: `image/png; name*=utf-8''a%0D%0A000%0D%0A`, text: 'x\n' });
    assert.equal(text.split('\n').length, 2);
    assert.match(text, /^Part 1: a /);
  });
});

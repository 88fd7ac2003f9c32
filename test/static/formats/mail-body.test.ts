// What the web client sends as the body of a message: read again by the parser of the gateway's own side.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { holdsPicture, mailBody, quotedPrintable, withContentIds } from '../../../static/formats/mail-body.js';

const decoded = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

describe('the body of a message', () => {
  it('is only text where nothing has a form', () => {
    assert.deepEqual(mailBody({ text: 'Hello\n\n' }), { type: 'text/plain; charset=utf-8', body: 'Hello\n' });
  });

  it('has text and HTML as alternatives, and pictures beside the HTML', () => {
    const picture = { cid: 'a@picture', type: 'image/png', name: 'q"\r\n.png', base64: 'A'.repeat(200) };
    const { type, body } = mailBody({ text: 'Hi', html: '<p>Hi <b>ö</b></p>', pictures: [picture] });
    const [, boundary] = /^multipart\/alternative; boundary="([^"]+)"$/.exec(type)!;
    const [before, text, related, after] = body.split(`--${boundary}`);
    assert.deepEqual([before, after], ['', '--\r\n']);
    assert.match(text!, /^\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
    assert.match(related!, /^\r\nContent-Type: multipart\/related; boundary=/);
    assert.match(decoded(related!), /<p>Hi <b>ö<\/b><\/p>/);
    assert.match(
      related!,
      /Content-ID: <a@picture>\r\nContent-Disposition: inline; filename="q_*\.png"\r\n\r\nA{76}\r\n/,
    );
    assert.ok(body.split('\r\n').every((line: string) => line.length <= 76 || line.startsWith('Content-Type')));
  });

  for (const text of [
    'a=b',
    'a\n000\nb',
    '0000',
    'ends in a blank ',
    'ünïcode 🙂'.repeat(30),
    'x'.repeat(500),
    `${'x'.repeat(75)}000`,
    '',
    'one\ntwo',
    '\ttab\t',
  ]) {
    it(`survives quoted-printable: ${JSON.stringify(text.slice(0, 20))}`, () => {
      const written = quotedPrintable(text);
      assert.equal(decoded(written), text.replaceAll('\n', '\r\n'));
      for (const line of written.split('\r\n')) {
        assert.ok(line.length <= 76);
        assert.doesNotMatch(line, /[ \t]$|[^\x20-\x7e\t]|^000$/);
      }
    });
  }

  it('gives pictures their names within the message again, and no others', () => {
    const parts = [
      { partnum: '1.2', content_id: 'a b@x' },
      { partnum: '2', content_id: '' },
      { partnum: '3', content_id: 'logo@x' },
      { partnum: '4', content_id: 'twice@x' },
      { partnum: '5', content_id: 'twice@x' },
    ];
    const html =
      '<img src="/svc/r/Mail/7/1.2"><img alt="" src="/svc/r/Mail/7/a%20b%40x"><img src="/svc/r/Mail/7/logo%40x">' +
      `<td style="background-image: url('/svc/r/Mail/7/2')"><img src="/svc/r/Mail/7/5"><img src="x/%zz">` +
      `<img src="https://x.example/2"><p style="background-image: url('//x.example/logo%40x')">/svc/r/Mail/7/2 src=</p>`;
    const written = withContentIds(html, parts);
    assert.equal(
      written.html,
      '<img src="cid:part-1.2@picture"><img alt="" src="cid:part-1.2@picture"><img src="cid:logo@x">' +
        `<td style="background-image: url('cid:part-2@picture')"><img src="cid:part-5@picture"><img src="x/%zz">` +
        `<img src="https://x.example/2"><p style="background-image: url('//x.example/logo%40x')">/svc/r/Mail/7/2 src=</p>`,
    );
    assert.deepEqual(
      written.shown.map(({ part, cid }: { part: { partnum: string }; cid: string }) => [part.partnum, cid]),
      [
        ['1.2', 'part-1.2@picture'],
        ['3', 'logo@x'],
        ['2', 'part-2@picture'],
        ['5', 'part-5@picture'],
      ],
    );
    assert.ok(holdsPicture(written.html, 'logo@x') && holdsPicture(written.html, 'part-2@picture'));
    assert.ok(!holdsPicture(written.html, 'logo@') && !holdsPicture(written.html, 'part-4@picture'));
  });
});

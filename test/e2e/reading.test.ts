// Mails as programs really write them, put into a room and read back as JSON, directly and through a second gateway.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startBoth } from '../support/gateway.ts';
import { mailBytes, mailNames, putMail } from '../support/mails.ts';
import { type PartJson, partRow, readJson } from '../support/message-json.ts';

interface Expected {
  subj: string;
  /** `@` stands for the path of the message */
  html: string | RegExp;
  plain: string | RegExp;
  /** number, type, name */
  parts?: string[];
  isBlocked?: boolean;
}

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"';
const JAPANESE = '日本語のメールです。\nよろしくお願いします。\n';
const INVITATION = [
  'Invitation: Budget, second round',
  'When: Wednesday, 3 June 2026, 10:00 – 11:30 (Europe/Berlin)',
  'Repeats: every week on Wednesday and Friday, until Friday, 31 July 2026',
  'Where: Room 5',
  'Organiser: Weiß, Jörg <joerg@example.org>',
  'Attendees: Alice <alice@example.org> (no answer yet), Bob <bob@example.org> (accepted)',
  '',
  'Bring the numbers.',
  'All of them.',
  '',
].join('\n');

const inOrder = (...pieces: RegExp[]) => new RegExp(pieces.map(({ source }) => source).join(''));

const EXPECTED: Record<string, Expected> = {
  'apple-mail': {
    subj: 'Plan',
    html: '<div style="overflow-wrap: break-word">Above the <i>plan</i>.<div><br></div></div><div>Below the <i>plan</i>.</div>',
    plain: 'Above the plan.\n\n\n\nBelow the plan.\n',
    parts: ['2.2 application/pdf Pläne 2026.pdf'],
  },
  bounce: {
    subj: 'Undelivered Mail Returned to Sender',
    html: '<div>Your message could not be delivered.</div>',
    plain: 'Your message could not be delivered.',
    parts: ['1 text/plain', '2 message/delivery-status', '3 message/rfc822 Hello.eml', '3.1 text/plain'],
  },
  'broken-encoding': {
    subj: 'Encodings that are not',
    html: '<div>café =XY 100</div><div>as it is</div><div>good news</div>',
    plain: 'café =XY 100\nas it is\ngood news',
    parts: ['1 text/plain', '2 text/plain', '3 text/plain'],
  },
  'broken-no-boundary': { subj: 'No boundary is named', html: '<div>first</div>', plain: 'first' },
  'broken-no-headers': {
    subj: 'A part without headers and a short one',
    html: '<div>no header at all</div><div>x</div>',
    plain: 'no header at all\nx',
  },
  'broken-other-boundary': {
    subj: 'The boundary does not occur',
    html: '<div>still to be read</div>',
    plain: 'still to be read',
  },
  'broken-same-boundary': {
    subj: 'Inner and outer boundary are alike',
    html: '<p>words of a page</p>',
    plain: 'plain words',
  },
  'broken-unclosed': {
    subj: 'The last part does not end',
    html: '<div>first</div><div>second, without an end</div>',
    plain: 'first\nsecond, without an end\n',
  },
  'chinese-gb18030': { subj: '你好', html: '<p>你好，<b>世界</b> €</p>', plain: '你好，世界 €\n', parts: [] },
  contact: {
    subj: 'My card',
    html: /^<div>As you asked\.<\/div><div>Dr\. Eva Müller<br>Organisation: Example, Inc\., Sales<br>/,
    plain: inOrder(
      /\nTelephone: \+49 170 456 \(cell\)\nEmail: eva@example\.org \(home\)/,
      /\nAddress: Main Street 1, Berlin, 10115, Germany \(work\)\n$/,
    ),
    parts: ['1 text/plain', '2 text/x-vcard'],
  },
  'cyrillic-koi8-r': {
    subj: 'Привет',
    html: '<div>Привет, Алиса!<br>До встречи.</div>',
    plain: 'Привет, Алиса!\nДо встречи.\n',
    parts: ['1 text/plain'],
  },
  digest: {
    subj: 'Digest',
    html: inOrder(
      /^<div>Topics of today: one, two\.<\/div><hr>/,
      /<div>From: <a href="mailto:ann@example\.org" [^>]*>ann@example\.org<\/a><br>.*Subject: One<\/div><div>The first entry\.<\/div><hr>/,
      /<div>From: Jörg &lt;<a [^>]*>joerg@example\.org<\/a>&gt;<br>Subject: Two<\/div><p>The <b>second<\/b> entry\.<\/p>$/,
    ),
    plain: /----\nFrom: ann@example\.org\nDate: .*\nSubject: One\n\nThe first entry\.\n----\n/,
    parts: [
      '1 text/plain',
      '2.1 message/rfc822 One.eml',
      '2.1.1 text/plain',
      '2.2 message/rfc822 Two.eml',
      '2.2.1 text/html',
    ],
  },
  flowed: {
    subj: 'Re: Flowed',
    html: inOrder(
      /^<blockquote><div>This was written by someone else, on lines that belong together\.<\/div>/,
      /<blockquote><div>And this by the one before\.<\/div><\/blockquote><\/blockquote>/,
      /.*but it is one paragraph\.<br>\u00a0&gt;not a quote.*<\/div><div style="opacity: 0\.7">-- <br>Alice<\/div>$/,
    ),
    plain: /\n\nMy answer is long enough to be broken in two, but it is one paragraph\.\n/,
  },
  'gmail-forward': {
    subj: 'Fwd: Lunch',
    html: new RegExp(
      `See below 😀.*<a href="mailto:dan@example.net" ${LINK}>dan@example.net</a>&gt;</span>.*At noon\\?`,
    ),
    plain: /^See below 😀\n\n---------- Forwarded message/,
    parts: [],
  },
  'html-meta-charset': { subj: 'The charset is in the page', html: /<p>Привет<\/p>/, plain: 'Привет\n' },
  invitation: {
    subj: 'Invitation: Budget, second round',
    html: '<p>You are <b>invited</b>.</p>',
    plain: 'You are invited.\n',
    parts: ['1.3 text/calendar', '2 application/ics invite.ics'],
  },
  'invitation-alone': {
    subj: 'Budget',
    html: inOrder(
      /^<div>Invitation: Budget, second round<br>/,
      /When: Wednesday, 3 June 2026, 10:00 – 11:30 \(Europe\/Berlin\)<br>/,
    ),
    plain: INVITATION,
    parts: ['1 text/calendar meeting.ics'],
  },
  'japanese-iso-2022-jp': { subj: '会議', html: /日本語のメールです。<br>/, plain: JAPANESE },
  'japanese-shift-jis': {
    subj: '会議',
    html: /日本語のメールです。<br>/,
    plain: JAPANESE,
    parts: ['1 text/plain', '2 application/pdf 会議資料.pdf'],
  },
  'nested-forward': {
    subj: 'Fwd: Fwd: Fwd: The picture',
    html: '<p>Look: no picture here</p>',
    plain: 'Look: [no picture here]\n',
    parts: [
      '1 text/html',
      '2 message/rfc822 first.eml',
      '2.1.1 text/plain',
      '2.1.2 message/rfc822 Fwd: The picture.eml',
      '2.1.2.1.1 text/plain',
      '2.1.2.1.2 message/rfc822 The picture.eml',
      '2.1.2.1.2.1.1 image/png pic.png',
      '2.1.2.1.2.1.2 text/html',
      '2.1.3 application/pdf inner.pdf',
      '3 message/rfc822 Packed.eml',
      '3.1 text/html',
    ],
  },
  newsletter: {
    subj: '50% off 🎉 only today',
    html:
      '<div style="display: none; max-height: 0">Pre-header</div><table width="600" align="center" bgcolor="#ffffff"><tr>' +
      '<td style="padding: 10px; color: #333"><h1>Half price</h1><a href="https://shop.example/sale?u=1&amp;v=2" ' +
      `${LINK}>To the sale</a></td></tr></table>`,
    plain: 'Half price. https://shop.example/sale',
    parts: [],
    isBlocked: true,
  },
  'outlook-related': {
    subj: 'Angebot für März',
    html:
      '<div class="m-mail-aab9aa91d8cd"><style>.m-mail-aab9aa91d8cd p.m-MsoNormal{margin: 0cm}</style><div lang="DE">' +
      '<div class="m-WordSection1"><p class="m-MsoNormal">Sehr geehrte Frau Müller,</p><p class="m-MsoNormal">' +
      'anbei unser „<b>Angebot</b>“ über 1.000\u00a0€.</p><p><img src="@/image001.png%4001DCAB00.12345678" width="100" ' +
      'height="50" id="m-Bild_1" alt="Logo"></p></div></div></div>',
    plain: 'Sehr geehrte Frau Müller,\n\nanbei unser „Angebot“ über 1.000 €.\n',
    parts: [
      '1.2 image/png image001.png',
      '2 application/vnd.openxmlformats-officedocument.wordprocessingml.document Angebot März.docx',
    ],
  },
  'pgp-signed': {
    subj: 'Signed',
    html: '<div>Das habe ich unterschrieben. Grüße</div>',
    plain: 'Das habe ich unterschrieben. Grüße\n',
    parts: ['1.1 text/plain', '2 application/pgp-signature OpenPGP_signature.asc'],
  },
  'same-names': {
    subj: 'Twins',
    html: '<p><img src="@/Inside%40x"><img src="@/1.2.3"><img src="@/2"><img src="@/1.2.4">missing</p>',
    plain: 'two pictures',
    parts: [
      '1.2.2 image/png',
      '1.2.3 image/png two.png',
      '1.2.4 image/gif',
      '2 image/png twin.png',
      '3 image/gif twin.png',
    ],
  },
  'smime-signed': {
    subj: 'Signed with a certificate',
    html: '<p>Das kostet <b>5 €</b>.</p>',
    plain: 'Das kostet 5 €.',
    parts: ['2 application/pkcs7-signature smime.p7s'],
  },
  'utf-16': {
    subj: 'Wide',
    html: '<div>Big end first: ž</div><div>Little end first: ž</div><div>With a mark: ž</div>',
    plain: /^Big end first: ž\n\nLittle end first: ž\n\nWith a mark: ž\n$/,
  },
};

const PNG_LENGTH = 70;
const room = 'Town%20Square';

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const put = (mail: string) => putMail(alice, room, mailBytes(mail));

  describe(`mails on ${name}`, () => {
    it('are all expected to read as something', () => {
      assert.deepEqual(mailNames().sort(), Object.keys(EXPECTED).sort());
    });

    for (const [mail, expected] of Object.entries(EXPECTED)) {
      it(`read well: ${mail}`, async () => {
        const path = await put(mail);
        const page = await readJson(alice, `${path}/json`);
        check(page.text.replaceAll(path, '@'), expected.html);
        check((await readJson(alice, `${path}/json?text=plain`)).text, expected.plain);
        assert.deepEqual(
          [page.subj, page.has_blocked_remote, page.is_cut],
          [expected.subj, expected.isBlocked ?? false, false],
        );
        if (expected.parts) assert.deepEqual(page.parts.map(partRow), expected.parts);
        for (const part of page.parts) await checkPart(path, part);
        for (const [, source] of page.text.matchAll(/<img src="([^"]*)"/g)) {
          const image = await alice(source!.replaceAll('&amp;', '&'));
          assert.deepEqual([image.status, image.headers.get('content-type')?.split('/')[0]], [200, 'image'], source!);
        }
        assert.deepEqual(gateway.faults, []);
      });
    }

    /** What is listed can be fetched, is as long as it says, and can do nothing in our origin. */
    async function checkPart(path: string, part: PartJson) {
      const response = await alice(`${path}/${part.partnum}`);
      if (part.size === undefined) {
        assert.equal(response.status, 404, `${part.partnum}: an encoding that nobody knows`);
        return;
      }
      assert.equal(response.status, 200, part.partnum);
      assert.equal((await response.arrayBuffer()).byteLength, part.size, part.partnum);
      assert.equal(
        response.headers.get('content-security-policy'),
        "sandbox; default-src 'none'; frame-ancestors 'self'",
      );
      const disposition = response.headers.get('content-disposition') ?? '';
      if (part.disposition === 'attachment') assert.match(disposition, /^attachment/);
      if (part.disposition === 'attachment' && part.filename !== '') {
        assert.ok(disposition.includes(encodeURIComponent(part.filename)) || disposition.includes(part.filename));
      }
    }
  });

  describe(`attachments of a message on ${name}`, () => {
    const load = async (mail: string) => {
      const path = await put(mail);
      const response = await alice(path.replace('/r/', '/p/'));
      assert.equal(response.status, 200);
      const records = (await response.json()) as {
        uploadfilename: string;
        contenttype: string;
        contentlength: number;
      }[];
      return records.map((record) => [record.uploadfilename, record.contenttype, record.contentlength]);
    };

    it('take a forwarded message along as one file, not what is in it a second time', async () => {
      assert.deepEqual(
        (await load('nested-forward')).map(([file, type]) => [file, type]),
        [
          ['first.eml', 'message/rfc822'],
          ['Packed.eml', 'message/rfc822'],
        ],
      );
    });

    it('keep their names and types, also inside alternatives and where the sender gave no name', async () => {
      assert.deepEqual(
        (await load('apple-mail')).map(([file, type]) => [file, type]),
        [['Pläne 2026.pdf', 'application/pdf']],
      );
      assert.deepEqual(await load('same-names'), [
        ['part-1.2.2.png', 'image/png', PNG_LENGTH],
        ['two.png', 'image/png', PNG_LENGTH],
        ['part-1.2.4.gif', 'image/gif', 14],
        ['twin.png', 'image/png', PNG_LENGTH],
        ['twin.png', 'image/gif', 14],
      ]);
    });
  });

  describe(`large and packed messages on ${name}`, () => {
    it('are cut at the bound, and say so', async () => {
      const line = `${'x'.repeat(63)}\n`;
      const bound = 2 * 1024 * 1024;
      const read = async (size: number) => {
        const headers = { 'content-type': 'text/plain; charset=utf-8' };
        const response = await alice(`r/${room}/new`, {
          method: 'PUT',
          headers,
          body: line.repeat(size / line.length),
        });
        return readJson(alice, `${response.headers.get('location')}/json?text=plain`);
      };
      const whole = await read(bound);
      assert.deepEqual([whole.text.length, whole.is_cut], [bound, false]);
      const cut = await read(bound + line.length);
      assert.equal(cut.is_cut, true);
      assert.equal(cut.text.slice(bound), '\n[The text is longer than what is shown here.]\n');
    });

    it('have their text and their parts, though no more than the beginning is looked at', async () => {
      const picture = 'Content-Type: image/png; name=a.png\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64\n\n';
      const large = `${'A'.repeat(76)}\n`.repeat(70_000);
      const parts = [
        'Content-Type: text/html\n\n<img src="cid:b@x">',
        picture + large,
        `${picture.replace('a.png', 'b.png').replace('a@x', 'b@x')}AAAA`,
      ];
      const headers = { 'content-type': 'multipart/related; boundary=b' };
      const body = `${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`;
      const response = await alice(`r/${room}/new`, { method: 'PUT', headers, body });
      const message = await readJson(alice, `${response.headers.get('location')}/json`);
      assert.deepEqual(
        [message.text, message.is_cut],
        [`<img src="${response.headers.get('location')}/b%40x">`, false],
      );
      assert.deepEqual(
        message.parts.map((part) => [part.partnum, part.filename, part.size]),
        [
          ['1', '', 19],
          ['2', 'a.png', undefined],
          ['3', 'b.png', undefined],
        ],
      );
    });

    it('can be read when the line protocol could not carry them as they are', async () => {
      const body = '--b\nContent-Type: text/html\n\n<p>zero\n000\n</p><img src="cid:x">\n--b--\n';
      const headers = { 'content-type': 'multipart/mixed; boundary=b' };
      const response = await alice(`r/${room}/new`, { method: 'PUT', headers, body });
      const message = await readJson(alice, `${response.headers.get('location')}/json`);
      assert.equal(message.text, '<p>zero\n000\n</p>');
    });
  });
}

function check(text: string, expected: string | RegExp): void {
  if (typeof expected === 'string') assert.equal(text, expected);
  else assert.match(text, expected);
}

// Messages inside messages: forwards, digests, bounces, read like the outer one, directly and through a second gateway.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startBoth } from '../../support/gateway.ts';
import { mailBytes, putMail } from '../../support/mails.ts';
import { partRow, readJson } from '../../support/message-json.ts';

const PNG_LENGTH = 70;
const room = 'Town%20Square';

const message = (from: string, content: string): string =>
  `From: ${from}\nSubject: inner\nMIME-Version: 1.0\n${content}\n`;
const multipart = (subtype: string, boundary: string, ...parts: string[]): string =>
  `Content-Type: multipart/${subtype}; boundary=${boundary}\n\n` +
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const put = (mail: string) => putMail(alice, room, mailBytes(mail));
  const send = (content: string) => putMail(alice, room, Buffer.from(content));

  describe(`messages in messages on ${name}`, () => {
    it('can be read like the outer one, at any depth', async () => {
      const path = await put('nested-forward');
      const first = await readJson(alice, `${path}/2/json`);
      assert.deepEqual(
        [first.from, first.rfca, first.subj, first.time, first.text],
        ['Bob, the first', 'bob@example.org', 'Fwd: schön', 1772958600, '<div>In the first message.</div>'],
      );
      assert.deepEqual(first.rcpt, ['Alice <alice@example.org>', 'Müller, Eva <eva@example.org>']);
      assert.match(first.content_type, /^multipart\/mixed/);
      assert.deepEqual(first.parts.map(partRow)[0], '2.1.1 text/plain');
      assert.deepEqual(first.parts.map(partRow).at(-1), '2.1.3 application/pdf inner.pdf');
      assert.equal((await readJson(alice, `${path}/2.1.2/json?text=plain`)).text, 'In the second message.');
      const third = await readJson(alice, `${path}/2.1.2.1.2/json`);
      assert.equal(third.text, `<p>In the third message: <img src="${path}/2.1.2.1.2.1.1" alt="pic"></p>`);
      const image = await alice(`${path}/2.1.2.1.2.1.1`);
      assert.deepEqual([image.status, (await image.arrayBuffer()).byteLength], [200, PNG_LENGTH]);
      assert.deepEqual(third.parts.map(partRow), ['2.1.2.1.2.1.1 image/png pic.png', '2.1.2.1.2.1.2 text/html']);
    });

    it('can be read when they are encoded as a whole', async () => {
      const path = await put('nested-forward');
      const packed = await readJson(alice, `${path}/3/json`);
      assert.deepEqual([packed.subj, packed.text], ['Packed', '<p>An encoded message gone</p>\n']);
      assert.deepEqual(packed.parts.map(partRow), ['3.1 text/html']);
    });

    it('of a digest and of a bounce can be read', async () => {
      const digest = await put('digest');
      assert.equal((await readJson(alice, `${digest}/2.2/json`)).text, '<p>The <b>second</b> entry.</p>');
      const bounce = await put('bounce');
      const returned = await readJson(alice, `${bounce}/3/json`);
      assert.deepEqual([returned.subj, returned.text], ['Hello', '<div>Grüße</div>']);
      assert.deepEqual(returned.parts.map(partRow), ['3.1 text/plain']);
    });

    it('are 404 where there is none, 400 for what cannot be asked', async () => {
      const path = await put('nested-forward');
      for (const part of ['1', '2.1', '2.1.1', '4', 'x', 'a%7Cb', 'pic@x']) {
        assert.equal((await alice(`${path}/${part}/json`)).status, 404, part);
      }
      assert.equal((await alice(`${path}/2/json?text=other`)).status, 400);
      assert.equal((await alice(`r/${room}/999999/2/json`)).status, 404);
    });
  });

  describe(`the sender of a message in a message on ${name}`, () => {
    const SENDERS: [field: string, from: string, address: string | undefined][] = [
      ['"Quoted \\"N\\" ame" <q@x>', 'Quoted "N" ame', 'q@x'],
      ['=?utf-8?Q?J=C3=B6rg?= <j@x>', 'Jörg', 'j@x'],
      ['bare@x', 'bare@x', 'bare@x'],
      ['bare@x (Old =?utf-8?Q?Fa=C3=A7on?=)', 'Old Façon', 'bare@x'],
      ['<only@x>', 'only@x', 'only@x'],
      ['"a, b" <c@x>, second@x', 'a, b', 'c@x'],
      ['no address', 'no address', undefined],
    ];
    for (const [field, from, address] of SENDERS) {
      it(`is found in ${field}`, async () => {
        const path = await send(
          multipart('mixed', 'm', `Content-Type: message/rfc822\n\n${message(field, '\nHello')}`),
        );
        const inner = await readJson(alice, `${path}/1/json`);
        assert.deepEqual([inner.from, inner.rfca], [from, address]);
      });
    }
  });
}

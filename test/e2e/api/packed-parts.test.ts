// Messages that were encoded as a whole, and what is in them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startBoth } from '../../support/gateway.ts';
import { putMail } from '../../support/mails.ts';
import { partRow, readJson } from '../../support/message-json.ts';

const room = 'Town%20Square';

/** Lines of base64. */
const packed = (text: string): string => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
const message = (from: string, content: string): string =>
  `From: ${from}\nSubject: inner\nMIME-Version: 1.0\n${content}\n`;
const multipart = (subtype: string, boundary: string, ...parts: string[]): string =>
  `Content-Type: multipart/${subtype}; boundary=${boundary}\n\n` +
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;
const packedMessage = (content: string): string =>
  `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${packed(content)}`;
const PDF =
  'Content-Type: application/pdf\nContent-Disposition: attachment; filename=inner.pdf\nContent-Transfer-Encoding: ' +
  'base64\n\nJVBERi0xLjQK';
const PICTURE = 'Content-Type: image/png\nContent-ID: <pic@x>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=';

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const send = (content: string) => putMail(alice, room, Buffer.from(content));

  describe(`messages encoded as a whole on ${name}`, () => {
    const page = 'Content-Type: text/html\n\n<p>Look: <img src="cid:pic@x"></p>';

    it('have parts that can be fetched, pictures that show, and open messages inside', async () => {
      const forwarded = message(
        'c@x',
        `Content-Type: message/rfc822\n\n${message('d@x', multipart('mixed', 'k', page, PDF))}`,
      );
      const path = await send(
        multipart(
          'mixed',
          'm',
          packedMessage(
            message(
              'b@x',
              multipart(
                'mixed',
                'j',
                multipart('related', 'r', page, PICTURE),
                PDF,
                `Content-Type: message/rfc822\n\n${forwarded}`,
              ),
            ),
          ),
        ),
      );
      const inner = await readJson(alice, `${path}/1/json`);
      assert.equal(inner.text, `<p>Look: <img src="${path}/1.1.1.2"></p>`);
      assert.deepEqual(inner.parts.map(partRow).slice(0, 3), [
        '1.1.1.1 text/html',
        '1.1.1.2 image/png',
        '1.1.2 application/pdf inner.pdf',
      ]);
      for (const part of inner.parts) {
        const response = await alice(`${path}/${part.partnum}`);
        assert.deepEqual([response.status, (await response.arrayBuffer()).byteLength], [200, part.size], part.partnum);
      }
      const file = await alice(`${path}/1.1.2`);
      assert.equal(await file.text(), '%PDF-1.4\n');
      assert.equal(file.headers.get('content-disposition'), 'attachment; filename="inner.pdf"');
      const range = await alice(`${path}/1.1.2`, { headers: { range: 'bytes=1-3' } });
      assert.deepEqual([range.status, await range.text()], [206, 'PDF']);
      const deeper = await readJson(alice, `${path}/1.1.3.1/json`);
      assert.deepEqual(
        [deeper.rfca, deeper.parts.map(partRow).at(-1)],
        ['d@x', '1.1.3.1.1.2 application/pdf inner.pdf'],
      );
      assert.equal(await (await alice(`${path}/1.1.3.1.1.2`)).text(), '%PDF-1.4\n');
    });

    it('are files of mail as a client puts or attaches them, too', async () => {
      const headers = { 'content-type': 'message/rfc822' };
      const body = message('b@x', multipart('mixed', 'j', 'Content-Type: text/plain\n\nHello', PDF)).replaceAll(
        '\n',
        '\r\n',
      );
      const file = (await alice(`r/${room}/new`, { method: 'PUT', headers, body })).headers.get('location')!;
      assert.equal(await (await alice(file)).text(), body);
      assert.deepEqual(
        (await readJson(alice, `${file}/1/json`)).parts.map(partRow).at(-1),
        '1.1.2 application/pdf inner.pdf',
      );
      assert.equal(await (await alice(`${file}/1.1.2`)).text(), '%PDF-1.4\n');
    });

    it('alone are read as the message that brings them, however they travel', async () => {
      const headers = { 'content-type': 'message/rfc822' };
      const open = message('b@x', multipart('mixed', 'j', 'Content-Type: text/plain\n\nHello', PDF));
      for (const body of [open, open.replaceAll('\n', '\r\n')]) {
        const file = (await alice(`r/${room}/new`, { method: 'PUT', headers, body })).headers.get('location')!;
        const shown = await readJson(alice, `${file}/json`);
        assert.equal(shown.text, '<div>From: b@x<br>Subject: inner</div><div>Hello</div>');
        assert.deepEqual(shown.parts.map(partRow)[0], '1 message/rfc822');
        assert.equal((await readJson(alice, `${file}/json?text=plain`)).text, 'From: b@x\nSubject: inner\n\nHello');
      }
    });

    it('are opened also where one is packed inside another', async () => {
      const inmost = message('c@x', multipart('mixed', 'k', 'Content-Type: text/plain\n\nHello', PDF));
      const path = await send(
        multipart('mixed', 'm', packedMessage(message('b@x', multipart('mixed', 'j', packedMessage(inmost))))),
      );
      const inner = await readJson(alice, `${path}/1.1.1/json`);
      assert.equal(inner.text, '<div>Hello</div>');
      assert.deepEqual(inner.parts.map(partRow), ['1.1.1.1.1 text/plain', '1.1.1.1.2 application/pdf inner.pdf']);
      assert.equal(await (await alice(`${path}/1.1.1.1.2`)).text(), '%PDF-1.4\n');
      for (const part of ['1.1.2', '1.2', '1.1.1.1', '1.']) {
        assert.equal((await alice(`${path}/${part}`)).status, 404, part);
      }
    });
  });
}

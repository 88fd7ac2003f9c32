// What a body becomes that is to be kept byte by byte.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { base64Header, encodedBody } from '../../../src/extra/migrate/encoded-body.ts';
import { takeBody } from '../../../src/extra/migrate/streams.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function encoded(text: string, isMime = true) {
  const source = await takeBody(Readable.from([Buffer.from(text)]), tmpdir());
  const { body, ...more } = (await encodedBody(source, isMime, tmpdir())) ?? {};
  return { ...more, text: body && Buffer.concat(await Array.fromAsync(body.open())).toString() };
}

describe('a body that travels as base64', () => {
  it('says so in its header, once, and holds what was encoded otherwise', async () => {
    const header = 'Content-Type: text/plain;\n charset=utf-8\n';
    for (const [how, content, held] of [
      ['', 'a\r\nü\n', 'a\r\nü\n'],
      ['Content-transfer-encoding: quoted-printable\n', 'a=C3=BC=\nb\n', 'aüb\n'],
    ] as const) {
      const { text, isMultipart, hasBareText } = await encoded(`${header}${how}\n${content}`);
      assert.equal(text, `${header}Content-Transfer-Encoding: base64\n\n${base64(held)}\n`);
      assert.deepEqual([isMultipart, hasBareText], [false, false]);
    }
    const asItIs = 'Content-Transfer-Encoding: BASE64\n\nYQ==\n';
    assert.equal((await encoded(asItIs)).text, asItIs);
    assert.equal((await encoded('a\nb\n', false)).text, `${base64('a\nb\n')}\n`);
  });

  it('is so part by part, but for what has been signed and messages inside', async () => {
    const part = (type: string, content: string) => `--b\nContent-Type: ${type}\n\n${content}\n`;
    const open = 'Content-Type: multipart/mixed; boundary=b\n\n';
    const inside = part('message/rfc822', 'Subject: x\n\nx\n');
    const { text, isMultipart, hasBareText } = await encoded(`${open}${part('text/plain', 'one')}${inside}--b--\n`);
    const one = `--b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${base64('one')}\n\n`;
    assert.equal(text, `${open}${one}${inside}--b--\n`);
    assert.deepEqual([isMultipart, hasBareText], [true, true]);
    const signed = `Content-Type: multipart/signed; boundary=b\n\n${part('text/plain', 'one')}--b--\n`;
    assert.equal((await encoded(signed)).text, signed);
  });

  it('is none where every byte of a multipart counts, or there is no header', async () => {
    assert.equal(
      (await encoded('X-Vestibule-Lines: lf 9\nContent-Type: multipart/mixed; boundary=b\n\n--b--\n')).text,
      undefined,
    );
  });

  it('loses no other field of its header', () => {
    const lines = ['Content-Transfer-Encoding:', ' 8bit', 'X-A: b', ' c', ''];
    assert.deepEqual(base64Header(lines), ['X-A: b', ' c', 'Content-Transfer-Encoding: base64']);
  });
});

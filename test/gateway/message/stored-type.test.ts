// Media types on their way in: what a PUT says of its body, and how the body is stored.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedForm, typeOfBody } from '../../../src/gateway/message/posting.ts';
import { EncodingScanner } from '../../../src/mime/encoding-facts.ts';

function factsOf(body: string | Buffer) {
  const scanner = new EncodingScanner();
  scanner.push(Buffer.from(body));
  return scanner.end();
}

describe('the type of a body', () => {
  it('is what the request says', () => {
    for (const type of ['text/html', 'image/svg+xml; charset=latin-1', 'application/vnd.x-y.z']) {
      assert.equal(typeOfBody(` ${type} `, factsOf('x')), type);
    }
  });

  it('is text or bytes where the request says nothing', () => {
    for (const nothing of [undefined, '', 'application/x-www-form-urlencoded', 'Application/X-WWW-Form-URLencoded']) {
      assert.equal(typeOfBody(nothing, factsOf('Grüße')), 'text/plain; charset=utf-8');
      assert.equal(typeOfBody(nothing, factsOf('a\0b')), 'application/octet-stream');
      assert.equal(typeOfBody(nothing, factsOf(Buffer.of(0x47, 0xfc))), 'application/octet-stream');
    }
  });

  it('is refused where it could not be stored', () => {
    for (const type of [
      'text',
      'text/',
      'text plain',
      'text/plain/x',
      'text/plain; name=\u00e9',
      'text/plain; a=\tb',
    ]) {
      assert.throws(() => typeOfBody(type, factsOf('x')), { code: 'bad_request' }, type);
    }
  });
});

describe('a multipart', () => {
  const TYPE = 'multipart/mixed; boundary=b';
  const stored = (body: string) => {
    const { encoding, extraHeaders } = storedForm(TYPE, factsOf(body));
    return [encoding, ...extraHeaders.flat()];
  };

  it('is stored as it is, with its line ends and length, where that brings it back', () => {
    assert.deepEqual(stored('--b\n\nx\n--b--\n'), ['identity', 'X-Vestibule-Lines', 'lf 13']);
    assert.deepEqual(stored('--b\r\n\r\nx\r\n--b--\r\n'), ['identity', 'X-Vestibule-Lines', 'crlf 17']);
  });

  it('is packed whole where the line protocol would change it', () => {
    for (const body of [
      '--b\n\n000\n--b--\n',
      '--b\n\na\0b\n--b--\n',
      '--b\n\na\rb\n--b--\n',
      '--b\r\n\r\nx\n--b--\r\n',
    ]) {
      assert.deepEqual(stored(body), ['base64', 'X-Vestibule-Type', TYPE], JSON.stringify(body));
    }
  });
});

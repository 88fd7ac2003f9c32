// What GET sends of a stored message, read back from its header lines.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  nameFrom,
  originalTimeFrom,
  sendableType,
  sentForm,
  sizeFrom,
  storedContent,
  withCharset,
} from '../../src/mime/stored-content.ts';

describe('the type that is sent to a reader', () => {
  it('is the stored one where a header can hold it', () => {
    assert.equal(sendableType('text/html; charset="utf-8"'), 'text/html; charset="utf-8"');
    assert.equal(sendableType(''), 'text/plain');
  });

  it('leaves out what a header cannot hold', () => {
    assert.equal(sendableType('text/plain; name="\u20ac"; charset=utf-8'), 'text/plain; charset=utf-8');
    assert.equal(sendableType('text/plain; charset="\u20ac"'), 'text/plain');
    assert.equal(sendableType('text\u20ac/x; charset=utf-8'), 'application/octet-stream; charset=utf-8');
  });

  it('has no charset that is none', () => {
    for (const charset of ['', ' ', 'a b', 'utf-8; x=y', 'x\r\nSet-Cookie: a=b', '"']) {
      assert.equal(withCharset('text/plain', charset), 'text/plain', charset);
    }
    assert.equal(withCharset('text/plain', ' iso-8859-1 '), 'text/plain; charset=iso-8859-1');
  });
});

describe('what header lines say of a stored message', () => {
  const field = (name: string, value: string) => [{ name, value }];

  it('is its name, unless no gateway has written it', () => {
    const nameOf = (value: string) => nameFrom(field('x-vestibule-NAME', value));
    assert.deepEqual(['a%20b%2Fc', 'Gr%C3%BC%C3%9Fe', '', '%', '%ff'].map(nameOf), [
      'a b/c',
      'Grüße',
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(nameFrom([]), undefined);
  });

  it('is a length of at most 15 digits', () => {
    const size = (value: string) => sizeFrom(field('X-Vestibule-Size', value));
    assert.deepEqual(['0', '12', '9'.repeat(15), '9'.repeat(16), '-1', '1e3', ''].map(size), [
      0,
      12,
      999_999_999_999_999,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is the time before it was copied, never zero', () => {
    const time = (value: string) => originalTimeFrom(field('X-Vestibule-Original-time', value));
    assert.deepEqual(['1', '9'.repeat(12), '9'.repeat(13), '0', '01', 'x'].map(time), [
      1,
      999_999_999_999,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is the line ends and length of a multipart that lies there as it is', () => {
    const type = { name: 'Content-type', value: 'Multipart/mixed; boundary=b' };
    const lines = (value: string) => storedContent([type, ...field('X-Vestibule-Lines', value)], '4').lines;
    assert.deepEqual(lines('lf 13'), { ending: 'lf', length: 13 });
    assert.deepEqual(lines('crlf 17'), { ending: 'crlf', length: 17 });
    for (const other of ['', 'cr 1', 'lf', 'lf -1', `lf ${'9'.repeat(16)}`]) {
      assert.deepEqual(lines(other), { ending: 'crlf', length: undefined }, `mail from elsewhere: ${other}`);
    }
    assert.deepEqual(storedContent([], '0').lines, { ending: 'lf', length: undefined });
    assert.equal(storedContent(field('X-Vestibule-Type', 'multipart/mixed'), '4').contentType, 'multipart/mixed');
  });
});

describe('where the bytes are that are sent', () => {
  it('is part 2 of HTML that was given its text', () => {
    const form = (multipart: string) => {
      const type = { name: 'Content-type', value: `${multipart}; boundary=b` };
      return sentForm([type, { name: 'X-Vestibule-Type', value: 'text/html' }], '4', false);
    };
    const html = { contentType: 'text/html', lines: undefined, part: '2' };
    assert.deepEqual(form('multipart/alternative'), html);
    const mixed = {
      contentType: 'multipart/mixed; boundary=b',
      lines: { ending: 'crlf', length: undefined },
      part: '1',
    };
    assert.deepEqual(form('multipart/mixed'), mixed, 'as a mailing list may have wrapped it');
  });

  it('is part 1, decoded, where the room server makes one', () => {
    const lines = (encoding: string, hasPartOne = true) =>
      sentForm(
        [
          { name: 'Content-type', value: 'text/html' },
          { name: 'Content-transfer-encoding', value: encoding },
        ],
        '4',
        hasPartOne,
      ).lines;
    for (const encoding of ['', ' BASE64 ', 'quoted-printable', '8bit', 'x-uuencode'])
      assert.equal(lines(encoding), undefined);
    const asStored = { ending: 'lf', length: undefined };
    assert.deepEqual(lines('x-unheard-of'), asStored);
    assert.deepEqual(lines('base64', false), asStored);
  });
});

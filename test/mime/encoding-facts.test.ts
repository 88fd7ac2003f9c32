import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TEXT_LINE_BYTES } from '../../src/limits/mime.ts';
import { chooseEncoding, type EncodingFacts, EncodingScanner } from '../../src/mime/encoding-facts.ts';
import { newSeed, waysToCut } from '../support/random.ts';

function scan(chunks: Buffer[]): EncodingFacts {
  const result = new EncodingScanner();
  for (const chunk of chunks) result.push(chunk);
  return result.end();
}
const look = (text: string | Buffer) => scan([Buffer.from(text as string)]);

describe('EncodingScanner', () => {
  const plain: EncodingFacts = {
    size: 8,
    hasNul: false,
    hasBareCr: false,
    hasCrlf: false,
    hasBareLf: true,
    longestLine: 4,
    hasTerminatorLine: false,
    isAscii: true,
    isUtf8: true,
    startsWithEmptyLine: false,
    endsWithLf: true,
    endsWithEmptyLine: false,
    encodedCount: 0,
  };
  const examples: [string | Buffer, Partial<EncodingFacts>][] = [
    ['', { size: 0, hasBareLf: false, longestLine: 0, endsWithLf: false }],
    ['two\nlin\n', { longestLine: 3 }],
    ['one\r\ntw\n', { hasCrlf: true, encodedCount: 1 }],
    ['one\r\ntw\r', { hasCrlf: true, hasBareCr: true, hasBareLf: false, endsWithLf: false, encodedCount: 2 }],
    ['a\rb\ncde\n', { hasBareCr: true, longestLine: 3, encodedCount: 1 }],
    ['a\r\r\ncde\n', { hasBareCr: true, hasCrlf: true, encodedCount: 2, longestLine: 3 }],
    ['a\0=\ncde\n', { hasNul: true, encodedCount: 2, longestLine: 3 }],
    ['000\nabc\n', { hasTerminatorLine: true, longestLine: 3 }],
    ['000\r\nab\n', { hasTerminatorLine: true, hasCrlf: true, encodedCount: 1 }],
    ['abcd\n000', { hasTerminatorLine: true, endsWithLf: false }],
    ['abc\n000\r', { hasTerminatorLine: true, endsWithLf: false, hasBareCr: true, encodedCount: 1 }],
    ['0000\n00\n', {}],
    [' 000\n000', { hasTerminatorLine: true, endsWithLf: false }],
    ['\nabcdef\n', { startsWithEmptyLine: true, longestLine: 6 }],
    ['\r\nabcd\n', { startsWithEmptyLine: true, hasCrlf: true, encodedCount: 1 }],
    ['abcdef\n\n', { endsWithEmptyLine: true, longestLine: 6 }],
    ['abcd\n\r\n', { endsWithEmptyLine: true, hasCrlf: true, encodedCount: 1 }],
    ['abcdef\n\r', { endsWithLf: false, hasBareCr: true, encodedCount: 1, longestLine: 6 }],
    ['ü 日\n', { isAscii: false, encodedCount: 5, longestLine: 6 }],
    ['😀abc\n', { isAscii: false, encodedCount: 4, longestLine: 7 }],
    [Buffer.from('fc0a', 'hex'), { isAscii: false, isUtf8: false, encodedCount: 1, longestLine: 1 }],
    [
      Buffer.from('610ae697', 'hex'),
      { isAscii: false, isUtf8: false, encodedCount: 2, longestLine: 2, endsWithLf: false },
    ],
    [Buffer.from('e697610a', 'hex'), { isAscii: false, isUtf8: false, encodedCount: 2, longestLine: 3 }],
    [Buffer.from('ff0a', 'hex'), { isAscii: false, isUtf8: false, encodedCount: 1, longestLine: 1 }],
  ];
  it('finds what the line protocol would change, however the body is cut', () => {
    const seed = newSeed();
    for (const [text, facts] of examples) {
      const bytes = Buffer.from(text as string);
      for (const chunks of waysToCut(bytes, seed)) {
        assert.deepEqual(
          scan(chunks),
          { ...plain, size: bytes.length, ...facts },
          `${JSON.stringify(text)}, seed ${seed}`,
        );
      }
    }
  });
});

describe('chooseEncoding', () => {
  const choose = (type: string, text: string | Buffer) => chooseEncoding(type, look(text));
  it('leaves text as it is that the line protocol does not change', () => {
    assert.equal(choose('text/plain', 'Hello\n\nworld\n'), 'identity');
    assert.equal(choose(' TEXT/html; charset=utf-8', 'Grüße\n'), 'identity');
  });
  it('encodes other text readably', () => {
    for (const text of [
      'no line end',
      'dos text\r\n',
      'a bare\rCR\n',
      'a line\n000\n',
      'a line\n000',
      '\nempty first line\n',
      'empty last line\n\n',
      'one NUL \0 only\n',
      '',
      'a',
      'a\n',
    ]) {
      assert.equal(choose('text/plain', text), 'quoted-printable', JSON.stringify(text));
    }
    assert.equal(choose('text/plain', Buffer.from('caf\xe9 au lait\n', 'latin1')), 'quoted-printable');
  });
  it('takes lines up to the bound as they are', () => {
    assert.equal(choose('text/plain', `${'x'.repeat(MAX_TEXT_LINE_BYTES)}\n`), 'identity');
    assert.equal(choose('text/plain', `${'x'.repeat(MAX_TEXT_LINE_BYTES + 1)}\n`), 'quoted-printable');
  });
  it('uses base64 where it is shorter, and for everything that is no text', () => {
    assert.equal(choose('text/plain', `${'x'.repeat(50)}${'\0'.repeat(10)}`), 'quoted-printable');
    assert.equal(choose('text/plain', `${'x'.repeat(50)}${'\0'.repeat(11)}`), 'base64');
    assert.equal(choose('text/plain', 'ööööööö'), 'base64');
    assert.equal(choose('application/json', '{}\n{}\n'), 'base64');
    assert.equal(choose('', 'hello\n'), 'base64');
  });
});

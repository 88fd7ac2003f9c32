import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_UNKNOWN_CHARSETS } from '../../../src/limits/mime.ts';
import { decodeText } from '../../../src/mime/coding/charset.ts';
import { decodeWords, encodeWords } from '../../../src/mime/coding/encoded-words.ts';

describe('decodeWords', () => {
  const examples: [string, string][] = [
    ['plain', 'plain'],
    ['=?UTF-8?B?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?utf-8?b?R3LDvMOfZQ?=', 'Grüße'], // no padding
    ['=?ISO-8859-1?Q?a_b=5F=FC?= tail', 'a b_ü tail'],
    ['=?iso-8859-1*de?q?=FC?=', 'ü'],
    ['(=?ISO-8859-1?Q?a?=)', '(a)'],
    ['(=?ISO-8859-1?Q?a?= b)', '(a b)'],
    ['(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)', '(ab)'],
    ['(=?ISO-8859-1?Q?a?=   =?UTF-8?Q?b?=)', '(ab)'],
    ['=?ISO-8859-1?Q?=FC?= =?UTF-8?Q?=C3=BC?=', 'üü'],
    ['=?UTF-8?Q?a?==?UTF-8?Q?b?=', 'ab'],
    ['a  =?UTF-8?Q?b?=  c', 'a  b  c'],
    ['=?UTF-8?B?w7zD?= =?UTF-8?B?vA==?=', 'üü'], // a character split between words
    ['=?Shift_JIS?B?k/qWew==?=', '日本'],
    ['=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=', '日本'],
    ['=?x-unknown?Q?=FC?=', 'ü'],
    ['=?unknown-8bit?B?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?UTF-8?Q?a?= =?x-unknown?Q?b?= =?UTF-8?Q?c?=', 'abc'],
    ['=?UTF-8?Q?a=FC?=', 'aü'], // the label is wrong
    ['=?ISO-8859-1?Q?=C3=BC?=', 'ü'],
    ['=?windows-1252?Q?üß?=', 'üß'],
    ['=?cp850?Q?Gr=81=E1e?=', 'Grüße'],
    ['=?win-1251?B?z/Do4uXy?=', 'Привет'],
    ['=?utf-7?Q?Gr+APwA3w-e?=', 'Grüße'],
    ['=?hz-gb-2312?Q?~{<:Ky2;~}.?=', '己所不.'],
    ['=?ISO-2022-KR?B?GyQpQw4wIQ8=?=', '가'],
    ['=?ISO-2022-JP-MS?B?GyRCOzNFRBsoQg==?= =?ISO-2022-JP?B?GyRCQkBPOhsoQg==?=', '山田太郎'],
    ['=?UTF-8?Q?caf=C3=A9?= für alle', 'café für alle'],
    ['=?UTF-8?Q?who??=', 'who?'],
    ['\x1b$B;3ED\x1b(B', '山田'], // not encoded at all
    ['=?UTF-8?X?a?=', '=?UTF-8?X?a?='],
    ['=?UTF-8?Q?open', '=?UTF-8?Q?open'],
    ['=?UTF-8?Q?a b?=', 'a b'], // blanks are not allowed, but occur
    ['=?UTF-8?Q?=ZZ=?=', '=ZZ='],
    ['=?UTF-8?Q??=', ''],
    ['=?UTF-8?Q?ü?=', 'ü'],
    ['=?UTF-8?Q?日=C3=BC?=', '日ü'],
  ];
  it('decodes what is well-formed and known, and leaves the rest', () => {
    for (const [text, decoded] of examples) assert.equal(decodeWords(text), decoded, text);
  });
  it('lets no line break or NUL out of a word', () => {
    assert.equal(decodeWords('=?UTF-8?Q?a=0D=0Ab=00c?='), 'a  b c');
  });
  it('takes hostile text in its stride', () => {
    for (const piece of ['=?', '=?a?b?', '=?UTF-8?Q?', ' ', '=?UTF-8?Q?a?= ', '\t=?']) {
      assert.equal(typeof decodeWords(`=?${piece.repeat(30_000)}`), 'string');
    }
  });
});

describe('encodeWords', () => {
  it('leaves ASCII alone, ready-made words included', () => {
    for (const text of ['', 'Hello, "world"', '=?UTF-8?B?R3LDvMOfZQ==?=']) assert.equal(encodeWords(text), text);
  });
  it('makes one word of short text, as the room server does', () => {
    assert.equal(
      encodeWords('Grüße aus Köln – 日本語 😀'),
      '=?UTF-8?B?R3LDvMOfZSBhdXMgS8O2bG4g4oCTIOaXpeacrOiqniDwn5iA?=',
    );
  });
  it('splits long text between characters into words of at most 75 characters', () => {
    for (const text of ['ü'.repeat(100), '😀'.repeat(100), `x${'日'.repeat(100)}`, 'a b ü '.repeat(50)]) {
      const words = encodeWords(text).split(' ');
      assert.ok(words.length > 1);
      assert.ok(words.every((word) => word.length <= 75));
      assert.ok(words.every((word) => !decodeWords(word).includes('\ufffd')));
      assert.equal(decodeWords(encodeWords(text)), text);
    }
  });
  it('fills a word with 45 bytes and begins the next with the 46th', () => {
    assert.equal(encodeWords(`ü${'x'.repeat(43)}`).split(' ').length, 1);
    assert.equal(encodeWords(`ü${'x'.repeat(44)}`).split(' ').length, 2);
  });
  it('lets no line break through', () => {
    assert.match(encodeWords('a\r\nb\0'), /^[ -~]+$/);
  });
  it('does not fail on half a surrogate pair', () => {
    assert.equal(decodeWords(encodeWords('a\ud800b')), 'a\ufffdb');
  });
});

describe('decodeWords of unknown charsets', () => {
  const unknown = (count: number) => Array.from({ length: count }, (_, i) => `=?x-none${i}?q?a?=`).join(' ');
  it('goes on behind MAX_UNKNOWN_CHARSETS of them, each as often as it likes, and not behind more', () => {
    const [most, more] = [unknown(MAX_UNKNOWN_CHARSETS), unknown(MAX_UNKNOWN_CHARSETS + 1)];
    const word = ' =?utf-8?q?b?=';
    assert.equal(decodeWords(`${most} ${most}${word}`), `${'a'.repeat(2 * MAX_UNKNOWN_CHARSETS)}b`);
    const last = ` =?x-none${MAX_UNKNOWN_CHARSETS}?q?a?=`;
    assert.equal(decodeWords(`${more}${word}`), `${'a'.repeat(MAX_UNKNOWN_CHARSETS)}${last}${word}`);
  });
});

describe('decodeText', () => {
  const bytes = (...values: number[]) => Buffer.from(values);
  it('knows the labels of the web and the aliases of mail', () => {
    assert.equal(decodeText(bytes(0xe4, 0x80), 'ISO-8859-1'), 'ä€');
    assert.equal(decodeText(bytes(0xe4, 0x80), 'us-ascii'), 'ä€');
    assert.equal(decodeText(bytes(0x80), 'cp1252'), '€');
    assert.equal(decodeText(bytes(0xa4), 'iso-8859-15'), '€');
    assert.equal(decodeText(bytes(0x93, 0xfa), 'x-sjis'), '日');
    assert.equal(decodeText(bytes(0x93, 0xfa), ' "CP932" '), '日');
    assert.equal(decodeText(bytes(0xc1), 'koi8-r'), 'а');
    assert.equal(decodeText(bytes(0x61, 0), 'utf-16le'), 'a');
  });
  it('reads unknown charsets as UTF-8 if it is, else as windows-1252', () => {
    for (const charset of ['', 'x-none', '__proto__', 'x-user-defined', 'unknown-8bit']) {
      assert.equal(decodeText(Buffer.from('ü'), charset), 'ü', charset);
      assert.equal(decodeText(bytes(0xfc, 0x80), charset), 'ü€', charset);
    }
  });
  it('replaces what is invalid', () => {
    assert.equal(decodeText(bytes(0xc3, 0xbc, 0xff), 'utf-8'), 'ü\ufffd');
  });
});

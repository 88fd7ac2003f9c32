// Bytes to text: labels, byte order marks, pages that name their charset.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_CACHED_CHARSETS, MAX_CHARSET_CHARACTERS } from '../../../src/limits/mime.ts';
import { charsetName, decodeHtml, decodeText } from '../../../src/mime/coding/charset.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decodeText', () => {
  const samples: [charset: string, bytes: string, text: string][] = [
    ['iso-8859-1', 'e9 80', 'é€'],
    ['latin-1', 'e9', 'é'],
    ['windows-1252', '84 93', '„“'],
    ['iso-8859-15', 'a4', '€'],
    ['windows-1251', 'cf f0', 'Пр'],
    ['koi8-r', 'f0 d2', 'Пр'],
    ['shift_jis', '93 fa 96 7b', '日本'],
    ['ISO-2022-JP', '1b2442 467c 4b5c 1b2842', '日本'],
    ['euc-jp', 'c6fc cbdc', '日本'],
    ['gb18030', 'c4e3 8130 8130', '你\u0080'],
    ['gb2312', 'c4e3', '你'],
    ['big5', 'a741', '你'],
    ['euc-kr', 'b0a1', '가'],
    ['ks_c_5601-1987', 'b0a1', '가'],
    ['utf-16', '7e01', 'ž'],
    ['utf-16be', '017e', 'ž'],
    ['"UTF-8" ', 'c5be', 'ž'],
    ['win-1251', 'cff0', 'Пр'],
    ['cp-1251', 'cff0', 'Пр'],
    ['Windows1252', '84', '„'],
    ['ISO8859_15', 'a4', '€'],
    ['8859-2', 'b9', 'š'],
    ['utf_8', 'c5be', 'ž'],
    ['utf8mb4', 'c5be', 'ž'],
    ['charset=utf-8', 'c5be', 'ž'],
    ['cp437', '81 e1', 'üß'],
    ['IBM850', '81 e1 9d', 'üßØ'],
    ['858', 'd5', '€'],
    ['cp852', '9f', 'č'],
    ['x-mac-ce', '8b', 'č'],
    ['dos-866', '8f', 'П'],
    ['cp932', '93fa', '日'],
    ['cp936', 'c4e3', '你'],
    ['x-windows-949', 'b0a1', '가'],
    ['utf-7', '47722b4150772d2b414e382d652b2d2b', 'Grüße++'],
    ['unicode-1-1-utf-7', '2b414f513d', 'ä='],
    ['hz-gb-2312', '7e7b3c3a4b79323b7e7d7e7e610a7e7b3c', '己所不~a\n<'],
    ['iso-2022-kr', '1b2429430e3021 0f20 61', '가 a'],
    ['iso-2022-cn', '1b2429410e 3021 0f61', '啊a'],
    ['iso-2022-jp-ms', '1b2442 467c 1b2842 1b2442 4b5c 1b2842', '日本'],
    ['iso-2022-jp', '1b2442 467c 1b2842 1b2442 1b284a 61', '日a'],
    ['iso-2022-jp-1', '1b242844 3021 1b2842', '丂'],
    ['cp50221', '1b2849 31 1b2842 61', 'ｱa'],
  ];
  for (const [charset, bytes, text] of samples) {
    it(`reads ${charset}`, () => assert.equal(decodeText(hex(bytes), charset), text));
  }

  it('believes a byte order mark more than the label, and drops it', () => {
    assert.equal(decodeText(hex('feff 017e'), 'utf-16'), 'ž');
    assert.equal(decodeText(hex('fffe 7e01'), 'utf-16be'), 'ž');
    assert.equal(decodeText(hex('efbbbf c5be'), 'iso-8859-1'), 'ž');
    assert.equal(decodeText(hex('efbbbf 61'), ''), 'a');
  });

  it('knows which end of UTF-16 is first where neither label nor mark tells it', () => {
    assert.equal(decodeText(hex('0061 017e'), 'utf-16'), 'až');
    assert.equal(decodeText(hex('6100 7e01'), 'UTF-16'), 'až');
    assert.equal(decodeText(hex('0061'), 'utf-16le'), '\u6100');
  });

  it('takes what is called UTF-8 and has no character of it for windows-1252, and damaged UTF-8 for UTF-8', () => {
    assert.equal(decodeText(hex('63 e9 80'), 'utf-8'), 'cé€');
    assert.equal(decodeText(hex('c5be e9 20'), 'utf-8'), 'ž\ufffd ');
    assert.equal(decodeText(hex('63 e9'), 'utf-8'), 'cé');
  });

  it('decodes by the bytes where the label cannot be right', () => {
    assert.equal(decodeText(Buffer.from('ほげ です'), 'iso-2022-jp'), 'ほげ です');
    assert.equal(decodeText(Buffer.from('ほげ です'), 'euc-jp'), 'ほげ です');
    assert.equal(decodeText(hex('93fa967b'), 'iso-2022-jp'), '日本');
    assert.equal(decodeText(hex('1b2442467c1b2842'), 'us-ascii'), '日');
    assert.equal(decodeText(Buffer.from('Grüße'), 'iso-8859-1'), 'Grüße');
    assert.equal(decodeText(Buffer.from('Grüße'), 'hz-gb-2312'), 'Grüße');
    assert.equal(decodeText(hex('d2bbd0a9'), 'gbk'), '一些', 'UTF-8 by chance');
  });

  it('takes a second charset for what the first one does not tell', () => {
    assert.equal(decodeText(hex('d4cf'), '', 'koi8-r'), 'то');
    assert.equal(decodeText(hex('d4cf'), 'utf-8', 'koi8-r'), 'то');
    assert.equal(decodeText(hex('c5be'), '', 'koi8-r'), 'ž');
    assert.equal(decodeText(hex('e9'), '', 'utf-8'), 'é');
  });

  it('takes what is called ASCII and is not for UTF-8 if it can be, else for windows-1252', () => {
    for (const charset of ['', 'us-ascii', 'x-unheard-of']) {
      assert.equal(decodeText(hex('c5be'), charset), 'ž', charset);
      assert.equal(decodeText(hex('e9 20'), charset), 'é ', charset);
    }
  });

  it('knows no charset by a name that is longer than any', () => {
    assert.equal(decodeText(hex('a4'), 'iso-8859-15'.padEnd(MAX_CHARSET_CHARACTERS)), '€');
    assert.equal(decodeText(hex('a4'), 'iso-8859-15'.padEnd(MAX_CHARSET_CHARACTERS + 1)), '¤');
  });

  it('never throws, whatever the bytes and the label are', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (const charset of ['utf-8', 'utf-16', 'shift_jis', 'gb18030', 'iso-2022-jp', 'hz-gb-2312', 'x'.repeat(5000)]) {
      assert.equal(typeof decodeText(bytes, charset), 'string');
    }
  });
});

describe('decodeHtml', () => {
  const cyrillic = hex('cff0');
  const page = (start: string): Buffer => Buffer.concat([Buffer.from(start), cyrillic]);

  it('finds the charset in the page where no label tells it', () => {
    for (const start of [
      '<meta charset=windows-1251>',
      '<html><META http-equiv="Content-Type" content="text/html; charset = \'windows-1251\'">',
    ]) {
      assert.equal(decodeHtml(page(start), '').slice(start.length), 'Пр');
      assert.equal(decodeHtml(page(start), 'x-unheard-of').slice(start.length), 'Пр');
      assert.equal(decodeHtml(page(start), 'us-ascii').slice(start.length), 'Пр');
    }
  });

  it('believes the label, and only the first 1024 bytes', () => {
    const start = '<meta charset=windows-1251>';
    assert.equal(decodeHtml(page(start), 'koi8-r').slice(start.length), 'оП');
    const at = (position: number): string =>
      decodeHtml(page(`${' '.repeat(position - start.length)}${start}`), '').slice(-2);
    assert.deepEqual([at(1024), at(1025 + start.length)], ['Пр', 'Ïð']);
  });

  it('does not believe a page that calls itself UTF-16 in ASCII', () => {
    assert.equal(decodeHtml(Buffer.from('<meta charset=utf-16>ž'), '').at(-1), 'ž');
  });
});

it('remembers MAX_CACHED_CHARSETS labels, and begins anew with the next', (t) => {
  const { mock } = t.mock.method(Map.prototype, 'clear');
  let count = 0;
  const nameNext = () => charsetName(`x-label-${count++}`);
  while (mock.callCount() === 0) nameNext();
  assert.ok(count <= MAX_CACHED_CHARSETS + 1);
  // it has that one now
  for (let known = 1; known < MAX_CACHED_CHARSETS; known++) nameNext();
  assert.equal(mock.callCount(), 1);
  nameNext();
  assert.equal(mock.callCount(), 2);
});

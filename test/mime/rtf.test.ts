// The text of a message in Rich Text Format, as Outlook packs it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { MAX_RENDERED_SOURCE_BYTES, MAX_RTF_DEPTH } from '../../src/limits/mime.ts';
import { decompressRtf, readRtf } from '../../src/mime/rtf.ts';

const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;

function packed(kind: number, content: Buffer, size: number, crc = 0, counted = content.length + 12): Buffer {
  return Buffer.concat([Buffer.from(Uint32Array.of(counted, size, kind, crc).buffer), content]);
}
const read = (rtf: string) => readRtf(Buffer.from(rtf, 'latin1'));

describe('compressed RTF', () => {
  /** of literals and of references: where in the window, how many bytes */
  function compressed(...tokens: (string | [at: number, count: number])[]): Buffer {
    const all = tokens.flatMap((token): (typeof token)[] => (typeof token === 'string' ? [...token] : [token]));
    const bytes: number[] = [];
    for (let i = 0; i < all.length; i += 8) {
      const run = all.slice(i, i + 8);
      bytes.push(run.reduce<number>((flags, token, bit) => flags | (typeof token === 'string' ? 0 : 1 << bit), 0));
      for (const token of run) {
        if (typeof token === 'string') bytes.push(token.charCodeAt(0));
        else bytes.push(token[0] >> 4, ((token[0] & 0x0f) << 4) | (token[1] - 2));
      }
    }
    const content = Buffer.from(bytes);
    return packed(COMPRESSED, content, 1000, ~crc32(content, 0xffffffff) >>> 0);
  }
  /** where the window is written first */
  const WRITTEN_FROM = 207;
  // the window begins with `{\rtf1\ansi\mac`
  const EXAMPLE = compressed([0, 11], ' ab', [WRITTEN_FROM + 11, 9], '}', [WRITTEN_FROM + 24, 2], 'not read');

  it('is unpacked, with references into the window as it begins and into what is being written', () => {
    assert.equal(decompressRtf(EXAMPLE)?.toString(), '{\\rtf1\\ansi ab ab ab ab}');
  });

  it('goes round the window', () => {
    const text = 'x'.repeat(4096 - WRITTEN_FROM);
    const round = compressed(`${text}yz`, [0, 2]);
    round.writeUInt32LE(text.length + 4, 4);
    assert.equal(decompressRtf(round)?.toString(), `${text}yzyz`);
  });

  it('may be stored as it is', () => {
    assert.equal(decompressRtf(packed(UNCOMPRESSED, Buffer.from('{\\rtf1 x}more'), 9))?.toString(), '{\\rtf1 x}');
  });

  it('is refused where it is damaged', () => {
    for (let at = 16; at < EXAMPLE.length; at++) {
      const damaged = Buffer.from(EXAMPLE);
      damaged[at]! ^= 1;
      assert.equal(decompressRtf(damaged), undefined);
    }
    for (let length = 0; length < EXAMPLE.length; length++)
      assert.equal(decompressRtf(EXAMPLE.subarray(0, length)), undefined);
    assert.equal(decompressRtf(packed(0x1234, Buffer.from('x'), 1)), undefined);
  });

  it('is unpacked up to MAX_RENDERED_SOURCE_BYTES', () => {
    const sizes = [MAX_RENDERED_SOURCE_BYTES, MAX_RENDERED_SOURCE_BYTES + 1].map((size) => {
      return decompressRtf(packed(UNCOMPRESSED, Buffer.alloc(size), size))?.length;
    });
    assert.deepEqual(sizes, [MAX_RENDERED_SOURCE_BYTES, MAX_RENDERED_SOURCE_BYTES]);
    assert.equal(decompressRtf(packed(UNCOMPRESSED, Buffer.from('abc'), 0xffffffff))?.toString(), 'abc');
  });
});

describe('RTF as text', () => {
  it('has lines, signs and characters, and nothing of fonts, pictures and styles', () => {
    const head = '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Arial;}}{\\colortbl;\\red0\\green0\\blue0;}';
    const { text, isHtml } = read(
      `${head}{\\*\\generator X;}\\pard\\plain\\f0\\fs20 Gr\\'fc\\'dfe,\r\n {\\b bold}\\par\r\n` +
        '\\u8211? \\lquote a\\rquote\\~\\{b\\}\\\\ \\tab c\\line{\\v hidden}{\\pict\\pngblip 89504e47}\\bin3 {{{d\\par}',
    );
    assert.equal(text, 'Grüße, bold\n– ‘a’\u00a0{b}\\ \tc\nd\n');
    assert.equal(isHtml, false);
  });

  it('is read in the charset of each font', () => {
    const fonts = '{\\fonttbl{\\f0\\fcharset204 A;}{\\f1\\fcharset128 B;}{\\f2\\cpg1253 C;}{\\f3\\fcharset0 D;}}';
    const { text } = read(
      `{\\rtf1\\ansi\\ansicpg1252\\deff3${fonts}\\f0\\'cc\\'e8\\'f0 {\\f1\\'93\\'fa\\'96\\'7b}\\f2 \\'e1\\plain\\'e1}`,
    );
    assert.equal(text, 'Мир 日本αá');
  });

  it('skips what stands behind a character for programs without Unicode', () => {
    assert.equal(read("{\\rtf1\\uc2\\u26085\\'93\\'fa{\\uc0\\u26412}\\uc1\\u-10179?\\u-8704?!}").text, '日本😀!');
  });

  it('says where links lead', () => {
    const link = (address: string, text: string) =>
      `{\\field{\\*\\fldinst{HYPERLINK "${address}"}}{\\fldrslt{\\ul ${text}}}}`;
    const { text } = read(
      `{\\rtf1 See ${link('https://x.example/a', 'here')}, ${link('https://x.example/', 'https://x.example/')}.}`,
    );
    assert.equal(text, 'See here <https://x.example/a>, https://x.example/.');
  });

  it('keeps the properties of groups MAX_RTF_DEPTH deep', () => {
    const nested = (depth: number) => read(`${'{'.repeat(depth)}\\v x}y`).text;
    assert.deepEqual([nested(MAX_RTF_DEPTH), nested(MAX_RTF_DEPTH + 1)], ['y', '']);
  });

  it('may be anything', () => {
    for (const rtf of ['', '{', '}', '\\', "\\'", "\\'g", '\\bin999999999 x', '}}}}a', '\\u', '\\u99999999999x'])
      assert.equal(typeof read(rtf).text, 'string');
  });
});

describe('HTML inside RTF', () => {
  it('is taken out, without what programs that know none would show', () => {
    const { text, isHtml } = read(
      '{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\uc1\\pard\\plain\\f0 \r\n' +
        '{\\*\\htmltag64 <p class="a">}\\htmlrtf {\\htmlrtf0 \\\'cf\\\'f0 \\u955? 1 < 2 & 3' +
        "{\\*\\htmltag84 &nbsp;}\\htmlrtf \\'a0\\htmlrtf0 {\\*\\mhtmltag84 <img>}" +
        '{\\*\\htmltag84 <a href="x">}\\htmlrtf {\\field{\\*\\fldinst{HYPERLINK "y"}}{\\fldrslt\\v0\\htmlrtf0 a' +
        '{\\*\\htmltag92 </a>}\\htmlrtf }\\htmlrtf0 \\htmlrtf }\\htmlrtf0 {\\*\\htmltag72 </p>}\\htmlrtf\\par}\\htmlrtf0 \\par}',
    );
    assert.equal(text, '<p class="a">Пр λ 1 &lt; 2 & 3&nbsp;<a href="x">a</a></p>\n');
    assert.equal(isHtml, true);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_MIME_HEADER_BYTES, MAX_MIME_HEADER_COUNT, MAX_MIME_PARAMETERS } from '../../src/limits/mime.ts';
import {
  decodeHeaderText,
  formatContentDisposition,
  formatContentType,
  formatHeader,
  formatParameter,
  headerValue,
  isMediaType,
  parseHeaders,
  parseParameters,
} from '../../src/mime/headers.ts';

const parse = (text: string) => parseHeaders(Buffer.from(text)).map(({ name, value }) => [name, value]);
const params = (value: string) => Object.fromEntries(parseParameters(value).params);

describe('parseHeaders', () => {
  it('reads fields with LF and CRLF line ends', () => {
    const fields = [
      ['A', '1'],
      ['b', '2: 3'],
      ['C', ''],
    ];
    assert.deepEqual(parse('A: 1\nb:2: 3\nC:\n'), fields);
    assert.deepEqual(parse('A: 1\r\nb:2: 3\r\nC:\r\n'), fields);
    assert.deepEqual(parse('A: 1\nb:2: 3\nC:'), fields);
  });
  it('unfolds, also over lines of blanks only and with blanks before the colon', () => {
    assert.deepEqual(parse('Subject: one\n two\r\n\tthree\n \n four\nX : y\n'), [
      ['Subject', 'one two\tthree  four'],
      ['X', 'y'],
    ]);
  });
  it('skips lines that are no field', () => {
    assert.deepEqual(parse(' lost\nno colon\nA: 1\nb c: 2\n: 3\nd\n: 4\n'), [['A', '1']]);
  });
  it('reads each value as UTF-8 if it is, else as Latin-1', () => {
    assert.deepEqual(
      parseHeaders(Buffer.concat([Buffer.from('A: ü\nB: '), Buffer.from([0xfc, 0x0a])])).map((field) => field.value),
      ['ü', 'ü'],
    );
  });
  it('lets no NUL and no CR into a value', () => {
    assert.deepEqual(parse('A: 1\r2\0\x003\n'), [['A', '1 2  3']]);
  });
  it('reads as many fields as the bound allows', () => {
    assert.equal(parse('A: 1\n'.repeat(MAX_MIME_HEADER_COUNT)).length, MAX_MIME_HEADER_COUNT);
    assert.equal(parse('A: 1\n'.repeat(MAX_MIME_HEADER_COUNT + 1)).length, MAX_MIME_HEADER_COUNT);
  });
  it('reads as many bytes as the bound allows', () => {
    const value = (length: number) => parse(`A:${'x'.repeat(length - 2)}`)[0]![1]!.length + 2;
    assert.equal(value(MAX_MIME_HEADER_BYTES), MAX_MIME_HEADER_BYTES);
    assert.equal(value(MAX_MIME_HEADER_BYTES + 1), MAX_MIME_HEADER_BYTES);
  });
  it('reads only what is wanted, and counts the others', () => {
    const wanted = (text: string) => parseHeaders(Buffer.from(text), new Set(['b'])).map(({ value }) => value);
    assert.deepEqual(wanted('A: 1\nB: 2\n 3\nBB: 4\nb\n : 5\n'), ['2 3', '5']);
    assert.deepEqual(wanted(`${'A: 1\n'.repeat(MAX_MIME_HEADER_COUNT - 1)}B: 2\nB: 3\n`), ['2']);
  });
  it('finds the first field of a name in any case', () => {
    const fields = parseHeaders(Buffer.from('Content-type: a\nCONTENT-TYPE: b\n'));
    assert.equal(headerValue(fields, 'Content-Type'), 'a');
    assert.equal(headerValue(fields, 'Subject'), undefined);
  });
});

describe('parseParameters', () => {
  it('gives names without control characters, however they were written', () => {
    for (const name of ["filename*=UTF-8''a%00b%0D%0AX: y", "filename*0*=UTF-8''a%00b; filename*1*=%0D%0AX: y"]) {
      assert.deepEqual(params(`attachment; ${name}`), { filename: 'a b  X: y' });
    }
  });
  it('reads tokens, quoted strings and comments', () => {
    assert.equal(parseParameters(' Text/Plain (a; b) ; charset=utf-8').value, 'Text/Plain');
    assert.deepEqual(params('attachment; name=a); filename=b'), { name: 'a)', filename: 'b' });
    assert.deepEqual(
      params('text/plain; Charset=us-ascii (Plain; text); name="a;b\\"c\\\\d (1)" (x) ; format = flowed;'),
      {
        charset: 'us-ascii',
        name: 'a;b"c\\d (1)',
        format: 'flowed',
      },
    );
  });
  it('tolerates missing quotes, missing ends and empty places', () => {
    assert.deepEqual(params('attachment;; filename=my file (1).txt ;;size=3;flag;=x'), {
      filename: 'my file (1).txt',
      size: '3',
    });
    assert.deepEqual(params('attachment; filename="open'), { filename: 'open' });
    assert.deepEqual(params('attachment; filename="C:\\dir\\file.txt"'), { filename: 'C:\\dir\\file.txt' });
    assert.deepEqual(params(''), {});
  });
  it('takes the first of two parameters of a name', () => {
    assert.deepEqual(params('x; a=1; A=2'), { a: '1' });
  });
  it('decodes RFC 2231 values', () => {
    assert.deepEqual(params("attachment; filename*=UTF-8''%C3%BC%20%E2%82%AC.txt"), { filename: 'ü €.txt' });
    assert.deepEqual(params("attachment; filename*=iso-8859-1'de'%FC.txt"), { filename: 'ü.txt' });
    assert.deepEqual(params("attachment; filename=plain.txt; filename*=utf-8''exact.txt"), { filename: 'exact.txt' });
    assert.deepEqual(params("attachment; filename*=utf-8''exact.txt; filename=plain.txt"), { filename: 'exact.txt' });
  });
  it('joins RFC 2231 pieces in any order, characters split between them included', () => {
    assert.deepEqual(params('x; title*1=" more";title*0="one"'), { title: 'one more' });
    assert.deepEqual(params(`x; t*0*=us-ascii'en'This%20is%20; t*1*=%2A%2A%2Afun; t*2=" isn't it!"`), {
      t: "This is ***fun isn't it!",
    });
    assert.deepEqual(params("x; n*0*=UTF-8''%C3; n*1*=%BC"), { n: 'ü' });
  });
  it('stops at a gap in the pieces', () => {
    assert.deepEqual(params('x; n*0=a; n*2=c'), { n: 'a' });
    assert.deepEqual(params('x; n*1=b'), {});
    assert.deepEqual(params('x; n*1000=b; n*=%C3%BC'), { n: 'ü', 'n*1000': 'b' });
  });
  it('reads broken percent encoding and unknown charsets as far as it goes', () => {
    assert.deepEqual(params("x; n*=x-none''a%FCb"), { n: 'aüb' });
    assert.deepEqual(params("x; n*=UTF-8''100%; m*=bare"), { n: '100%', m: 'bare' });
  });
  it('decodes encoded words in file names, and only there', () => {
    assert.deepEqual(params('x; filename="=?UTF-8?Q?=C3=BC.txt?="; boundary="=?UTF-8?Q?a?="'), {
      filename: 'ü.txt',
      boundary: '=?UTF-8?Q?a?=',
    });
  });
  it('reads as many parameters as the bound allows', () => {
    const many = (count: number) => `x${Array.from({ length: count }, (_, i) => `;p${i}=1`).join('')}`;
    assert.equal(parseParameters(many(MAX_MIME_PARAMETERS)).params.size, MAX_MIME_PARAMETERS);
    assert.equal(parseParameters(many(MAX_MIME_PARAMETERS + 1)).params.size, MAX_MIME_PARAMETERS);
  });
  it('keeps names that objects have by themselves apart', () => {
    assert.equal(parseParameters('x; __proto__=1').params.get('__proto__'), '1');
    assert.equal(parseParameters('x').params.get('constructor'), undefined);
  });
});

describe('formatParameter', () => {
  it('chooses the simplest form that carries the value', () => {
    assert.equal(formatParameter('charset', 'utf-8'), 'charset=utf-8');
    assert.equal(formatParameter('name', 'a "b\\c".txt'), 'name="a \\"b\\\\c\\".txt"');
    assert.equal(formatParameter('name', ''), 'name=""');
    assert.equal(formatParameter('filename', "ü'(*).txt"), "filename*=UTF-8''%C3%BC%27%28%2A%29.txt");
  });
  it('lets no line break through', () => {
    assert.equal(formatParameter('name', 'a\r\nBcc: x\0'), 'name="a  Bcc: x "');
    assert.equal(formatParameter('name', 'ü\n'), "name*=UTF-8''%C3%BC%20");
  });
  it('does not fail on half a surrogate pair', () => {
    assert.equal(formatParameter('name', '\ud800'), "name*=UTF-8''%EF%BF%BD");
  });
  it('is read back as it was', () => {
    for (const value of ['a', 'a b', 'a;b="c"', '\\', 'ü', "'", '日本語 😀.txt', 'x=y', '(x)', '100%', 'a|b']) {
      assert.equal(parseParameters(`x; ${formatParameter('n', value)}; m=1`).params.get('n'), value);
    }
  });
});

describe('formatContentType and formatContentDisposition', () => {
  it('makes a media type with parameters', () => {
    assert.equal(
      formatContentType('text/plain', Object.entries({ charset: 'utf-8', name: 'a b' })),
      'text/plain; charset=utf-8; name="a b"',
    );
  });
  it('refuses what is no media type and no parameter name', () => {
    for (const type of ['text', 'text/plain; x=y', 'text/plain\r\nX: y', '', 'a/b/c', 'text/ü']) {
      assert.throws(() => formatContentType(type), { code: 'bad_request' });
      assert.equal(isMediaType(type), false);
    }
    assert.throws(() => formatContentType('text/plain', [['a=b', 'c']]), { code: 'bad_request' });
    assert.ok(isMediaType('application/vnd.oasis.opendocument.text'));
    assert.ok(isMediaType(`${'a'.repeat(127)}/${'b'.repeat(127)}`));
    assert.ok(!isMediaType(`${'a'.repeat(128)}/b`));
  });
  it('names a file for HTTP in ASCII and, where that is not enough, exactly', () => {
    assert.equal(formatContentDisposition('attachment', 'a b.txt'), 'attachment; filename="a b.txt"');
    assert.equal(
      formatContentDisposition('inline', 'Grüße "1".txt'),
      `inline; filename="Gr_e _1_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.txt`,
    );
    assert.equal(
      formatContentDisposition('attachment', 'a%41.txt'),
      `attachment; filename="a_41.txt"; filename*=UTF-8''a%2541.txt`,
    );
    assert.equal(formatContentDisposition('attachment', 'a\r\nX: y'), 'attachment; filename="a  X: y"');
    assert.equal(formatContentDisposition('attachment', '\n'), 'attachment');
    assert.equal(formatContentDisposition('attachment'), 'attachment');
  });
});

describe('formatHeader and decodeHeaderText', () => {
  it('makes one line', () => {
    assert.equal(formatHeader('X-Note', 'a b'), 'X-Note: a b\n');
    assert.equal(formatHeader('Subject', 'ü'), 'Subject: =?UTF-8?B?w7w=?=\n');
  });
  it('refuses line breaks, NUL and invalid names', () => {
    for (const value of ['a\nb', 'a\r', '\0']) assert.throws(() => formatHeader('X', value), { code: 'bad_request' });
    for (const name of ['', 'a b', 'a:', 'X\n']) assert.throws(() => formatHeader(name, 'x'), { code: 'bad_request' });
  });
  it('gives text for people', () => {
    assert.equal(decodeHeaderText('=?UTF-8?Q?=C3=BC?='), 'ü');
    assert.equal(decodeHeaderText(Buffer.from('ü =?UTF-8?Q?=C3=BC?=')), 'ü ü');
    assert.equal(decodeHeaderText(Buffer.from([0xfc, 0x80])), 'ü€');
  });
});

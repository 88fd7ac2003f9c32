// Content that hides a message of its own: winmail.dat, signed S/MIME data, uuencoded files.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_DER_DEPTH,
  MAX_TNEF_DEPTH,
  MAX_TNEF_PROPERTIES,
  MAX_UNPACKED_BYTES,
  MAX_UNPACKED_FILES,
  MAX_UNPACKED_PARTS,
} from '../../src/limits/mime.ts';
import { decodeHeaderText, parseHeaders } from '../../src/mime/headers.ts';
import { contentOf, contentParts, isLeaf, namedFile } from '../../src/mime/part.ts';
import { numberParts } from '../../src/mime/part-list.ts';
import { unpack, unpackParts } from '../../src/mime/unpack.ts';
import { walk } from '../../src/mime/walk.ts';
import {
  attribute,
  ENVELOPED_DATA,
  element,
  file,
  indefinite,
  padded,
  properties,
  property,
  signed,
  tnef,
  u16,
  u32,
} from '../support/packed-content.ts';

const TEXT = { type: 'text/plain', name: '', charset: '' };
const TNEF = { type: 'application/ms-tnef', name: 'winmail.dat', charset: '' };
const SIGNED = { type: 'application/pkcs7-mime', name: 'smime.p7m', charset: '' };

/** `type name: content` of each part. */
function partsIn(entity: Buffer | undefined): string[] | undefined {
  if (!entity) return undefined;
  const parts = [...contentParts(walk(entity))];
  return parts.map((part) => `${part.type} ${part.filename}: ${contentOf(entity, part)}`);
}

describe('uuencoded files in a text', () => {
  const read = (text: string) => partsIn(unpack(TEXT, Buffer.from(text, 'latin1')));
  const CAT = 'begin 644 cat.txt\n#0V%T\n`\nend\n';

  it('become files, and the rest stays text', () => {
    assert.deepEqual(read(`Here.\n${CAT}and\n${CAT.replace('cat', 'a cat')}Bye\n`), [
      'text/plain : Here.\nand\nBye\n',
      'application/octet-stream cat.txt: Cat',
      'application/octet-stream a cat.txt: Cat',
    ]);
    assert.equal(read(CAT.replaceAll('\n', '\r\n'))?.[1], 'application/octet-stream cat.txt: Cat');
    assert.equal(read(CAT.replace('cat', 'caf\xe9'))?.[1], 'application/octet-stream café.txt: Cat');
  });

  it('are told from text that looks alike', () => {
    for (const text of [
      'begin 644 x\n',
      'begin 644 x\nend\n',
      'begin 644 x\nnot uu\nend\n',
      'begin here\n#0V%T\nend\n',
      'begin 644 x\n#0V%T\n',
    ]) {
      assert.equal(read(text), undefined, text);
    }
  });

  it('are at most MAX_UNPACKED_FILES', () => {
    assert.equal(read(CAT.repeat(MAX_UNPACKED_FILES))?.length, MAX_UNPACKED_FILES + 1);
    const more = read(CAT.repeat(MAX_UNPACKED_FILES + 1))!;
    assert.equal(more.length, MAX_UNPACKED_FILES + 1);
    assert.equal(more[0], `text/plain : ${CAT}`);
  });
});

describe('winmail.dat', () => {
  const read = (...attributes: Buffer[]) => partsIn(unpack(TNEF, tnef(...attributes)));
  const codePage = attribute(0x9007, Buffer.concat([u32(1252), u32(0)]));

  it('has text and files', () => {
    const html = property(0x102, 0x1013, Buffer.from('<b>Gr\xfc\xdfe</b>', 'latin1'));
    const named = Buffer.concat([
      u16(0x1e),
      u16(0x8001),
      Buffer.alloc(16),
      u32(1),
      u32(6),
      padded(Buffer.from('a\0b\0\0\0')),
      u32(1),
      u32(3),
      padded(Buffer.from('xyz')),
    ]);
    const long = property(0x1f, 0x3707, Buffer.from('Übersicht.pdf\0', 'utf16le'));
    const type = property(0x1e, 0x370e, Buffer.from('application/pdf\0'));
    const entity = unpack(
      TNEF,
      tnef(
        codePage,
        attribute(0x9003, properties(named, html)),
        file('UEBERS~1.PDF', 'Cat', named, long, type),
        file('caf\xe9.txt', 'Dog'),
      ),
    )!;
    assert.deepEqual(partsIn(entity)!.slice(1), [
      'application/pdf Übersicht.pdf: Cat',
      'application/octet-stream café.txt: Dog',
    ]);
    const text = walk(entity).children[0]!;
    assert.deepEqual(
      [text.type, text.charset, contentOf(entity, text).toString('latin1')],
      ['text/html', '1252', '<b>Gr\xfc\xdfe</b>'],
    );
  });

  it('may have plain text, by attribute or property, rich text, and pictures of it', () => {
    assert.deepEqual(read(attribute(0x800c, Buffer.from('Hi\0'))), ['text/plain : Hi']);
    assert.deepEqual(read(attribute(0x9003, properties(property(0x1f, 0x1000, Buffer.from('Hö\0', 'utf16le'))))), [
      'text/plain : Hö',
    ]);
    const rtf = (text: string) =>
      property(
        0x102,
        0x1009,
        Buffer.concat([u32(text.length + 12), u32(text.length), u32(0x414c454d), u32(0), Buffer.from(text)]),
      );
    const plain = rtf("{\\rtf1\\ansi Gr\\'fc\\'dfe}");
    const html = rtf("{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag <b>}\\'fc}");
    const body = property(0x1e, 0x1000, Buffer.from('Hi\0'));
    assert.deepEqual(read(attribute(0x9003, properties(plain))), ['text/plain : Grüße']);
    assert.deepEqual(read(attribute(0x9003, properties(html, body))), ['text/html : <b>ü']);
    assert.deepEqual(read(attribute(0x9003, properties(plain, body))), ['text/plain : Hi']);
    assert.deepEqual(read(attribute(0x800c, Buffer.from('Ho\0')), attribute(0x9003, properties(plain))), [
      'text/plain : Ho',
    ]);
    const entity = unpack(TNEF, tnef(file('a.png', 'x', property(0x1e, 0x3712, Buffer.from('image001\0')))))!;
    assert.equal(walk(entity).children[0]!.contentId, 'image001');
  });

  /** a message that is a file of another one */
  const embedded = (content: Buffer) =>
    file('inner', '', property(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), content])));
  it('may hold messages of the same form, which become mail', () => {
    const text = (id: number, value: string) => property(0x1f, id, Buffer.from(`${value}\0`, 'utf16le'));
    const time = Buffer.concat([u16(0x40), u16(0x39), Buffer.from(BigUint64Array.of(132_000_000_000_000_000n).buffer)]);
    const head = [
      text(0x37, 'Pläne\r\nX: y'),
      text(0xc1a, 'Dora Ö'),
      text(0xc1f, 'dora@d.example'),
      text(0xe04, 'Ed; Flo'),
    ];
    const inner = tnef(attribute(0x9003, properties(...head, time, text(0x1000, 'deep'))), file('a.txt', 'Cat'));
    const entity = unpack(TNEF, tnef(embedded(inner)))!;
    const message = walk(entity).children[0]!;
    assert.deepEqual([message.type, message.filename], ['message/rfc822', 'Pläne X: y.eml']);
    const source = contentOf(entity, message);
    const fields = parseHeaders(source.subarray(0, walk(source).start)).map(
      ({ name, value }) => `${name}: ${decodeHeaderText(value)}`,
    );
    assert.deepEqual(fields.slice(0, 4), [
      'From: Dora Ö <dora@d.example>',
      'To: Ed; Flo',
      'Subject: Pläne X: y',
      'Date: Wed, 17 Apr 2019 18:40:00 +0000',
    ]);
    assert.deepEqual(partsIn(source), ['text/plain : deep', 'application/octet-stream a.txt: Cat']);
  });

  it('has messages inside each other MAX_TNEF_DEPTH deep', () => {
    const nested = (depth: number): Buffer =>
      depth === 0 ? tnef(file('a', 'Cat')) : tnef(embedded(nested(depth - 1)));
    const innermost = (depth: number) => {
      const source = unpack(TNEF, nested(depth))!;
      const root = walk(source);
      const whole = unpackParts(source, root);
      const last = [...contentParts(root)].at(-1)!;
      return `${last.type} ${contentOf(whole, last).subarray(0, 3)}`;
    };
    assert.equal(innermost(MAX_TNEF_DEPTH), 'application/octet-stream Cat');
    assert.notEqual(innermost(MAX_TNEF_DEPTH + 1), 'application/octet-stream Cat');
  });

  it('that is damaged gives what is whole, or nothing', () => {
    const whole = tnef(file('a.txt', 'Cat'), file('b.txt', 'Dog'));
    assert.deepEqual(partsIn(unpack(TNEF, whole.subarray(0, whole.length - 8))), [
      'application/octet-stream a.txt: Cat',
      'application/octet-stream b.txt: ',
    ]);
    for (const length of [0, 3, 6, 12]) assert.equal(unpack(TNEF, whole.subarray(0, length)), undefined);
    assert.equal(unpack(TNEF, Buffer.from('something else')), undefined);
    for (let at = 6; at < whole.length; at++)
      unpack(TNEF, Buffer.concat([whole.subarray(0, at), Buffer.alloc(40, 0xff)]));
  });

  it('has at most MAX_UNPACKED_FILES, and MAX_TNEF_PROPERTIES of each', () => {
    const many = (count: number) => read(...Array.from({ length: count }, () => file('a', 'x')))!.length;
    assert.deepEqual(
      [many(MAX_UNPACKED_FILES), many(MAX_UNPACKED_FILES + 1)],
      [MAX_UNPACKED_FILES, MAX_UNPACKED_FILES],
    );
    const other = property(0x1e, 0x0001, Buffer.from('x'));
    const last = (count: number) => {
      const list = Array.from({ length: count - 1 }, () => other);
      return read(file('a', 'x', ...list, property(0x1e, 0x3707, Buffer.from('b'))));
    };
    assert.deepEqual(last(MAX_TNEF_PROPERTIES), ['application/octet-stream b: x']);
    assert.deepEqual(last(MAX_TNEF_PROPERTIES + 1), ['application/octet-stream a: x']);
  });
});

describe('signed S/MIME data', () => {
  const MESSAGE = 'Content-Type: text/html\r\n\r\n<b>x</b>\r\n';
  const inPieces = (wrap: typeof element) =>
    wrap(0x24, element(4, Buffer.from(MESSAGE.slice(0, 10))), element(4, Buffer.from(MESSAGE.slice(10))));

  it('shows what was signed, in any encoding of its lengths', () => {
    for (const wrap of [element, indefinite])
      for (const octets of [element(4, Buffer.from(MESSAGE)), inPieces(element), inPieces(indefinite)]) {
        assert.equal(unpack(SIGNED, signed(wrap, octets))?.toString(), MESSAGE.replaceAll('\r\n', '\n'));
      }
    const long = Buffer.from(`Subject: x\n\n${'x'.repeat(1000)}`);
    assert.ok(unpack(SIGNED, signed(element, element(4, long)))?.equals(long));
  });

  it('is told from encrypted data and from data that is cut', () => {
    assert.equal(unpack(SIGNED, signed(element, element(4, Buffer.from(MESSAGE)), ENVELOPED_DATA)), undefined);
    const whole = signed(indefinite, inPieces(indefinite));
    for (let length = 0; length < whole.length; length++) unpack(SIGNED, whole.subarray(0, length));
    assert.equal(unpack(SIGNED, Buffer.from('MIIC', 'base64')), undefined);
    assert.equal(unpack(SIGNED, Buffer.from('308affffffffffffffffffff', 'hex')), undefined);
  });

  it('has elements of indefinite length MAX_DER_DEPTH deep', () => {
    // five are around the content
    const nested = (depth: number) => {
      let octets = element(4, Buffer.from(MESSAGE));
      for (let i = 0; i < depth; i++) octets = indefinite(0x24, octets);
      return unpack(SIGNED, signed(element, octets))?.toString();
    };
    assert.equal(nested(MAX_DER_DEPTH), MESSAGE.replaceAll('\r\n', '\n'));
    assert.equal(nested(MAX_DER_DEPTH + 1), '');
  });
});

describe('a multipart whose boundary is not that of its header', () => {
  const BODY = 'preamble\n--x y  \nContent-Type: text/plain\n\nhello\n--x y\nContent-Type: image/png\n\nPNG\n--x y--\n';
  const MIXED = { type: 'multipart/mixed', name: '', charset: '' };
  it('goes by its first line of dashes before a header', () => {
    const parts = ['text/plain : hello', 'image/png : PNG'];
    for (const params of [{}, { boundary: 'other' }, { boundary: '' }, { boundary: 'x y' }])
      assert.deepEqual(partsIn(unpack({ ...MIXED, params }, Buffer.from(BODY))), parts);
    assert.deepEqual(partsIn(unpack(MIXED, Buffer.from(BODY.replaceAll('\n', '\r\n')))), parts);
  });
  it('stays what it is where there is none', () => {
    for (const text of ['', 'text\n-- \nsignature\n', '-----Original Message-----\n\nFrom: x\n', '--x\ntext\n'])
      assert.equal(unpack(MIXED, Buffer.from(text)), undefined, text);
  });
});

describe('unpackParts', () => {
  it('goes on inside what it has found, and opens messages that are encoded', () => {
    const uu = 'Content-Type: text/plain\n\nbegin 644 a.txt\n#0V%T\n`\nend\n';
    const message = Buffer.from(`Subject: In\n${uu}`).toString('base64');
    const content = signed(
      element,
      element(4, Buffer.from(`Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${message}`)),
    );
    const source = Buffer.from(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pkcs7-mime\n` +
        `Content-Transfer-Encoding: base64\n\n${content.toString('base64')}\n--b--\n`,
    );
    const root = walk(source);
    const whole = unpackParts(source, root);
    const numbers = numberParts(root, []).map(({ number, part }) => `${number} ${part.type} ${namedFile(part)}`);
    assert.deepEqual(numbers, [
      ' multipart/mixed ',
      '1 application/pkcs7-mime ',
      '1.1 message/rfc822 In.eml',
      '1.1.1 text/plain ',
      '1.1.1.1 multipart/mixed ',
      '1.1.1.1.1 text/plain ',
      '1.1.1.1.2 application/octet-stream a.txt',
    ]);
    assert.equal(contentOf(whole, [...contentParts(root)].at(-1)!).toString(), 'Cat');
  });

  it('finds MAX_UNPACKED_BYTES in all', () => {
    const head = 'Content-Type: multipart/mixed; boundary=b\n\n';
    const inner = (size: number) => Buffer.concat([Buffer.from('Subject: x\n\n'), Buffer.alloc(size - 12, 'x')]);
    const opened = (size: number) => {
      const source = Buffer.from(
        `${head}--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${inner(size).toString('base64')}\n--b--\n`,
      );
      const root = walk(source);
      return unpackParts(source, root).length - source.length;
    };
    assert.deepEqual([MAX_UNPACKED_BYTES, MAX_UNPACKED_BYTES + 1].map(opened), [MAX_UNPACKED_BYTES, 0]);
  });

  const PART = '--b\nContent-Type: text/plain\n\nbegin 644 a\n#0V%T\n`\nend\n';
  const opened = (count: number) => {
    const source = Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${PART.repeat(count)}--b--\n`);
    const root = walk(source);
    const longer = unpackParts(source, root);
    const files = [...contentParts(root)].filter(({ filename }) => filename === 'a');
    for (const file of files) assert.equal(contentOf(longer, file).toString(), 'Cat');
    assert.equal(files.length, root.children.filter((part) => !isLeaf(part)).length);
    return files.length;
  };
  it('looks into MAX_UNPACKED_PARTS', () => {
    assert.deepEqual([1, MAX_UNPACKED_PARTS, MAX_UNPACKED_PARTS + 1].map(opened), [
      1,
      MAX_UNPACKED_PARTS,
      MAX_UNPACKED_PARTS,
    ]);
  });
  it('leaves other messages alone', () => {
    const source = Buffer.from('Content-Type: text/html\n\nbegin 644 a\n#0V%T\n`\nend\n');
    assert.equal(unpackParts(source, walk(source)), source);
  });
});

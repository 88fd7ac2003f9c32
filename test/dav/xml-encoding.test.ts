// The bytes of an XML body as text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeXml, isXmlCharacter } from '../../src/dav/xml-cursor.ts';
import { readXml, type XmlElement } from '../../src/dav/xml-read.ts';
import { AppError } from '../../src/errors.ts';

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';
const refuses = (text: string | Buffer) =>
  assert.throws(() => readXml(Buffer.from(text)), isRefusal, String(text).slice(0, 60));
/** `{namespace}name(children)text` */
const outline = ({ namespace, name, children, text }: XmlElement): string =>
  `{${namespace}}${name}${children.length > 0 ? `(${children.map(outline).join(' ')})` : ''}${text.trim()}`;

describe('the encoding of XML', () => {
  it('may be UTF-8 and UTF-16, with and without a byte order mark', () => {
    const text = '<ü xmlns="urn:ä">😀</ü>';
    const utf16 = Buffer.from(text, 'utf16le');
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(utf16).swap16(),
      Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le').swap16(),
    ]) {
      assert.equal(outline(readXml(bytes)), '{urn:ä}ü😀');
    }
  });

  it('is no other, and its bytes are not malformed', () => {
    refuses('<?xml version="1.0" encoding="ISO-8859-1"?><a/>');
    refuses('<?xml version="1.0" encoding="UTF-16"?><a/>');
    refuses(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]));
    refuses('<a>\0</a>');
    refuses('<a>\x08</a>');
    refuses('<a>\ufffe</a>');
  });
});

describe('text of XML', () => {
  it('has line ends as LF, and no mark of byte order', () => {
    assert.equal(decodeXml(Buffer.from('\ufeff<a>1\r\n2\r3\n</a>')), '<a>1\n2\n3\n</a>');
  });

  it('may declare what it is, in any case of letters', () => {
    const declared = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?><a/>`;
    for (const encoding of ['utf-8', 'UTF8', 'US-ASCII'])
      assert.ok(decodeXml(Buffer.from(declared(encoding))), encoding);
    assert.ok(decodeXml(Buffer.from(declared('UTF-16LE'), 'utf16le')));
    assert.throws(() => decodeXml(Buffer.from(declared('utf-8'), 'utf16le')), isRefusal);
    assert.ok(decodeXml(Buffer.from('<a> encoding="latin1"</a>')), 'only a declaration declares');
  });

  it('has the characters of XML 1.0 section 2.2', () => {
    const edges = [
      0x8, 0x9, 0xd, 0x1f, 0x20, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffd, 0xfffe, 0x10000, 0x10ffff, 0x110000,
    ];
    assert.deepEqual(edges.map(isXmlCharacter), [
      ...[false, true, true, false, true, true, false],
      ...[false, true, true, false, true, true, false],
    ]);
  });
});

// The tokens of XML, one after the other.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { XmlCursor } from '../../src/dav/xml-cursor.ts';

const REFUSED = { code: 'bad_request' };

describe('text', () => {
  it('goes up to the next tag, its references resolved', () => {
    const cursor = new XmlCursor('a b&lt;&#x41;c<d/>e');
    assert.deepEqual([cursor.takeText(), cursor.wasReference], ['a b<Ac', true]);
    assert.deepEqual([cursor.takeText(), cursor.wasReference, cursor.isAtEnd], ['', false, false]);
    cursor.takeStartTag(1);
    assert.deepEqual([cursor.takeText(), cursor.wasReference, cursor.isAtEnd], ['e', false, true]);
  });

  it('resolves a reference once: what it stands for begins no other', () => {
    for (const [written, text] of [
      ['&amp;lt;&amp;amp;', '&lt;&amp;'],
      ['&#38;lt;&#x26;#38;&amp;#60;', '&lt;&#38;&#60;'],
      ['&#9;&#32;&#128512;&quot;&#65;', '\t \u{1f600}"A'],
      [']]&gt;', ']]>'],
    ] as const) {
      assert.equal(new XmlCursor(written).takeText(), text, written);
      assert.deepEqual(new XmlCursor(`<a b='${written}'/>`).takeStartTag(1).attributes, [['b', text]], written);
    }
  });

  it('has references to characters that XML can hold, and to the five names', () => {
    for (const [reference, text] of [
      ['&amp;', '&'],
      ['&quot;', '"'],
      ['&apos;', "'"],
      ['&#9;', '\t'],
      ['&#x10FFFF;', '\u{10ffff}'],
    ] as const) {
      assert.equal(new XmlCursor(reference).takeText(), text);
    }
    for (const wrong of [
      '&',
      '&;',
      '&nbsp;',
      '&#0;',
      '&#8;',
      '&#xFFFE;',
      '&#x110000;',
      '&#xD800;',
      '&#-1;',
      '&lt',
      '&amp;&',
      '&#65;&x;',
      '&a\nmp;',
    ]) {
      assert.throws(() => new XmlCursor(wrong).takeText(), REFUSED, wrong);
    }
    assert.throws(() => new XmlCursor('a]]>b').takeText(), REFUSED);
  });
});

describe('a tag', () => {
  const start = (text: string, max = 10) => new XmlCursor(text).takeStartTag(max);

  it('has a name, attributes with their references undone, and an end', () => {
    assert.deepEqual(start('<D:a b = "1&lt;\n2" c=\'"\'/>'), {
      tag: 'D:a',
      attributes: [
        ['b', '1< 2'],
        ['c', '"'],
      ],
      isEmpty: true,
    });
    assert.equal(start('<ü·1>').tag, 'ü·1');
    assert.equal(new XmlCursor('</a \n>').takeEndTag(), 'a');
    assert.equal(new XmlCursor('<a>').takeEndTag(), undefined);
  });

  it('has so many attributes and not one more', () => {
    const many = (count: number) => `<a ${Array.from({ length: count }, (_, i) => `b${i}=""`).join(' ')}>`;
    assert.equal(start(many(3), 3).attributes.length, 3);
    assert.throws(() => start(many(4), 3), { code: 'too_large' });
  });

  it('is refused where it is broken', () => {
    for (const text of ['<', '< a>', '<1>', '<a', '<a b>', '<a b=1>', '<a b="1', '<a b="<">', '<a b=""c="">', '<a:>']) {
      assert.throws(() => start(text), REFUSED, text);
    }
    for (const text of ['</', '</ a>', '</a b>', '</a'])
      assert.throws(() => new XmlCursor(text).takeEndTag(), REFUSED, text);
  });
});

describe('what is passed over', () => {
  it('is comments, processing instructions and one declaration', () => {
    const cursor = new XmlCursor('<?xml version="1.0" standalone=\'yes\'?><!-- - --><?p x?>');
    cursor.skipDeclaration();
    assert.deepEqual([cursor.skipMisc(), cursor.skipMisc(), cursor.skipMisc()], [true, true, false]);
    assert.equal(cursor.isAtEnd, true);
    const none = new XmlCursor('<?xml-stylesheet x?>');
    none.skipDeclaration();
    assert.equal(none.skipMisc(), true, 'a name that only begins like it');
  });

  it('is refused where it is broken or reserved', () => {
    for (const text of ['<!-- -- -->', '<!--', '<?', '<?XML x?>', '<?a:b?>', '<?a', '<? a?>']) {
      assert.throws(() => new XmlCursor(text).skipMisc(), REFUSED, text);
    }
    for (const text of ['<?xml ?>', '<?xml version="2.0"?>', '<?xml version="1.0" encoding="1"?>']) {
      assert.throws(() => new XmlCursor(text).skipDeclaration(), REFUSED, text);
    }
  });
});

describe('a section of characters', () => {
  it('is taken as it is; other declarations are refused', () => {
    assert.equal(new XmlCursor('<![CDATA[<&]]]>').takeCdata(), '<&]');
    assert.equal(new XmlCursor('<a>').takeCdata(), undefined);
    for (const text of ['<![CDATA[', '<!DOCTYPE a>', '<![cdata[]]>']) {
      assert.throws(() => new XmlCursor(text).takeCdata(), REFUSED, text);
    }
  });
});

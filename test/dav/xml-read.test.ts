// XML that clients send: well-formed XML 1.0 with namespaces is understood, anything else is 400, and 413 what is
// beyond a bound.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readXml, readXmlInSteps, type XmlElement } from '../../src/dav/xml-read.ts';
import { AppError } from '../../src/errors.ts';
import {
  MAX_XML_ATTRIBUTE_CHARACTERS,
  MAX_XML_ATTRIBUTES,
  MAX_XML_DEPTH,
  MAX_XML_ELEMENTS,
  MAX_XML_NAMESPACE_CHARACTERS,
} from '../../src/limits/dav.ts';
import { newSeed, randomBytes, randomFrom } from '../support/random.ts';

const read = (text: string) => readXml(Buffer.from(text));
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';
const refuses = (text: string | Buffer) =>
  assert.throws(() => readXml(Buffer.from(text)), isRefusal, String(text).slice(0, 60));
const isTooLarge = (text: string) => assert.throws(() => read(text), { code: 'too_large' }, text.slice(0, 60));
/** `{namespace}name(children)text` */
const outline = ({ namespace, name, children, text }: XmlElement): string =>
  `{${namespace}}${name}${children.length > 0 ? `(${children.map(outline).join(' ')})` : ''}${text.trim()}`;

describe('the XML reader', () => {
  it('reads elements by namespace, whatever the prefixes', () => {
    for (const text of [
      '<propfind xmlns="DAV:"><prop><a xmlns="urn:x"/><href/></prop></propfind>',
      '<D:propfind xmlns:D="DAV:"><D:prop><b:a xmlns:b="urn:x"/><D:href/></D:prop></D:propfind>',
      "<?xml version='1.0' encoding='utf-8'?>\r\n<!-- c --><q:propfind xmlns:q = 'DAV:' ><q:prop\n" +
        "><x:a xmlns:x='urn:x'></x:a ><q:href/></q:prop></q:propfind><?pi?>\n",
    ]) {
      assert.equal(outline(read(text)), '{DAV:}propfind({DAV:}prop({urn:x}a {DAV:}href))');
    }
  });

  it('lets an inner declaration hide an outer one, and end with its element', () => {
    const text = '<a xmlns="urn:1" xmlns:p="urn:2"><p:b xmlns:p="urn:3"><p:c/></p:b><p:d/><e xmlns=""/></a>';
    assert.equal(outline(read(text)), '{urn:1}a({urn:3}b({urn:3}c) {urn:2}d {}e)');
  });

  it('joins text, CDATA and references, across comments', () => {
    assert.equal(read('<a> x&lt;&#65;&#x1F600;<![CDATA[<&]]]><!-- no --><?pi no?>&amp;y </a>').text, ' x<A😀<&]&y ');
  });

  it('normalises line ends, but not those that come as references', () => {
    assert.equal(read('<a>1\r\n2\r3&#13;\n</a>').text, '1\n2\n3\r\n');
    assert.equal(read('<a b="1\r\n2\t&#10;"/>').attributes.get('b'), '1 2 \n');
  });

  it('keeps attributes by name, prefixed ones by namespace', () => {
    const { attributes } = read('<a xmlns:p="urn:p" b="1" p:b="2" xml:lang="de" c=\'"&quot;&apos;\'/>');
    assert.deepEqual(Object.fromEntries(attributes), {
      b: '1',
      '{urn:p}b': '2',
      '{http://www.w3.org/XML/1998/namespace}lang': 'de',
      c: '""\'',
    });
  });

  it('refuses a DOCTYPE and what only a DTD could define', () => {
    refuses('<!DOCTYPE a><a/>');
    refuses('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>');
    refuses('<a>&b;</a>');
    refuses('<a b="&c;"/>');
    refuses('<a><!ELEMENT b></a>');
  });

  for (const text of [
    '',
    ' ',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a><b></a></b>',
    '<a/><b/>',
    '<a/>text',
    '<a/>&#32;',
    '&#32;<a/>',
    '<a/><![CDATA[]]>',
    '< a/>',
    '<a b/>',
    '<a b=c/>',
    '<a b="1"c="2"/>',
    '<a b="<"/>',
    '<a b="1" b="2"/>',
    '<a b="&#0;"/>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<a>& </a>',
    '<a>&amp</a>',
    '<a>]]></a>',
    '<a><!-- -- --></a>',
    '<a><!-- </a>',
    '<a><![CDATA[ </a>',
    '<a><?xml version="1.0"?></a>',
    ' <?xml version="1.0"?><a/>',
    '<?xml encoding="utf-8"?><a/>',
    '<?xml version="1.0" ?',
    '<a><?p:i x?></a>',
    '<1a/>',
    '<a:b:c xmlns:a="u" xmlns:b="u"/>',
    '<:a/>',
    '<a:/>',
    '<-a/>',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => refuses(text));
  }

  for (const text of [
    '<p:a/>',
    '<a p:b="c"/>',
    '<a xmlns:p=""/>',
    '<a xmlns:p="u" xmlns:p="v"/>',
    '<a xmlns="u" xmlns="v"/>',
    '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>',
    '<a xmlns:xmlns="u"/>',
    '<xmlns:a/>',
    '<a xmlns:xml="u"/>',
    '<a xmlns:x="http://www.w3.org/XML/1998/namespace"/>',
    '<a xmlns="http://www.w3.org/2000/xmlns/"/>',
  ]) {
    it(`refuses the namespaces of ${text}`, () => refuses(text));
  }

  it('bounds depth, elements and attributes', () => {
    const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    read(nested(MAX_XML_DEPTH));
    isTooLarge(nested(MAX_XML_DEPTH + 1));
    const wide = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`;
    assert.equal(read(wide(MAX_XML_ELEMENTS)).children.length, MAX_XML_ELEMENTS - 1);
    isTooLarge(wide(MAX_XML_ELEMENTS + 1));
    const full = (count: number) => `<a ${Array.from({ length: count }, (_, i) => `b${i}=""`).join(' ')}/>`;
    assert.equal(read(full(MAX_XML_ATTRIBUTES)).attributes.size, MAX_XML_ATTRIBUTES);
    isTooLarge(full(MAX_XML_ATTRIBUTES + 1));
    const long = (count: number) => `<a b="${'x'.repeat(count)}"/>`;
    assert.equal(read(long(MAX_XML_ATTRIBUTE_CHARACTERS)).attributes.get('b')?.length, MAX_XML_ATTRIBUTE_CHARACTERS);
    isTooLarge(long(MAX_XML_ATTRIBUTE_CHARACTERS + 1));
    const within = (count: number) => `<a><p:b xmlns:p="${'n'.repeat(count)}"/></a>`;
    assert.equal(
      read(within(MAX_XML_NAMESPACE_CHARACTERS)).children[0]?.namespace.length,
      MAX_XML_NAMESPACE_CHARACTERS,
    );
    isTooLarge(within(MAX_XML_NAMESPACE_CHARACTERS + 1));
  });

  it('reads a long text piece by piece, and as if it were one', () => {
    for (const unit of ['x&amp;', '&#65;', 'xyz', '& lt;', ']]&gt;', `${'x'.repeat(70_000)}&lt;]]`]) {
      const text = unit.repeat(Math.ceil(300_000 / unit.length));
      if (unit === '& lt;') {
        refuses(`<a>${text}</a>`);
        continue;
      }
      const expected = text
        .replaceAll('&amp;', '&')
        .replaceAll('&#65;', 'A')
        .replace(/&(gt|lt);/g, (_, name) => (name === 'gt' ? '>' : '<'));
      assert.equal(read(`<a>${text}<b/></a>`).text, expected, unit.slice(0, 20));
      refuses(`<a>${text}]]></a>`);
    }
  });

  it('may be left for a while after each element, and within a long text', () => {
    const steps = (text: string) => Array.from(readXmlInSteps(Buffer.from(text))).length;
    assert.ok(steps(`<a>${'<b/>'.repeat(1000)}</a>`) > 1000);
    assert.ok(steps(`<a>${'&lt;'.repeat(200_000)}</a>`) > 10);
  });

  it('ends on any bytes with a tree or with 400', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const sample = Buffer.from(
      '<?xml version="1.0"?><D:a xmlns:D="DAV:" b=\'&lt;\'><!-- c --><![CDATA[d]]>&#65;<D:e xmlns="u"/><?f g?></D:a>',
    );
    for (let round = 0; round < 3000; round++) {
      const bytes = Buffer.from(sample);
      for (let change = random(4); change >= 0; change--) {
        const from = sample[random(sample.length)]!;
        bytes[random(bytes.length)] = random(2) === 0 ? from : randomBytes(random, 1)[0]!;
      }
      const cut = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      try {
        readXml(cut);
      } catch (error) {
        assert.ok(isRefusal(error), `seed ${seed}, ${JSON.stringify(cut.toString('latin1'))}: ${error}`);
      }
    }
  });
});

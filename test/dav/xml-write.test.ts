// XML that is written: nothing that goes in as text can become markup, and what comes out can be read again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readXml } from '../../src/dav/xml-read.ts';
import {
  document,
  documentStart,
  element,
  elementWith,
  emptyElement,
  standalone,
  storable,
  writtenElement,
} from '../../src/dav/xml-write.ts';
import { newSeed, randomFrom } from '../support/random.ts';

const textOf = (content: string) => readXml(Buffer.from(document('D:t', content))).text;

describe('the XML writer', () => {
  it('writes a document whose root declares D:', () => {
    const href = element('D:href', '/svc/r/a%26b/');
    assert.equal(
      document('D:multistatus', element('D:response', href, element('D:status'))),
      '<?xml version="1.0" encoding="utf-8"?>\n' +
        '<D:multistatus xmlns:D="DAV:"><D:response><D:href>/svc/r/a%26b/</D:href><D:status/></D:response>' +
        '</D:multistatus>\n',
    );
  });

  it('declares the prefixes of what a document holds, and of a list that is still to come all', () => {
    assert.equal(
      document('D:error', element('C:valid-calendar-data')),
      '<?xml version="1.0" encoding="utf-8"?>\n' +
        '<D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><C:valid-calendar-data/></D:error>\n',
    );
    const root = readXml(Buffer.from(`${documentStart('D:multistatus')}<CS:a/><CR:b/><I:c/><C:d/></D:multistatus>`));
    assert.deepEqual(
      root.children.map(({ namespace, name }) => `{${namespace}}${name}`),
      [
        '{http://calendarserver.org/ns/}a',
        '{urn:ietf:params:xml:ns:carddav}b',
        '{http://apple.com/ns/ical/}c',
        '{urn:ietf:params:xml:ns:caldav}d',
      ],
    );
    assert.equal(emptyElement('urn:ietf:params:xml:ns:carddav', 'x').text, '<CR:x/>');
  });

  it('escapes attributes', () => {
    assert.equal(elementWith('C:comp', { name: '"<&\n' }).text, '<C:comp name="&#34;&lt;&amp;&#10;"/>');
    assert.equal(elementWith('D:a', { b: 'c' }, 'd', element('D:e')).text, '<D:a b="c">d<D:e/></D:a>');
  });

  it('lets no text become markup', () => {
    assert.equal(element('a', '</a><b c="d">&amp;', ']]>').text, '<a>&lt;/a&gt;&lt;b c="d"&gt;&amp;amp;]]&gt;</a>');
    assert.equal(textOf('</t><!-- & -->'), '</t><!-- & -->');
  });

  it('keeps a carriage return, which a parser would turn into a line feed', () => {
    assert.equal(textOf('a\r\nb'), 'a\r\nb');
  });

  it('replaces what XML cannot hold', () => {
    assert.equal(textOf('\0\x01\x1f\ufffe\uffff\ud800.\udc00'), `${'\ufffd'.repeat(6)}.\ufffd`);
    assert.equal(textOf('😀\t'), '😀\t');
  });

  it('declares the namespace of a foreign element, and needs none for DAV: and for no namespace', () => {
    assert.equal(emptyElement('DAV:', 'href').text, '<D:href/>');
    assert.equal(emptyElement('', 'plain').text, '<plain/>');
    assert.equal(emptyElement('urn:"&<\n', 'x').text, '<x:x xmlns:x="urn:&#34;&amp;&lt;&#10;"/>');
    const [child] = readXml(Buffer.from(document('D:prop', emptyElement('urn:"&<\n', 'x')))).children;
    assert.deepEqual([child?.namespace, child?.name], ['urn:"&<\n', 'x']);
  });

  it('writes an element that was read, and what stands for itself can be read again', () => {
    const source =
      '<p xmlns="urn:p" xmlns:q="urn:&amp;q" q:a="1" b="&quot;&#10;" xml:lang="de">Ein <q:b/> &lt;Text&gt;' +
      '<c xmlns=""/>' +
      '<d:href xmlns:d="DAV:">/</d:href><![CDATA[<&]]></p>';
    const read = readXml(Buffer.from(source));
    const written = writtenElement(read, source.length * 2)!;
    assert.deepEqual(readXml(Buffer.from(standalone(written))), read);
    const [inAnswer] = readXml(Buffer.from(document('D:prop', written))).children;
    assert.deepEqual(inAnswer, read);
    const colour = readXml(Buffer.from('<c xmlns="http://apple.com/ns/ical/">#ff0000</c>'));
    const plain = writtenElement(colour, 100)!;
    assert.equal(plain.text, '<I:c>#ff0000</I:c>');
    assert.equal(standalone(plain), '<I:c xmlns:I="http://apple.com/ns/ical/">#ff0000</I:c>');
    assert.equal(standalone(element('D:a')), '<D:a xmlns:D="DAV:"/>');
  });

  it('writes no more than it may, though each element declares its namespace anew', () => {
    const short = '<x:b xmlns:x="urn:p"/>';
    const read = readXml(Buffer.from(`<p:a xmlns:p="urn:p">${'<p:b/>'.repeat(10)}text</p:a>`));
    const whole = `<x:a xmlns:x="urn:p">${short.repeat(10)}text</x:a>`;
    assert.equal(writtenElement(read, whole.length)?.text, whole);
    assert.equal(writtenElement(read, whole.length - 1), undefined);
    const kept = `<x:a xmlns:x="urn:p">ä</x:a>`;
    const element = readXml(Buffer.from(kept));
    assert.equal(storable(element, Buffer.byteLength(kept)), kept);
    assert.equal(storable(element, Buffer.byteLength(kept) - 1), undefined);
  });

  it('gives back any text that XML can hold', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const characters = [
      '<',
      '>',
      '&',
      '"',
      "'",
      ']]>',
      '\r',
      '\n',
      '\t',
      ' ',
      'ü',
      '\u2028',
      '😀',
      'a',
      '<![CDATA[',
      '&#0;',
    ];
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: random(20) }, () => characters[random(characters.length)]).join('');
      assert.equal(textOf(text), text, `seed ${seed}`);
    }
  });
});

// The XML of a DAV client and its Destination cost steps in proportion to their length.

import './growth.ts';
import { describe } from 'node:test';
import { parsePropfind, parseProppatch } from '../../src/dav/propfind-body.ts';
import { readXml } from '../../src/dav/xml-read.ts';
import { element } from '../../src/dav/xml-write.ts';
import { numbered } from '../support/worst-pieces.ts';
import { asBytes, grows, mixtures } from './growth.ts';

const WORDS = ['<a>', '</a>', '<a/>', '<', '&amp;', ' x="y"', '<!--', ']]>'];

describe('steps of what reads XML', () => {
  const read = (bytes: Buffer) => {
    const root = readXml(bytes);
    parsePropfind(root);
    parseProppatch(root);
  };
  grows(
    'XML',
    asBytes([
      ...mixtures(WORDS, ['<a>', '</a>'], ['<a x="', '"/>']),
      ...mixtures(
        ['-', '--', '>', ' ', 'a'],
        ['<!--', '--><a/>'],
        ['<a><![CDATA[', ']]></a>'],
        ['<?xml version="1.0"', '?>'],
        ['<a ', '/>'],
      ),
      numbered('elements with names of their own', (i) => `<a${i}/>`, '<a>', '</a>'),
      numbered('namespaces', (i) => `<a xmlns:b${i}="c" b${i}:d="e"/>`, '<a>', '</a>'),
      numbered('attributes, then text', (i) => (i < 60 ? ` a${i}="b"` : 'x'), '<a', '></a>'),
    ]),
    read,
    { perUnit: 40 },
  );
  grows(
    'XML that is written',
    mixtures(['&', '<', '\0', '\ud800', '\udc00', 'a', ']]>']),
    (text) => element('a', text),
    { perUnit: 40 },
  );
});

// Bodies of DAV requests. What is read is written and read again as the same.

import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readXml, type XmlElement } from '../../../src/dav/xml-read.ts';
import { standalone, writtenElement } from '../../../src/dav/xml-write.ts';
import type { Target } from '../engine.ts';
import { refusedAs } from './refused.ts';

const folder = new URL('../../fixtures/dav/', import.meta.url);

/** what real clients have sent */
export function recordedBodies(): Buffer[] {
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const bodies = texts.flatMap((text) => [...text.matchAll(/^>>> .*?\n\n(.*?)^<<< /gms)].map(([, body]) => body!));
  return [...new Set(bodies.filter((body) => body.startsWith('<')))].map((body) => Buffer.from(body));
}

export function allOf(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(allOf)];
}

export const xml: Target = {
  name: 'xml',
  seeds: recordedBodies(),
  words: (
    '<![CDATA[ ]]> <!-- --> <? ?> <!DOCTYPE &amp; &lt; &#65; &#x1F600; &#0; &#xD800; xmlns="" xmlns="DAV:" ' +
    'xmlns:p="urn:p" p:a="1" xml:lang="en" <a> </a> <p:b/> xmlns:xml="x" \ufeff <?xml?version="1.1"?>'
  ).split(' '),
  vary(input, other, random) {
    const [root, elsewhere] = [readXml(input), readXml(other)];
    const place = allOf(root)[random(allOf(root).length)]!;
    const taken = allOf(elsewhere)[random(allOf(elsewhere).length)]!;
    const at = random(place.content.length + 1);
    const change = random(4);
    if (change === 0) place.content.splice(at, 1);
    else if (change === 1) place.content.splice(at, 0, taken);
    else if (change === 2)
      place.content.splice(at, random(2), xml.words[random(xml.words.length)]!.replace(/\W/g, '&'));
    else [place.namespace, place.name] = [taken.namespace, taken.name];
    return Buffer.from(standalone(writtenElement(root, Number.POSITIVE_INFINITY)!));
  },
  run(input) {
    let root: ReturnType<typeof readXml>;
    try {
      root = readXml(input);
    } catch (error) {
      return refusedAs(error, 'bad_request', 'too_large');
    }
    deepEqual(readXml(Buffer.from(standalone(writtenElement(root, Number.POSITIVE_INFINITY)!))), root);
    return 'read';
  },
};

// Random HTML from an alphabet of what has confused parsers: elements of all insertion modes and namespaces, broken
// tags, comments and references. Repeatable by its seed.

import type { Random } from '../support/random.ts';
import { VECTORS } from './html-vectors.ts';

const NAMES = (
  'a abbr address b blockquote body br button caption center col colgroup dd desc details div dl dt em embed font ' +
  'form ' +
  'foreignObject frameset h1 h2 head hr html i iframe image img input li listing main mark math menu mglyph mi mtext ' +
  'annotation-xml nobr noembed noframes noscript object ol option optgroup p plaintext pre q rb rp rt rtc ruby s ' +
  'script ' +
  'search select selectedcontent small span strike strong style sub summary sup svg table tbody td template ' +
  'textarea tfoot ' +
  'th thead time title tr tt u ul var wbr xmp'
).split(' ');
const ATTRIBUTES = (
  'href src style class id name title alt dir lang width height colspan rowspan start type color face align bgcolor ' +
  'onclick onerror onload srcset background action formaction xlink:href encoding is slot shadowrootmode "'
).split(' ');
const VALUES = [
  'javascript:alert(1)',
  'java&#10;script:alert(1)',
  'https://evil.example/x?a=1&amp;b=2',
  'cid:x',
  'data:text/html,<script>alert(1)</script>',
  'data:image/png;base64,AAAA',
  '</style></title></textarea></noscript></xmp><img src=x onerror=alert(1)>',
  '--><img src=x onerror=alert(1)>',
  'text/html',
  'color:red;background:url(http://evil.example/x)',
  "font-family:'a';x:expression(alert(1))",
  '100%',
  '3',
  'ltr',
  '&quot;&gt;&lt;',
  '`',
];
const SCRAPS = [
  '<',
  '</',
  '<!',
  '<!--',
  '<!-->',
  '-->',
  '--!>',
  '<![CDATA[',
  ']]>',
  '<?',
  '>',
  '/>',
  '"',
  "'",
  '=',
  '&',
  '&lt',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#0;',
  '&#x80;',
  '&amp;lt;',
  '\0',
  '\r\n',
  '\f',
  '\ud800',
  '\u2028',
  'words ',
  ' ',
];
const payloads = Object.values(VECTORS)
  .flat()
  .filter((payload) => payload.length < 300);

export function randomHtml(random: Random, pieces: number): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const attribute = (): string => {
    const quote = pick(['"', "'", '', '"', '']);
    return `${pick([' ', '/', '\n', ' '])}${pick(ATTRIBUTES)}=${quote}${pick(VALUES)}${quote}`;
  };
  const startTag = (): string => {
    const name = pick(NAMES);
    const attributes = Array.from({ length: random(3) }, attribute).join('');
    return `<${name}${attributes}${pick(['>', '>', '>', '/>', ''])}`;
  };
  let html = '';
  for (let i = 0; i < pieces; i++) {
    const kind = random(20);
    if (kind < 9) html += startTag();
    else if (kind < 13) html += `</${pick(NAMES)}${pick(['>', '>', '>', ' x>', ''])}`;
    else if (kind < 18) html += pick(SCRAPS);
    else if (kind === 18) html += 'text';
    else html += pick(payloads);
  }
  return html;
}

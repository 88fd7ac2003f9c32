// A file of several contacts (.vcf): its cards, each as it is written, and the other way round.

import { parseComponents } from '../../../src/mime/objects/content-lines.ts';

/** @typedef {{ uid: string, text: string }} Card */

/** Each with a UID, by which a room knows it. @param {string} file @returns {Card[]} */
export function cardsIn(file) {
  const cards = [];
  /** @type {string[] | undefined} */
  let lines;
  for (const line of file.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) lines = [];
    lines?.push(line);
    if (lines && /^END:VCARD\s*$/i.test(line)) {
      cards.push(withUid(asVersion3(lines)));
      lines = undefined;
    }
  }
  return cards;
}

/** @param {string[]} lines @returns {Card} */
function withUid(lines) {
  const at = lines.findIndex((line) => /^(?:[\w-]+\.)?UID[;:]/i.test(line));
  let end = at + 1;
  while (/^[ \t]/.test(lines[end] ?? '')) end++;
  const whole = at < 0 ? '' : [lines[at], ...lines.slice(at + 1, end).map((line) => line.slice(1))].join('');
  const uid = whole.slice(whole.indexOf(':') + 1).trim();
  if (uid !== '') return { uid, text: written(lines) };
  const made = crypto.randomUUID();
  const others = lines.filter((_, i) => i < at || i >= end || at < 0);
  const isFirst = /^VERSION:/i.test(others[1] ?? '');
  others.splice(isFirst ? 2 : 1, 0, `UID:${made}`);
  return { uid: made, text: written(others) };
}

/** @param {string[]} lines */
const written = (lines) => `${lines.join('\r\n')}\r\n`;

/**
 * A card of 2.1, which no room takes, as 3.0: its quoted-printable undone, its bare types named (RFC 2426 section 5).
 * @param {string[]} lines
 */
function asVersion3(lines) {
  if (!lines.some((line) => /^VERSION:2\.1\s*$/i.test(line))) return lines;
  const [card] = parseComponents(lines.join('\r\n'));
  const written = card.lines.map((line) => {
    if (line.name === 'VERSION') return 'VERSION:3.0';
    const types = [...line.params].flatMap(([name, value]) =>
      name === value.toUpperCase() || name === 'TYPE' ? value : [],
    );
    const isBinary = /^(BASE64|B)$/i.test(line.params.get('ENCODING') ?? '') || line.params.has('BASE64');
    const meant = types.filter((type) => !/^(QUOTED-PRINTABLE|BASE64|[78]BIT)$/i.test(type));
    const head = `${line.group && `${line.group}.`}${line.name}${isBinary ? ';ENCODING=b' : ''}`;
    return `${head}${meant.map((type) => `;TYPE=${type}`).join('')}:${line.value.replaceAll(/\r?\n/g, '\\n')}`;
  });
  return ['BEGIN:VCARD', ...written, 'END:VCARD'];
}

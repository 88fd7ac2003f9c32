// A file of several contacts (.vcf): its cards, each as it is stored.

import { cardsInFile } from '../../../src/mime/objects/card-file.ts';

/** @typedef {{ uid: string, text: string }} Card */

/** Each with a UID, by which a room knows it. @param {string} file @returns {Card[]} */
export const cardsIn = (file) => cardsInFile(file).map((card) => withUid(card.trimEnd().split('\r\n')));

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

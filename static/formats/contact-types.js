// What a number, an address or a day of a contact is: its TYPE, or the label that its owner has given it.

import { labelOf } from '../../src/mime/objects/card-text.ts';
import { ContentLine } from '../../src/mime/objects/content-lines.ts';
import { headPieces } from '../../src/mime/scheduling/lines.ts';
import { valued } from './lines.js';

/** from labelsIn @typedef {ReadonlyMap<string, string>} Labels */

/** types that say something to people: what it is, and where */
const DEVICES = ['fax', 'pager', 'cell', 'mobile', 'main'];
const PLACES = ['work', 'home'];
/** labels that Apple's programs translate */
const COMMON_LABELS = new Map([
  ['work', 'work'],
  ['home', 'home'],
  ['mobile', 'cell'],
  ['iphone', 'cell'],
  ['main', 'main'],
  ['pager', 'pager'],
  ['workfax', 'fax work'],
  ['homefax', 'fax home'],
  ['otherfax', 'fax'],
  ['anniversary', 'anniversary'],
  ['other', ''],
  ['homepage', ''],
]);

/** `TYPE=CELL,VOICE`, and the bare `CELL` of vCard 2.1. @param {ContentLine} line @param {Labels} [labels] */
export function typeOf(line, labels = new Map()) {
  const { text, isCommon } = labelOf(labels, line);
  const common = isCommon ? COMMON_LABELS.get(text.toLowerCase()) : undefined;
  if (text !== '' && common === undefined) return `=${text}`;
  const { params } = line;
  const named = [
    ...(params.get('TYPE') ?? '').toLowerCase().split(','),
    ...[...params.keys()].map((key) => key.toLowerCase()),
  ];
  const found = [DEVICES, PLACES].flatMap((types) => types.find((type) => named.includes(type)) ?? []);
  return common || found.join(' ').replace('mobile', 'cell');
}

/** @param {string} type @returns {Record<string, string>} */
export const typeParameters = (type) =>
  type === '' || type.startsWith('=') ? {} : { TYPE: type.toUpperCase().split(' ').join(',') };

/**
 * With that type in the place of the one that it has, '' for none; without its label.
 * @param {ContentLine} line @param {string} type @param {Labels} labels
 */
export function retyped(line, type, labels) {
  if (typeOf(line, labels) === type) return line;
  const isLabelled = labelOf(labels, line).text !== '';
  const bare = isLabelled ? (ContentLine.read(line.text.slice(line.group.length + 1)) ?? line) : line;
  const old = typeOf(bare).split(' ');
  const isOld = (/** @type {string} */ word) => old.includes(word.toLowerCase().replace('mobile', 'cell'));
  const plain = valued(bare, line.value);
  const head = plain.text.slice(0, plain.text.length - plain.value.length - 1);
  let written = type.startsWith('=') ? '' : type.toUpperCase().replaceAll(' ', ',');
  /** the new one, once @param {string} word */
  const other = (word) => {
    if (!isOld(word)) return word;
    const now = written;
    written = '';
    return now;
  };
  const [name, ...params] = headPieces(head).map((piece, i) => {
    const [, label, value] = /^(TYPE=)?(.*)$/is.exec(piece) ?? [];
    if (i === 0 || (!label && value.includes('='))) return piece;
    const quote = value.startsWith('"') ? '"' : '';
    const words = value.replaceAll('"', '').split(',').map(other).filter(Boolean).join(',');
    return words === '' ? '' : `${label ?? ''}${quote}${words}${quote}`;
  });
  const all = [name, ...params.filter(Boolean), written && `TYPE=${written}`].filter(Boolean);
  return ContentLine.read(`${all.join(';')}:${plain.value}`) ?? line;
}

// People as the web client shows and changes them (vCard 3.0 and 4.0, RFC 2426 and RFC 6350; 2.1 is read, too). What is
// not understood, and what was not changed, stays as it was written.

import { cardFields } from '../../src/mime/objects/card-text.ts';
import { escapeText, makeLine, parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { lineOf, parseComponents, textOf, unescapeText } from '../../src/mime/objects/content-lines.ts';
import { withLines } from './lines.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {{ value: string, type: string }} Reach a number or address; the type is home, work, cell … or '' */
/** @typedef {Record<'street' | 'city' | 'region' | 'code' | 'country', string> & { type: string }} Place */
/**
 * @typedef {object} Contact
 * @property {string} uid
 * @property {boolean} isGroup
 * @property {string} name as it is shown
 * @property {string} family
 * @property {string} given
 * @property {string} additional
 * @property {string} prefix
 * @property {string} suffix
 * @property {string} nickname
 * @property {string} organization
 * @property {string} department
 * @property {string} title
 * @property {string} birthday `1980-05-21`, `--05-21`, or as it is written
 * @property {string} notes
 * @property {Reach[]} emails
 * @property {Reach[]} phones
 * @property {Reach[]} urls
 * @property {Place[]} places
 * @property {string[]} categories
 * @property {string[]} members UIDs of those in a group
 * @property {string} photo a data: or https: address, '' for none
 */

const NAME_PARTS = /** @type {const} */ (['family', 'given', 'additional', 'prefix', 'suffix']);
/** fields of ADR (RFC 6350 section 6.3.1); the first two are for post boxes, and nobody fills them in */
const PLACE_PARTS = /** @type {const} */ (['', '', 'street', 'city', 'region', 'code', 'country']);
const TEXTS = /** @type {const} */ ([
  ['nickname', 'NICKNAME'],
  ['title', 'TITLE'],
  ['notes', 'NOTE'],
]);
const REACHES = /** @type {const} */ ([
  ['emails', 'EMAIL'],
  ['phones', 'TEL'],
  ['urls', 'URL'],
]);
/** types that say something to people, as far as a form offers them */
const TYPES = ['work', 'home', 'cell', 'mobile', 'fax', 'pager', 'main'];
const MEMBER = /^(?:X-ADDRESSBOOKSERVER-)?MEMBER$/;

/** All that a file holds. @param {string} text @returns {Contact[]} */
export const readContacts = (text) =>
  parseComponents(text)
    .filter(({ name }) => name === 'VCARD')
    .map(contactOf);

/** @param {Component} card @returns {Contact} */
function contactOf(card) {
  const names = cardFields(lineOf(card, 'N')?.value ?? '');
  const [family = '', given = '', additional = '', prefix = '', suffix = ''] = names;
  const [organization = '', department = ''] = cardFields(lineOf(card, 'ORG')?.value ?? '');
  const kind = textOf(card, 'KIND') || textOf(card, 'X-ADDRESSBOOKSERVER-KIND');
  const reaches = (/** @type {string} */ name) =>
    linesOf(card, name)
      .map(reachOf)
      .filter(({ value }) => value !== '');
  const shown = textOf(card, 'FN') || [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
  const emails = reaches('EMAIL');
  return {
    uid: textOf(card, 'UID'),
    isGroup: kind.toLowerCase() === 'group',
    name: shown || organization || (emails[0]?.value ?? ''),
    ...{ family, given, additional, prefix, suffix, organization, department, emails },
    nickname: textOf(card, 'NICKNAME'),
    title: textOf(card, 'TITLE'),
    notes: textOf(card, 'NOTE'),
    birthday: birthdayOf(textOf(card, 'BDAY')),
    phones: reaches('TEL'),
    urls: reaches('URL'),
    places: linesOf(card, 'ADR').map(placeOf),
    categories: linesOf(card, 'CATEGORIES')
      .flatMap(({ value }) => value.split(','))
      .map((one) => one.trim())
      .filter(Boolean),
    members: card.lines
      .filter(({ name }) => MEMBER.test(name))
      .map(({ value }) => value.trim().replace(/^urn:uuid:/i, '')),
    photo: photoOf(lineOf(card, 'PHOTO')),
  };
}

/** @param {Component} card @param {string} name */
const linesOf = (card, name) => card.lines.filter((line) => line.name === name);

/** @param {ContentLine} line @returns {Reach} */
function reachOf(line) {
  const value = unescapeText(line.value).trim();
  return { value: value.replace(/^(?:tel|mailto):/i, ''), type: typeOf(line) };
}

/** `TYPE=CELL,VOICE`, and the bare `CELL` of vCard 2.1. @param {ContentLine} line */
function typeOf({ params }) {
  const named = [
    ...(params.get('TYPE') ?? '').toLowerCase().split(','),
    ...[...params.keys()].map((key) => key.toLowerCase()),
  ];
  const found = TYPES.find((type) => named.includes(type)) ?? '';
  return found === 'mobile' ? 'cell' : found;
}

/** @param {ContentLine} line @returns {Place} */
function placeOf(line) {
  const fields = cardFields(line.value);
  const [street, city, region, code, country] = [2, 3, 4, 5, 6].map((at) => fields[at] ?? '');
  return { street, city, region, code, country, type: typeOf(line) };
}

/** `19800521` → `1980-05-21`. @param {string} text */
const birthdayOf = (text) =>
  text.split('T', 1)[0].replace(/^(\d{4}|--)-?(\d\d)-?(\d\d)$/, (_, year, month, day) => {
    return `${year === '--' ? '-' : year}-${month}-${day}`;
  });

/** @param {ContentLine | undefined} line */
function photoOf(line) {
  const value = line?.value.trim() ?? '';
  if (/^(?:data:image\/|https:)/i.test(value)) return value;
  const isCoded = /^(?:b|base64)$/i.test(line?.params.get('ENCODING') ?? '') || line?.params.has('BASE64');
  if (!isCoded) return '';
  const type = (line?.params.get('TYPE') ?? 'jpeg').toLowerCase().replace(/^image\//, '');
  const data = value.replaceAll(/\s+/g, '');
  return /^[\w+.-]{1,20}$/.test(type) && /^[A-Za-z\d+/=]+$/.test(data) ? `data:image/${type};base64,${data}` : '';
}

/** @typedef {Partial<Omit<Contact, 'uid' | 'isGroup'>>} ContactChange */

/** @param {ContactChange} fields @param {{ uid?: string, isGroup?: boolean }} [options] */
export function newContact(fields, { uid = crypto.randomUUID(), isGroup = false } = {}) {
  const lines = [makeLine('VERSION', '3.0'), makeLine('UID', uid)];
  if (isGroup) lines.push(makeLine('X-ADDRESSBOOKSERVER-KIND', 'group'));
  const card = { name: 'VCARD', lines, components: [] };
  return { uid, text: writeComponent(changed(card, { name: '', given: '', family: '', ...fields })) };
}

/** Undefined for a text that is no contact. @param {string} text @param {ContactChange} change */
export function changeContact(text, change) {
  const card = parseObject(text).object;
  return card?.name === 'VCARD' ? writeComponent(changed(card, change)) : undefined;
}

/** @param {Component} card @param {ContactChange} change */
function changed(card, change) {
  const before = contactOf(card);
  let now = card;
  const set = (/** @type {string} */ name, /** @type {(ContentLine | undefined)[]} */ ...lines) => {
    now = withLines(now, name, ...lines);
  };
  const isOther = (/** @type {keyof ContactChange} */ key) =>
    change[key] !== undefined && JSON.stringify(change[key]) !== JSON.stringify(before[key]);
  if (NAME_PARTS.some((part) => change[part] !== undefined) || !lineOf(card, 'N')) {
    const parts = NAME_PARTS.map((part) => change[part] ?? before[part]);
    if (!lineOf(card, 'N') || NAME_PARTS.some(isOther)) set('N', makeLine('N', parts.map(escapeText).join(';')));
  }
  const shown = shownName({ ...before, ...change });
  if (shown !== before.name || !lineOf(card, 'FN')) set('FN', makeLine('FN', escapeText(shown)));
  for (const [key, name] of TEXTS) if (isOther(key)) set(name, textLine(name, change[key] ?? ''));
  if (isOther('organization') || isOther('department')) {
    const fields = [change.organization ?? before.organization, change.department ?? before.department];
    const kept = cardFields(lineOf(card, 'ORG')?.value ?? '').slice(2);
    const all = [...fields, ...kept].map(escapeText);
    const value = all.slice(0, all.findLastIndex((field) => field !== '') + 1).join(';');
    set('ORG', value === '' ? undefined : makeLine('ORG', value));
  }
  if (isOther('birthday')) set('BDAY', textLine('BDAY', change.birthday ?? ''));
  for (const [key, name] of REACHES) {
    if (isOther(key)) set(name, ...reachLines(linesOf(card, name), name, change[key] ?? []));
  }
  if (isOther('places')) set('ADR', ...placeLines(linesOf(card, 'ADR'), change.places ?? []));
  if (isOther('categories')) {
    const value = (change.categories ?? []).map(escapeText).join(',');
    set('CATEGORIES', value === '' ? undefined : makeLine('CATEGORIES', value));
  }
  if (isOther('photo')) set('PHOTO', photoLine(change.photo ?? '', textOf(card, 'VERSION')));
  if (isOther('members')) now = withMembers(now, change.members ?? []);
  return withoutOrphans(now, card);
}

/** A name that was given, else what it is made of. @param {Partial<Contact>} contact */
function shownName({ name = '', prefix, given, additional, family, suffix, organization, emails }) {
  const made = [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
  return name || made || organization || (emails?.[0]?.value ?? '');
}

/** @param {string} name @param {string} text */
const textLine = (name, text) => (text === '' ? undefined : makeLine(name, escapeText(text)));

/**
 * A line with the same value stays, with its group and its other parameters.
 * @param {ContentLine[]} old @param {string} name @param {Reach[]} wanted
 */
function reachLines(old, name, wanted) {
  const left = [...old];
  return wanted
    .filter(({ value }) => value.trim() !== '')
    .map(({ value, type }) => {
      const at = left.findIndex((line) => reachOf(line).value === value);
      const [known] = at < 0 ? [] : left.splice(at, 1);
      if (known && typeOf(known) === type) return known;
      const written = name === 'URL' ? value : escapeText(value);
      return makeLine(name, written, type === '' ? {} : { TYPE: type.toUpperCase() });
    });
}

/** @param {ContentLine[]} old @param {Place[]} wanted */
function placeLines(old, wanted) {
  const left = [...old];
  return wanted
    .filter(({ type, ...fields }) => Object.values(fields).some((field) => field !== ''))
    .map((place) => {
      const at = left.findIndex((line) => JSON.stringify(placeOf(line)) === JSON.stringify(place));
      if (at >= 0) return left.splice(at, 1)[0];
      const value = PLACE_PARTS.map((part) => (part === '' ? '' : escapeText(place[part]))).join(';');
      return makeLine('ADR', value, place.type === '' ? {} : { TYPE: place.type.toUpperCase() });
    });
}

/** @param {string} photo @param {string} version */
function photoLine(photo, version) {
  const match = /^data:image\/([\w+.-]+);base64,(.*)$/s.exec(photo);
  if (!match) return photo === '' ? undefined : makeLine('PHOTO', photo, { VALUE: 'uri' });
  return version === '4.0'
    ? makeLine('PHOTO', photo)
    : makeLine('PHOTO', match[2], { ENCODING: 'b', TYPE: match[1].toUpperCase() });
}

/** @param {Component} card @param {string[]} members */
function withMembers(card, members) {
  const name = textOf(card, 'VERSION') === '4.0' ? 'MEMBER' : 'X-ADDRESSBOOKSERVER-MEMBER';
  const lines = card.lines.filter((line) => !MEMBER.test(line.name));
  return { ...card, lines: [...lines, ...members.map((uid) => makeLine(name, `urn:uuid:${uid}`))] };
}

/** `item1.X-ABLabel` goes with the line that it was the label of. @param {Component} card @param {Component} before */
function withoutOrphans(card, before) {
  const isLabel = (/** @type {ContentLine} */ { group, name }) => group !== '' && name.startsWith('X-AB');
  const had = new Set(before.lines.filter((line) => !isLabel(line)).map(({ group }) => group));
  const has = new Set(card.lines.filter((line) => !isLabel(line)).map(({ group }) => group));
  return { ...card, lines: card.lines.filter((line) => !isLabel(line) || has.has(line.group) || !had.has(line.group)) };
}

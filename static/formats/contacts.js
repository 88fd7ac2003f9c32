// People as the web client shows and changes them (vCard 3.0 and 4.0, RFC 2426 and RFC 6350; 2.1 is read, too). What is
// not understood, and what was not changed, stays as it was written.

import {
  ANNIVERSARIES,
  cardDay,
  cardFields,
  labelsIn,
  profileOf,
  writtenFields,
} from '../../src/mime/objects/card-text.ts';
import { escapeText, makeLine, parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { ContentLine, lineOf, parseComponents, textOf, unescapeText } from '../../src/mime/objects/content-lines.ts';
import { withParameter } from '../../src/mime/scheduling/lines.ts';
import { retyped, typeOf, typeParameters } from './contact-types.js';
import { itemsOf, valued, withItems, withLineAt, withText, withValue } from './lines.js';
import { rewritten } from './rewrite.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/**
 * @typedef {{ value: string, type: string }} Reach a number, an address or a day; the type is `work`, `cell home`, a name
 *   that its owner has given it (`=Office`), or ''
 */
/** @typedef {{ service: string, value: string }} Profile */
/** @typedef {import('./contact-types.js').Labels} Labels */
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
 * @property {Reach[]} dates anniversaries and other days
 * @property {Profile[]} profiles for instant messages and at other services
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
  ['title', 'TITLE'],
  ['notes', 'NOTE'],
]);
const REACHES = /** @type {const} */ ([
  ['emails', 'EMAIL'],
  ['phones', 'TEL'],
  ['urls', 'URL'],
]);
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
  const labels = labelsIn(card);
  const reaches = (/** @type {string} */ name) =>
    linesOf(card, name)
      .map((line) => reachOf(line, labels))
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
    birthday: dayOf(lineOf(card, 'BDAY')),
    dates: card.lines.flatMap((line) => dateOf(line, labels)),
    profiles: card.lines.flatMap((line) => profileOf(line) ?? []),
    phones: reaches('TEL'),
    urls: reaches('URL'),
    places: linesOf(card, 'ADR')
      .map((line) => placeOf(line, labels))
      .filter(isPlace),
    categories: itemsOf(card, 'CATEGORIES'),
    members: card.lines.filter(({ name }) => MEMBER.test(name)).map(memberOf),
    photo: photoOf(lineOf(card, 'PHOTO')),
  };
}

/** @param {Component} card @param {string} name */
const linesOf = (card, name) => card.lines.filter((line) => line.name === name);

/** @param {ContentLine} line @param {Labels} labels @returns {Reach} */
function reachOf(line, labels) {
  const value = unescapeText(line.value).trim();
  return { value: value.replace(/^(?:tel|mailto):/i, ''), type: typeOf(line, labels) };
}

/** @param {ContentLine | undefined} line */
const dayOf = (line) => (line ? cardDay(line) : '');

/** @param {ContentLine} line @param {Labels} labels @returns {Reach[]} */
function dateOf(line, labels) {
  const isAnniversary = ANNIVERSARIES.has(line.name);
  const value = isAnniversary || line.name === 'X-ABDATE' ? cardDay(line) : '';
  return value === '' ? [] : [{ value, type: isAnniversary ? 'anniversary' : typeOf(line, labels) }];
}

/** @param {ContentLine} line */
const memberOf = ({ value }) => value.trim().replace(/^urn:uuid:/i, '');

/** @param {ContentLine} line @param {Labels} [labels] @returns {Place} */
function placeOf(line, labels) {
  const fields = cardFields(line.value);
  const [street, city, region, code, country] = [2, 3, 4, 5, 6].map((at) => fields[at] ?? '');
  return { street, city, region, code, country, type: typeOf(line, labels) };
}

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
  lines.push(makeLine('N', ';;;;'), makeLine('FN', ''));
  const card = { name: 'VCARD', lines, components: [] };
  return { uid, text: writeComponent(changed(card, { name: '', ...fields })) };
}

/** Undefined for a text that is no contact. @param {string} text @param {ContactChange} change */
export function changeContact(text, change) {
  const card = parseObject(text).object;
  return card?.name === 'VCARD' ? rewritten(text, changed(card, change)) : undefined;
}

/** Only the lines of what is another one now change. @param {Component} card @param {ContactChange} change */
function changed(card, change) {
  const before = contactOf(card);
  let now = card;
  const isOther = (/** @type {keyof ContactChange} */ key) =>
    change[key] !== undefined && !isSame(change[key], before[key]);
  if (NAME_PARTS.some(isOther))
    now = withFields(
      now,
      'N',
      NAME_PARTS.map((part) => change[part]),
      5,
    );
  const shown = shownName({ ...before, ...change });
  if (shown !== before.name) now = withValue(now, 'FN', escapeText(shown));
  for (const [key, name] of TEXTS) if (isOther(key)) now = withText(now, name, change[key] ?? '');
  if (isOther('nickname')) now = withNickname(now, change.nickname ?? '');
  if (isOther('organization') || isOther('department')) {
    now = withFields(now, 'ORG', [change.organization, change.department], 1);
  }
  if (isOther('birthday')) now = withBirthday(now, dayWritten(change.birthday ?? '', textOf(card, 'VERSION')));
  for (const [key, name] of REACHES) {
    if (isOther(key)) now = withReaches(now, name, change[key] ?? []);
  }
  if (isOther('places')) now = withPlaces(now, change.places ?? []);
  if (isOther('categories')) now = withItems(now, 'CATEGORIES', change.categories ?? []);
  if (isOther('photo')) {
    now = withLineAt(now, lineOf(now, 'PHOTO'), photoLine(change.photo ?? '', textOf(card, 'VERSION')));
  }
  if (isOther('members')) now = withMembers(now, change.members ?? []);
  return withoutOrphans(now, card);
}

/** In vCard 4.0 without hyphens (RFC 6350 section 4.3.1). @param {string} day @param {string} version */
const dayWritten = (day, version) =>
  version === '4.0'
    ? escapeText(day.replace(/^(\d{4}|-)-(\d\d)-(\d\d)$/, '$1-$2$3').replace(/^(\d{4})-/, '$1'))
    : escapeText(day);

/** The year that did not count is no longer there. @param {Component} card @param {string} day */
function withBirthday(card, day) {
  const changed = withValue(card, 'BDAY', day);
  const line = lineOf(changed, 'BDAY');
  return line ? withLineAt(changed, line, withParameter(line, 'X-APPLE-OMIT-YEAR', undefined)) : changed;
}

/** A name that was given, else what it is made of. @param {Partial<Contact>} contact */
function shownName({ name = '', prefix, given, additional, family, suffix, organization, emails }) {
  const made = [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
  return name || made || organization || (emails?.[0]?.value ?? '');
}

/** A list of names that the form shows as one text. @param {Component} card @param {string} text */
function withNickname(card, text) {
  const isList = /(?<!\\),/.test(lineOf(card, 'NICKNAME')?.value ?? '');
  return isList
    ? withValue(card, 'NICKNAME', text.split(',').map(escapeText).join(','))
    : withText(card, 'NICKNAME', text);
}

/**
 * With these fields in the first line of that name, undefined for those that stay; without the line where none says
 * anything and fewer than `least` are to be written.
 * @param {Component} card @param {string} name @param {(string | undefined)[]} fields @param {number} least
 */
function withFields(card, name, fields, least) {
  const value = fieldsWritten(lineOf(card, name)?.value ?? '', fields, least);
  return withValue(card, name, least === 1 && /^;*$/.test(value) ? '' : value);
}

/**
 * `a;b;c` with those of `fields` that say something else; each other one stays as it is written.
 * @param {string} value @param {(string | undefined)[]} fields @param {number} least
 */
function fieldsWritten(value, fields, least) {
  const [written, known] = [writtenFields(value), cardFields(value)];
  const count = Math.max(written.length, least, fields.findLastIndex((field) => field) + 1);
  const all = Array.from({ length: count }, (_, i) => {
    const field = fields[i];
    return field === undefined || field === (known[i] ?? '') ? (written[i] ?? '') : escapeText(field);
  });
  const end = all.findLastIndex((field) => field !== '') + 1;
  return all.slice(0, Math.max(least, end, Math.min(count, written.length))).join(';');
}

/**
 * With what is wanted in the lines that are there: the same ones, else those of the same value, else those that stood
 * between the same neighbours. So a line keeps its group and parameters, whatever of it is changed.
 * @template {{ type: string }} Item
 * @param {Component} card @param {string} name @param {ContentLine[]} old those that are shown
 * @param {Item[]} wanted @param {(line: ContentLine) => Item} read
 * @param {(item: Item, line?: ContentLine) => ContentLine} write
 */
function withSeveral(card, name, old, wanted, read, write) {
  /** the place of each among the old ones @type {(number | undefined)[]} */
  const homes = wanted.map(() => undefined);
  const take = (/** @type {(one: Item, item: Item, at: number, i: number) => boolean} */ fits) => {
    for (const [i, item] of wanted.entries()) {
      const at = old.findIndex((line, each) => !homes.includes(each) && fits(read(line), item, each, i));
      if (homes[i] === undefined && at >= 0) homes[i] = at;
    }
  };
  const isBetween = (/** @type {number} */ at, /** @type {number} */ i) =>
    homes.every((home, each) => home === undefined || (each < i ? home < at : home > at));
  take((one, item) => isSame(one, item));
  take((one, item) => isSame({ ...one, type: '' }, { ...item, type: '' }));
  take((one, item, at, i) => one.type === item.type && isBetween(at, i));
  take((_, __, at, i) => isBetween(at, i));
  const written = wanted.map((item, i) => write(item, old[homes[i] ?? -1]));
  const lines = card.lines.flatMap((line) => {
    const at = old.indexOf(line);
    return at < 0 ? [line] : written.filter((_, i) => homes[i] === at);
  });
  const added = written.filter((_, i) => homes[i] === undefined);
  const last = lines.findLastIndex((line) => line.name === name) + 1 || lines.length;
  return { ...card, lines: [...lines.slice(0, last), ...added, ...lines.slice(last)] };
}

/** @param {unknown} one @param {unknown} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {Component} card @param {string} name @param {Reach[]} wanted */
function withReaches(card, name, wanted) {
  const labels = labelsIn(card);
  return withSeveral(
    card,
    name,
    linesOf(card, name).filter((line) => reachOf(line, labels).value !== ''),
    wanted.filter(({ value }) => value.trim() !== '').map(({ value, type }) => ({ value, type })),
    (line) => reachOf(line, labels),
    ({ value, type }, line) => {
      const written = name === 'URL' ? value : escapeText(value);
      if (!line) return makeLine(name, written, typeParameters(type));
      const scheme = /^\s*(?:tel|mailto):/i.exec(line.value)?.[0] ?? '';
      return retyped(reachOf(line, labels).value === value ? line : valued(line, `${scheme}${written}`), type, labels);
    },
  );
}

/** @param {Component} card @param {Place[]} wanted */
function withPlaces(card, wanted) {
  const labels = labelsIn(card);
  return withSeveral(
    card,
    'ADR',
    linesOf(card, 'ADR').filter((line) => isPlace(placeOf(line, labels))),
    wanted
      .filter(isPlace)
      .map(({ street, city, region, code, country, type }) => ({ street, city, region, code, country, type })),
    (line) => placeOf(line, labels),
    (place, line) => {
      const fields = PLACE_PARTS.map((part) => (part === '' ? undefined : place[part]));
      const isMoved = !line || !isSame({ ...placeOf(line), type: '' }, { ...place, type: '' });
      const value = isMoved ? fieldsWritten(line?.value ?? '', fields, PLACE_PARTS.length) : '';
      if (!line) return makeLine('ADR', value, typeParameters(place.type));
      return retyped(isMoved ? valued(line, value) : line, place.type, labels);
    },
  );
}

/** Whether it says anything that a form shows. @param {Place} place */
const isPlace = ({ type: _, ...fields }) => Object.values(fields).some((field) => field !== '');

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
  const lines = card.lines.filter((line) => !MEMBER.test(line.name) || members.includes(memberOf(line)));
  const known = new Set(lines.filter((line) => MEMBER.test(line.name)).map(memberOf));
  const added = members.filter((uid) => !known.has(uid));
  return { ...card, lines: [...lines, ...added.map((uid) => makeLine(name, `urn:uuid:${uid}`))] };
}

/** `item1.X-ABLabel` goes with the line that it was the label of. @param {Component} card @param {Component} before */
function withoutOrphans(card, before) {
  const isLabel = (/** @type {ContentLine} */ { group, name }) => group !== '' && name.startsWith('X-AB');
  const had = new Set(before.lines.filter((line) => !isLabel(line)).map(({ group }) => group));
  const has = new Set(card.lines.filter((line) => !isLabel(line)).map(({ group }) => group));
  return { ...card, lines: card.lines.filter((line) => !isLabel(line) || has.has(line.group) || !had.has(line.group)) };
}

// The order of people in a list, their letters, and who is found by some words.

/** @typedef {import('../../formats/contacts.js').Contact} Contact */
/** @typedef {'family' | 'given'} NameOrder */

/** @param {Contact} contact @param {NameOrder} order */
function sortName({ isGroup, family, given, name }, order) {
  if (isGroup) return name;
  const parts = order === 'family' ? [family, given] : [given, family];
  return parts.filter(Boolean).join(' ') || name;
}

/** `Élise` → `E`, `9 Lives` → `#`. @param {string} text */
function letterOf(text) {
  const first = text
    .normalize('NFD')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 2);
  const letter = /^\p{L}/u.exec(first)?.[0];
  return letter ? letter.toLocaleUpperCase() : '#';
}

/**
 * By letters, those without one last.
 * @param {Contact[]} contacts @param {NameOrder} order @param {string} locale
 * @returns {[letter: string, Contact[]][]}
 */
export function byLetter(contacts, order, locale) {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const sorted = contacts
    .map((contact) => ({ contact, key: sortName(contact, order) }))
    .sort((a, b) => compare(a.key, b.key) || (a.contact.uid < b.contact.uid ? -1 : 1));
  const letters = Map.groupBy(sorted, ({ key }) => letterOf(key));
  const groups = [...letters].map(
    ([letter, members]) => /** @type {[string, Contact[]]} */ ([letter, members.map(({ contact }) => contact)]),
  );
  return groups.sort(([a], [b]) => Number(a === '#') - Number(b === '#') || compare(a, b));
}

/** @param {string} text */
const plain = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Whether each of the words begins a part of a name, or stands in a number or an address.
 * @param {Contact} contact
 * @param {string} words
 */
export function isFound(contact, words) {
  const { name, nickname, organization, title, categories, emails, phones, profiles, birthday, dates } = contact;
  const values = [...emails, ...dates].map(({ value, type }) => `${value} ${type}`);
  const reached = profiles.map(({ service, value }) => `${service} ${value}`);
  const text = plain([name, nickname, organization, title, birthday, ...categories, ...values, ...reached].join(' '));
  const figures = phones.map(({ value }) => value.replaceAll(/[^\d]/g, '')).join(' ');
  return plain(words)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const digits = word.replaceAll(/[^\d]/g, '');
      return text.includes(word) || (digits.length > 2 && figures.includes(digits));
    });
}

/** What a list says below the name. @param {Contact} contact */
export function aboutOf({ title, organization, name, emails, phones }) {
  const work = [title, organization === name ? '' : organization].filter(Boolean).join(', ');
  return work || emails.find(({ value }) => value !== name)?.value || phones[0]?.value || '';
}

/** Those in a group, whichever way it names them. @param {Contact} group @param {Contact[]} contacts */
export function membersOf(group, contacts) {
  const uids = new Set(group.members);
  return contacts.filter(({ uid, isGroup }) => !isGroup && uids.has(uid));
}

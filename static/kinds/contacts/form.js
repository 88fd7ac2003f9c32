// The form of a contact, or of a group. Only what was changed is changed in the card.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { isDay } from '../../formats/days.js';
import { draftAt } from '../../model/drafts.js';
import { chipsField } from '../../ui/chips.js';
import { dateField } from '../../ui/date-picker.js';
import { field, line, lines, savingForm } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { differences } from './differences.js';
import { placeFields, reachFields } from './form-rows.js';
import { photoField } from './picture.js';

/** @typedef {import('../../formats/contacts.js').Contact} Contact */
/** @typedef {import('../../formats/contacts.js').ContactChange} ContactChange */

/** @type {Contact} */
export const BLANK = {
  ...{ uid: '', isGroup: false, name: '', family: '', given: '', additional: '', prefix: '', suffix: '' },
  ...{ nickname: '', organization: '', department: '', title: '', birthday: '', notes: '', photo: '' },
  ...{ emails: [], phones: [], urls: [], dates: [], profiles: [], places: [], categories: [], members: [] },
};

/**
 * @typedef {object} FormOptions
 * @property {string} title
 * @property {string} back
 * @property {string[]} categories that others have
 * @property {Contact[]} people who may be in a group
 * @property {(change: ContactChange) => Promise<void>} save throws Problem
 */

/** @param {Contact} contact @param {FormOptions} options */
export function contactForm(contact, options) {
  const draft = draftAt(location.hash, 'contact');
  const kept = /** @type {{ now: Partial<Contact>, shown: Contact } | undefined} */ (draft.read()?.value);
  const begin = { ...contact, ...kept?.now };
  const { node, value } = contact.isGroup ? groupFields(begin, options) : personFields(begin, options);
  // a field may show what the card says in another way
  const shown = kept?.shown ?? { ...contact, ...value(true) };
  const save = () => options.save(differences(shown, value(true)));
  const form = savingForm(t('contacts.save'), node, save, { draft, value: () => ({ now: value(), shown }) });
  const cancel = { href: options.back, on: { click: draft.drop } };
  form
    .querySelector('.actions')
    ?.append(element('a', { class: 'btn', 'data-kind': 'quiet', ...cancel }, t('ui.cancel')));
  return [
    element(
      'header',
      { class: 'pane-head', 'data-desk': true },
      element('h2', { id: 'form-title', tabindex: -1 }, options.title),
    ),
    element('div', { class: 'pane-body' }, element('div', { class: 'sheet contact-form' }, form)),
  ];
}

/** @param {Contact} contact @param {FormOptions} options */
function personFields(contact, { categories }) {
  const text = (/** @type {string} */ key, /** @type {string} */ value, properties = {}) =>
    line(`contact-${key}`, value, { dir: 'auto', ...properties });
  const photo = photoField(contact);
  const given = text('given', contact.given);
  const family = text(
    'family',
    contact.family || (contact.given === '' && contact.organization === '' ? contact.name : ''),
  );
  const more = /** @type {const} */ (['prefix', 'additional', 'suffix', 'nickname', 'department']);
  const others = more.map((key) => text(key, contact[key]));
  const organization = text('organization', contact.organization);
  const title = text('title', contact.title);
  const emails = reachFields({
    ...{ id: 'contact-email', label: t('contacts.email'), add: t('contacts.email-add') },
    ...{ values: contact.emails, types: ['home', 'work', ''], input: { type: 'email', inputmode: 'email' } },
  });
  const phones = reachFields({
    ...{ id: 'contact-phone', label: t('contacts.phone'), add: t('contacts.phone-add') },
    ...{ values: contact.phones, types: ['cell', 'home', 'work', 'fax', ''], input: { type: 'tel', inputmode: 'tel' } },
  });
  const urls = reachFields({
    ...{ id: 'contact-url', label: t('contacts.url'), add: t('contacts.url-add') },
    ...{ values: contact.urls, types: ['', 'home', 'work'], input: { inputmode: 'url' } },
  });
  const places = placeFields(contact.places);
  let { birthday } = contact;
  const isFullDay = birthday === '' || isDay(birthday);
  const written = text('birthday', birthday);
  const born = isFullDay
    ? dateField({
        id: 'contact-birthday',
        label: t('contacts.birthday'),
        value: birthday || undefined,
        onChange: (day) => (birthday = day ?? ''),
      })
    : field(t('contacts.birthday'), written);
  const groups = categoriesField(contact.categories, categories);
  const notes = lines('contact-notes', contact.notes, { rows: '4' });
  const isMoreOpen = more.some((key) => contact[key] !== '');
  const node = [
    photo.node,
    element('div', { class: 'two-fields' }, field(t('contacts.given'), given), field(t('contacts.family'), family)),
    element(
      'div',
      { class: 'two-fields' },
      field(t('contacts.organization'), organization),
      field(t('contacts.title'), title),
    ),
    element(
      'details',
      { open: isMoreOpen },
      element('summary', { class: 'group' }, t('contacts.more-names'), icon('chevron-down', { size: 'small' })),
      element(
        'div',
        { class: 'two-fields' },
        more.map((key, i) => field(t(`contacts.${key}`), others[i])),
      ),
    ),
    emails.node,
    phones.node,
    places.node,
    urls.node,
    born,
    groups.node,
    field(t('contacts.notes'), notes),
  ];
  const value = (isDone = false) => ({
    given: given.value.trim(),
    family: family.value.trim(),
    ...Object.fromEntries(more.map((key, i) => [key, others[i].value.trim()])),
    organization: organization.value.trim(),
    title: title.value.trim(),
    emails: emails.values(isDone),
    phones: phones.values(isDone),
    urls: urls.values(isDone),
    places: places.values(isDone),
    birthday: isFullDay ? birthday : written.value.trim(),
    categories: isDone ? groups.values() : groups.now().values,
    notes: notes.value,
    photo: photo.value(),
  });
  return { node, value };
}

/** @param {{ value: string }} reach */
export const isFilled = ({ value }) => value !== '';

/** @param {string[]} values @param {string[]} known */
const categoriesField = (values, known) =>
  chipsField({
    id: 'contact-groups',
    label: t('contacts.groups'),
    values,
    layout: 'field',
    suggest: async (words) =>
      known
        .filter((each) => each.toLocaleLowerCase().includes(words.toLocaleLowerCase()))
        .map((each) => ({ value: each, label: each })),
  });

/** @param {Contact} contact @param {FormOptions} options */
function groupFields(contact, { people }) {
  const name = line('contact-name', contact.name, { required: true, dir: 'auto' });
  const boxes = people.map(({ uid, name: label }) => {
    const box = element('input', { type: 'checkbox', class: 'check', checked: contact.members.includes(uid) });
    return { uid, box, node: element('label', { class: 'check-row', dir: 'auto' }, box, label) };
  });
  const shown = new Set(people.map(({ uid }) => uid));
  const value = () => ({
    name: name.value.trim(),
    members: [
      // those of other address books stay
      ...contact.members.filter((uid) => !shown.has(uid)),
      ...boxes.filter(({ box }) => box.checked).map(({ uid }) => uid),
    ],
  });
  const node = [
    field(t('contacts.group-name'), name),
    element(
      'fieldset',
      { class: 'plain-fields members-field' },
      element('legend', {}, t('contacts.members')),
      boxes.map(({ node: row }) => row),
    ),
  ];
  return { node, value };
}

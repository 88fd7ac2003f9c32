// A contact as its reader sees it: how to reach somebody, and what else there is to know.

import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { writeRecipient } from '../../formats/addresses.js';
import { formatDay, isDay } from '../../formats/days.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { actionButton } from '../../ui/pane.js';
import { faceOf } from './picture.js';

/** @import { Child } from '../../core/dom.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @typedef {import('../../formats/contacts.js').Contact} Contact */

/** parameters that say more than the browser should follow */
const SAFE = /^(?:https?|mailto):/i;
/** a leap year, for birthdays without a year */
const ANY_YEAR = '2024';

/** The form of a message to them. @param {Contact[]} contacts */
export function writeAddress(contacts) {
  const people = contacts.flatMap(({ name, emails }) =>
    emails.length > 0 ? [writeRecipient({ name: name === emails[0].value ? '' : name, address: emails[0].value })] : [],
  );
  return people.length === 0 ? undefined : routeTo(OWN_ROOM.mail, 'new', people.join(', '));
}

/**
 * @param {Contact} contact
 * @param {object} options
 * @param {PaneAction[]} options.actions
 * @param {Contact[]} options.members where it is a group
 * @param {Contact[]} options.groups that it is in
 * @param {(uid: string) => string} options.hrefOf
 */
export function contactCard(contact, { actions, members, groups, hrefOf }) {
  const { name, title, department, organization, isGroup, emails, phones } = contact;
  const work = [title, department, organization === name ? '' : organization].filter(Boolean).join(', ');
  const call = phones.find(({ type }) => !/^(?:fax|pager)\b/.test(type));
  const write = writeAddress(isGroup ? members : [contact]);
  return [
    element(
      'header',
      { class: 'pane-head', 'data-desk': true },
      element('div', { class: 'group push' }, actions.map(actionButton)),
    ),
    element(
      'div',
      { class: 'pane-body' },
      element(
        'article',
        { class: 'reading contact', 'aria-labelledby': 'contact-name' },
        element(
          'header',
          { class: 'who' },
          isGroup
            ? element('span', { class: 'avatar', 'data-size': 'large', 'data-hue': 6 }, icon('people'))
            : faceOf(contact),
          element(
            'div',
            {},
            element(
              'h2',
              { class: 'title', id: 'contact-name', tabindex: -1, dir: 'auto' },
              name || t('contacts.unnamed'),
            ),
            (work || isGroup) &&
              element('p', { class: 'soft', dir: 'auto' }, work || t('contacts.group-of', { count: members.length })),
          ),
        ),
        element(
          'div',
          { class: 'group', 'data-gap': '2' },
          write && actionButton({ label: t('contacts.write'), icon: 'mail', kind: 'primary', href: write }),
          call &&
            actionButton({ label: t('contacts.call'), icon: 'phone', kind: 'plain', href: telephone(call.value) }),
        ),
        isGroup ? memberList(members, hrefOf) : factsOf(contact, groups, hrefOf),
        isGroup && emails.length > 0 && factsOf(contact, groups, hrefOf),
      ),
    ),
  ];
}

/** @param {string} number */
const telephone = (number) => `tel:${number.replaceAll(/[^\d+*#]/g, '')}`;

/** @param {Contact[]} members @param {(uid: string) => string} hrefOf */
const memberList = (members, hrefOf) =>
  element(
    'section',
    { class: 'stack', 'data-gap': '1', 'aria-label': t('contacts.members') },
    element('h3', { class: 'section' }, t('contacts.members')),
    members.length === 0 && element('p', { class: 'muted' }, t('contacts.no-members')),
    element(
      'ul',
      { class: 'flush' },
      members.map(({ uid, name }) =>
        element(
          'li',
          { class: 'task' },
          avatar(name, { size: 'small' }),
          element('a', { href: hrefOf(uid), dir: 'auto' }, name),
        ),
      ),
    ),
  );

/** @param {Contact} contact @param {Contact[]} groups @param {(uid: string) => string} hrefOf */
function factsOf(contact, groups, hrefOf) {
  const { emails, phones, urls, profiles, places, birthday, dates, nickname, categories, notes, name } = contact;
  const reach = [
    ...emails.map(({ value, type }) =>
      fact(
        'mail',
        element(
          'a',
          {
            href: routeTo(OWN_ROOM.mail, 'new', writeRecipient({ name: name === value ? '' : name, address: value })),
            dir: 'ltr',
          },
          value,
        ),
        typeText(type),
      ),
    ),
    ...phones.map(({ value, type }) =>
      fact('phone', element('a', { href: telephone(value), dir: 'ltr' }, value), typeText(type)),
    ),
    ...urls.map(({ value, type }) => fact('globe', linkTo(value), typeText(type))),
    ...profiles.map(({ service, value }) => fact('chat', linkTo(value), service)),
    ...places.map((place) => fact('place', placeLines(place), typeText(place.type))),
  ];
  const inGroups = groups.map((group, i) => [
    i > 0 && ', ',
    element('a', { href: hrefOf(group.uid), dir: 'auto' }, group.name),
  ]);
  const about = [
    birthday !== '' && fact('calendar', t('contacts.birthday-on', { date: dayText(birthday) })),
    ...dates.map(({ value, type }) => fact('calendar', dayText(value), typeText(type))),
    nickname !== '' && fact('person', nickname, t('contacts.nickname')),
    (categories.length > 0 || groups.length > 0) &&
      fact('people', [categories.join(', '), categories.length > 0 && groups.length > 0 && ', ', ...inGroups.flat()]),
    notes !== '' && fact('note', element('span', { class: 'lines', dir: 'auto' }, notes)),
  ].filter((each) => each !== false);
  if (reach.length + about.length === 0) return element('p', { class: 'muted' }, t('contacts.nothing'));
  return element(
    'div',
    { class: 'facts' },
    reach.length > 0 && facts('contact-reach', t('contacts.reach'), reach),
    about.length > 0 && facts('contact-about', t('contacts.about'), about),
  );
}

/** @param {string} id @param {string} title @param {HTMLElement[]} rows */
const facts = (id, title, rows) =>
  element(
    'section',
    { class: 'card box stack', 'aria-labelledby': id },
    element('h3', { class: 'section', id }, title),
    rows,
  );

/** @param {string} name @param {Child | Child[]} content @param {string} [below] */
const fact = (name, content, below = '') =>
  element(
    'p',
    { class: 'line' },
    icon(name),
    element(
      'span',
      { class: 'fact' },
      element('span', {}, content),
      below && element('span', { class: 'muted small' }, below),
    ),
  );

/** `cell work`, or a name that its owner has given it. @param {string} type */
export const typeText = (type) =>
  type.startsWith('=')
    ? type.slice(1)
    : type
        .split(' ')
        .filter(Boolean)
        .map((word) => t(`contacts.type-${word}`))
        .join(', ');

/** @param {string} address */
const linkTo = (address) =>
  SAFE.test(address) ? element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, address) : address;

/** @param {import('../../formats/contacts.js').Place} place */
function placeLines({ street, city, region, code, country }) {
  const rows = [street, [code, city].filter(Boolean).join(' '), [region, country].filter(Boolean).join(', ')];
  return element('span', { class: 'lines', dir: 'auto' }, rows.filter(Boolean).join('\n'));
}

/** @param {string} written */
function dayText(written) {
  if (isDay(written)) return formatDay(written, locale);
  const day = written.replace(/^--/, `${ANY_YEAR}-`);
  return isDay(day) ? formatDay(day, locale, { day: 'numeric', month: 'long' }) : written;
}

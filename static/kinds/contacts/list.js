// The list of people by letters, narrowed as one types.

import { element, query, queryAll, renew } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { waitingMark } from '../../ui/waiting.js';
import { aboutOf, byLetter, isFound } from './names.js';

/** @typedef {import('../../formats/contacts.js').Contact} Contact */
/** @typedef {import('./names.js').NameOrder} NameOrder */

/**
 * @param {object} options
 * @param {(uid: string) => string} options.hrefOf
 * @param {() => NameOrder} options.order
 * @param {() => { contacts: Contact[], current: string | undefined }} options.state
 * @param {(uid: string) => boolean} options.isWaiting for the connection
 * @param {{ text: string, action?: { label: string, run: () => unknown } }} options.empty
 */
export function contactList({ hrefOf, order, state, isWaiting, empty }) {
  const input = element('input', {
    type: 'search',
    id: 'contact-filter',
    class: 'input',
    placeholder: t('contacts.filter'),
    'aria-label': t('contacts.filter'),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  /** a group or category @type {string} */
  let group = '';
  const chips = element('div', { class: 'group filter-chips', role: 'group', 'aria-label': t('contacts.groups') });
  const said = element('p', { class: 'visually-hidden', role: 'status' });
  const letters = element('div', { class: 'letters' }, skeleton(6));
  const node = element(
    'div',
    { class: 'pane-body contact-list' },
    element('div', { class: 'filter' }, input, chips, said),
    letters,
  );

  function show() {
    const { contacts, current } = state();
    showChips(contacts);
    const inGroup = contacts.filter((contact) => group === '' || isIn(contact, contacts));
    const words = input.value.trim();
    const found = inGroup.filter((contact) => isFound(contact, words));
    said.textContent = words === '' ? '' : t('contacts.found', { count: found.length });
    const people = found.filter(({ isGroup }) => !isGroup);
    const groups = found.filter(({ isGroup }) => isGroup);
    const row = (/** @type {Contact} */ contact) =>
      contactRow(contact, hrefOf(contact.uid), {
        isCurrent: contact.uid === current,
        isWaiting: isWaiting(contact.uid),
      });
    const sections = byLetter(people, order(), locale).map(([letter, members]) => section(letter, members.map(row)));
    const named = byLetter(groups, order(), locale).flatMap(([, members]) => members);
    if (named.length > 0) sections.unshift(section(t('contacts.groups'), named.map(row)));
    const nothing = emptyState(
      contacts.length === 0 ? { icon: 'contacts', ...empty } : { icon: 'search', text: t('contacts.none-found') },
    );
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest('.letters [data-uid]'));
    renew(letters, sections.length > 0 ? sections : [nothing]);
    const links = [...queryAll(letters, '.row-main')];
    const stop = links.find((link) => link.closest('[aria-current]')) ?? links[0];
    for (const link of links) link.tabIndex = link === stop ? 0 : -1;
    if (focused && !focused.isConnected) focus(focused.dataset.uid);
  }

  /** @param {Contact[]} contacts */
  function showChips(contacts) {
    const names = [...new Set(contacts.flatMap(({ categories }) => categories))].sort((a, b) => a.localeCompare(b));
    if (group !== '' && !names.includes(group)) group = '';
    const button = (/** @type {string} */ name) =>
      element(
        'button',
        { type: 'button', class: 'chip', 'aria-pressed': String(name === group), 'data-name': name },
        name,
      );
    renew(chips, names.map(button));
    chips.hidden = names.length === 0;
  }

  /** @param {Contact} contact @param {Contact[]} contacts */
  const isIn = ({ categories, isGroup, members }, contacts) =>
    isGroup
      ? contacts.some(({ uid, categories: others }) => members.includes(uid) && others.includes(group))
      : categories.includes(group);

  /** @param {string} [uid] */
  function focus(uid) {
    const row = uid === undefined ? null : query(letters, `[data-uid="${CSS.escape(uid)}"] .row-main`);
    (row ?? query(letters, '.row-main[tabindex="0"]') ?? input).focus();
  }

  /** @param {number} by */
  function move(by) {
    const links = [...queryAll(letters, '.row-main')];
    const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    links[Math.max(0, Math.min(at + by, links.length - 1))]?.focus();
  }

  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && input.value !== '') {
      input.value = '';
      event.preventDefault();
      show();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      focus();
    } else if (event.key === 'Enter') query(letters, '.row-main')?.click();
  });
  chips.addEventListener('click', ({ target }) => {
    const chip = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('[data-name]')) : null;
    const name = chip?.dataset.name;
    if (name === undefined) return;
    group = group === name ? '' : name;
    show();
    query(chips, `[data-name="${CSS.escape(name)}"]`)?.focus();
  });
  letters.addEventListener('keydown', (event) => {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: 1,
      ArrowUp: -1,
      Home: -Infinity,
      End: Infinity,
      j: 1,
      k: -1,
    });
    if (!Object.hasOwn(steps, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(steps[event.key]);
  });
  return { node, show, focus, filter: input };
}

/** @param {string} letter @param {HTMLElement[]} rows */
const section = (letter, rows) =>
  element(
    'section',
    { 'aria-label': letter },
    element('h2', { class: 'day' }, letter),
    element('ul', { role: 'list' }, rows),
  );

/** @param {Contact} contact @param {string} href @param {{ isCurrent: boolean, isWaiting: boolean }} state */
function contactRow(contact, href, { isCurrent, isWaiting }) {
  const { uid, name, isGroup } = contact;
  const face = isGroup
    ? element('span', { class: 'avatar', 'data-hue': 6 }, icon('people', { size: 'small' }))
    : avatar(name);
  const about = isGroup ? t('contacts.group-of', { count: contact.members.length }) : aboutOf(contact);
  return element(
    'li',
    { class: 'row', 'data-uid': uid },
    element('span', { class: 'row-mark' }, face),
    element(
      'a',
      { class: 'row-main topic', href, 'aria-current': isCurrent ? 'true' : undefined },
      element('span', { class: 'row-name clip', dir: 'auto' }, name || t('contacts.unnamed')),
      element('span', { class: 'row-snippet small clip', dir: 'auto' }, about),
    ),
    isWaiting && waitingMark(),
  );
}

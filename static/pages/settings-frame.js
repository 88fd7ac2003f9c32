// What stands around every page of settings: where else one may go, one's own things first, those of the house below.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { isAdministrator, user } from '../model/session.js';
import { icon } from '../ui/icon.js';
import { actionButton, paneHead } from '../ui/pane.js';

/** @import { Child } from '../core/dom.js' */
/** @import { PaneAction } from '../ui/pane.js' */

/** @typedef {[address: string, icon: string, words: string]} Place */

/** @type {Place[]} */
const OWN = [
  ['account', 'person', 'page.account'],
  ['settings/look', 'eye', 'settings.look'],
  ['settings/writing', 'edit', 'settings.writing'],
  ['settings/notifications', 'bell', 'settings.notifications'],
  ['settings/password', 'lock', 'settings.password'],
];
/** @type {Place[]} */
const HOUSE = [
  ['users', 'people', 'page.users'],
  ['people', 'globe', 'page.people'],
  ['floors', 'stairs', 'page.floors'],
  ['all-rooms', 'room', 'page.all-rooms'],
  ['settings/server', 'info', 'settings.server'],
];

/**
 * `place` is the address of the page, '' for the list of places alone, as a phone shows it first.
 * @param {string} place
 * @param {{ title: string, sub?: string, actions?: PaneAction[] }} head
 * @param {(Child | Child[])[]} content
 */
export function settingsPage(place, head, ...content) {
  return element(
    'div',
    { class: 'panes', 'data-layout': 'nav' },
    element(
      'nav',
      { class: 'pane', 'data-tone': 'sunken', 'data-shown': place === '', 'aria-label': t('settings.places') },
      place === '' && paneHead({ id: 'places-title', ...head }),
      element(
        'div',
        { class: 'pane-body today' },
        group(t('settings.own'), OWN, place),
        group(serverWords(), isAdministrator() ? HOUSE : HOUSE.filter(([address]) => address !== 'all-rooms'), place),
      ),
    ),
    element(
      'section',
      { class: 'pane', 'data-shown': place !== '', 'aria-labelledby': 'page-title' },
      place === '' ? paneHead({ id: 'page-title', ...head }) : headBelow({ id: 'page-title', ...head }),
      element('div', { class: 'pane-body', 'data-pad': true }, element('div', { class: 'page' }, ...content)),
    ),
  );
}

/**
 * Where there is room for one pane only, the places are a step back; on a phone the top bar has it.
 * @param {Parameters<typeof paneHead>[0]} head
 */
function headBelow(head) {
  const node = paneHead(head);
  const back = actionButton({ label: t('settings.places'), icon: 'arrow-left', href: '#/settings' });
  back.classList.add('only-narrow');
  node.prepend(back);
  return node;
}

const serverWords = () => t(isAdministrator() ? 'account.administration' : 'settings.house');

/** @param {string} title @param {Place[]} places @param {string} current */
const group = (title, places, current) =>
  element(
    'div',
    { class: 'stack', 'data-gap': '1' },
    element('h2', { class: 'section' }, title),
    element(
      'ul',
      {},
      places.map(([address, name, words]) =>
        element(
          'li',
          {},
          element(
            'a',
            { class: 'nav-item', href: `#/${address}`, 'aria-current': address === current && 'page' },
            icon(name),
            element('span', { class: 'name' }, t(words)),
          ),
        ),
      ),
    ),
  );

/** The user's own name; pages of settings are for who is logged in. */
export const ownName = () => user.get()?.username ?? '';

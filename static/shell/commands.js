// The commands that are there everywhere, the palette of all that can be done (Ctrl+K), and the help behind `?`.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { addCommands, allCommands, areSingleKeysOn, commandsIn, handleKey, setSingleKeys } from '../core/commands.js';
import { element, query, queryAll } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { iconOf } from '../kinds/index.js';
import { lists, roomTitle } from '../model/room-list.js';
import { isAdministrator, user } from '../model/session.js';
import { openDialog } from '../ui/dialog.js';
import { openPicker } from '../ui/picker.js';
import { prepareRail, toggleRail } from './rail.js';

const PANES = '.topbar, .sidebar, .pane, .toasts, .instants';

/** @param {{ nextUnread: () => void }} shell */
export function prepareCommands({ nextUnread }) {
  prepareRail();
  document.addEventListener('keydown', handleKey);
  const isIn = () => user.get() !== undefined;
  const command = commandsIn(t('commands.anywhere'));
  const go = (/** @type {string} */ page) => () => {
    location.hash = pageAddress(page);
  };
  addCommands([
    command('palette', ['Ctrl+K'], 'search', openPalette, isIn),
    command('help', ['?'], 'help', openHelp),
    command('search', ['/'], 'search', search, isIn),
    command('write', ['c'], 'edit', () => (location.hash = routeTo(OWN_ROOM.mail, 'new')), isIn),
    command('next-unread', ['n'], 'mail', nextUnread, isIn),
    command('inbox', ['g i'], 'inbox', go('')),
    command('mail', ['g m'], 'mail', () => (location.hash = routeTo(OWN_ROOM.mail)), isIn),
    command('rail', ['['], 'sidebar', toggleRail),
    command('next-pane', ['F6'], 'board', () => movePane(1)),
    command('previous-pane', ['Shift+F6'], 'board', () => movePane(-1)),
    command('account', [], 'person', go('account'), isIn),
    command('people', [], 'people', go('people'), isIn),
    command('settings', [], 'settings', go('settings'), isIn),
    command('new-room', [], 'plus', go('new-room'), isIn),
    command('users', [], 'people', go('users'), isAdministrator),
    command('floors', [], 'stairs', go('floors'), isAdministrator),
  ]);
}

/** Every command and every room, by a part of its name. */
async function openPalette() {
  const commands = allCommands().filter(({ id, isHidden }) => id !== 'palette' && !isHidden);
  const rooms = lists.get().rooms.filter((room) => !room.is_zapped);
  const run = await openPicker({
    title: t('command.palette'),
    placeholder: t('commands.placeholder'),
    choices: [
      ...commands.map(({ label, icon, keys, run: value }) => ({ label, icon, keys: keys?.[0], value })),
      ...rooms.map((room) => ({
        label: roomTitle(room.name),
        icon: iconOf(room),
        detail: t('page.room'),
        value: () => (location.hash = routeTo(room.name)),
      })),
    ],
  });
  run?.();
}

/** All keys, and whether single ones are on. */
export async function openHelp() {
  const commands = allCommands().filter(({ keys = [] }) => keys.length > 0);
  const groups = Map.groupBy(commands, ({ group }) => group);
  const box = element('input', { type: 'checkbox', class: 'check', id: 'single-keys', checked: areSingleKeysOn() });
  box.addEventListener('change', () => setSingleKeys(box.checked));
  const tables = [...groups].map(([group, members]) =>
    element(
      'section',
      { class: 'stack', 'data-gap': '1', 'aria-label': group },
      element('h3', { class: 'section' }, group),
      element(
        'dl',
        { class: 'keys' },
        members.map(({ label, keys = [] }) =>
          element('div', {}, element('dt', {}, label), element('dd', {}, keys.flatMap(keyNames))),
        ),
      ),
    ),
  );
  await openDialog({
    title: t('help.title'),
    size: 'large',
    body: [
      element('div', { class: 'key-groups' }, tables),
      element('label', { class: 'check-row' }, box, t('help.single-keys')),
      element('p', { class: 'small' }, element('a', { href: '../s/guide/', target: '_blank' }, t('page.guide'))),
    ],
    actions: [{ label: t('ui.close') }],
  });
}

/** @param {string} keys */
const keyNames = (keys) => keys.split(/[ +]/).map((key) => element('kbd', {}, key));

function search() {
  const field = query(document, '#omnibox');
  if (field?.checkVisibility()) field.focus();
  else location.hash = '#/search';
}

/** The focus goes to the next part of the page: to what Tab would come to there. @param {1 | -1} step */
function movePane(step) {
  const panes = [...queryAll(document, PANES)].filter((pane) => pane.checkVisibility() && entryOf(pane));
  const active = document.activeElement;
  const at = panes.findIndex((pane) => pane.contains(active));
  const next = panes[(at + step + panes.length) % panes.length];
  if (next) entryOf(next)?.focus();
}

/** @param {HTMLElement} pane */
const entryOf = (pane) =>
  query(pane, '[aria-current][href]') ??
  query(pane, '.row-main[tabindex="0"]') ??
  [...queryAll(pane, 'h1[tabindex], h2[tabindex], a[href], button, input')].find((each) => each.checkVisibility());

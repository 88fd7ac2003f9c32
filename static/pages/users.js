// Who has an account; for administrators also who waits to be let in, levels, passwords, making and deleting.

import { changeUser, deleteUser, findUsers, makeUser } from '../api/people.js';
import { messageOf } from '../api/request.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shortTime } from '../formats/times.js';
import { draftAt } from '../model/drafts.js';
import { isAdministrator, user as session } from '../model/session.js';
import { openDialog } from '../ui/dialog.js';
import { choice, field, line } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { openMenu } from '../ui/menu.js';
import { announce, ask, confirm, errorBox } from '../ui/notices.js';
import { actionButton } from '../ui/pane.js';
import { hasBeenHere, personLink } from './person.js';
import { settingsPage } from './settings-frame.js';

/** @import { User } from '../api/interface.d.ts' */
/** @import { Tell } from './floors.js' */

/** rows shown at a time: there may be thousands */
const SHOWN = 100;
const WAIT_MS = 200;
const LEVELS = ['new', 'problem', 'local', 'network', 'preferred', 'administrator'];
/** who waits to be let in, and what they become */
const WAITING = 1;
const LET_IN = 4;

/** @type {Record<string, (user: User) => boolean>} */
const FILTERS = {
  all: () => true,
  administrators: ({ axlevel }) => axlevel >= LEVELS.length,
  waiting: ({ axlevel }) => axlevel === WAITING,
  never: (user) => !hasBeenHere(user),
};

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const isAdmin = isAdministrator();
  const own = session.get()?.username;
  const body = element('tbody', {});
  const more = element('p', { class: 'muted small', role: 'status' });
  const problems = element('div');
  const waiting = element('div');
  const finder = element('input', { type: 'search', id: 'user-finder', autocapitalize: 'none', spellcheck: 'false' });
  finder.placeholder = t('users.find');
  let filter = 'all';
  const showList = async () => {
    const words = finder.value.trim();
    const found = await findUsers(words, signal);
    if (words !== finder.value.trim()) return;
    const users = found.filter(FILTERS[filter]).sort((a, b) => a.name.localeCompare(b.name));
    refill(
      body,
      users.slice(0, SHOWN).map((user) => userRow(user, isAdmin && user.name !== own && tell)),
      finder,
    );
    const left = users.length - SHOWN;
    more.textContent = left > 0 ? t('users.more', { count: left }) : t('users.count', { count: users.length });
    if (users.length === 0) more.textContent = t('users.none');
    waiting.replaceChildren(
      ...(isAdmin
        ? found
            .filter(FILTERS.waiting)
            .slice(0, 3)
            .map((each) => banner(each, tell))
        : []),
    );
  };
  /** @type {Tell} */
  const tell = async (act, words) => {
    problems.replaceChildren();
    try {
      await act();
      if (words !== '') announce(words);
      await showList();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
      await showList().catch(() => {});
    }
  };
  let timer = 0;
  finder.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => tell(async () => {}, ''), WAIT_MS);
  });
  const chips = Object.keys(FILTERS).map((name) => {
    const click = () => {
      filter = name;
      for (const each of chips) each.setAttribute('aria-pressed', String(each === chip));
      tell(async () => {}, '');
    };
    /** @type {HTMLElement} */
    const chip = element(
      'button',
      { type: 'button', class: 'chip', 'aria-pressed': String(name === filter), on: { click } },
      t(`users.filter.${name}`),
    );
    return chip;
  });
  const add = {
    label: t('users.new'),
    icon: 'person-plus',
    kind: /** @type {const} */ ('primary'),
    run: () => newUser(tell),
  };
  await showList();
  signal.throwIfAborted();
  host.replaceChildren(
    settingsPage(
      'users',
      { title: t('page.users'), actions: isAdmin ? [add] : [] },
      isAdmin && element('p', { class: 'only-phone' }, actionButton(add)),
      waiting,
      element(
        'div',
        { class: 'group', 'data-gap': '2' },
        element(
          'label',
          { class: 'quick-add' },
          icon('search', { size: 'small' }),
          element('span', { class: 'visually-hidden' }, t('users.find')),
          finder,
        ),
        isAdmin && chips,
      ),
      problems,
      element('table', { class: 'table accounts', 'aria-label': t('page.users') }, tableHead(isAdmin), body),
      more,
    ),
  );
  if (isAdmin && newName().read()) void newUser(tell);
}

/** @param {boolean} isAdmin */
const tableHead = (isAdmin) =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      element('th', { scope: 'col' }, t('settings.name')),
      element('th', { scope: 'col' }, t('users.role')),
      element('th', { scope: 'col', 'data-wide': true }, t('users.last-here')),
      element('th', { scope: 'col', 'data-wide': true }, t('fact.status')),
      isAdmin &&
        element(
          'th',
          { scope: 'col', 'data-num': true },
          element('span', { class: 'visually-hidden' }, t('list.more')),
        ),
    ),
  );

/** `tell` is false where nothing can be changed. @param {User} user @param {Tell | false} tell */
function userRow(user, tell) {
  const { name, axlevel, last_call } = user;
  const time = hasBeenHere(user) ? shortTime(last_call) : t('users.never');
  return element(
    'tr',
    {},
    element('td', {}, personLink(name)),
    element('td', {}, tell ? levelChoice(user, tell) : levelName(axlevel)),
    element('td', { class: 'soft nums', 'data-wide': true }, time),
    element('td', { 'data-wide': true }, stateChip(user)),
    (tell || isAdministrator()) && element('td', { 'data-num': true }, tell && moreButton(name, tell)),
  );
}

/** @param {number} level */
const levelName = (level) => (LEVELS[level - 1] ? t(`level.${LEVELS[level - 1]}`) : '');

/** @param {User} user */
function stateChip(user) {
  if (user.axlevel === WAITING)
    return element('span', { class: 'chip', 'data-tone': 'brass' }, t('users.state.waiting'));
  if (!hasBeenHere(user)) return element('span', { class: 'chip' }, t('users.state.never'));
  return element('span', { class: 'chip', 'data-tone': 'ok' }, t('users.state.active'));
}

/** @param {User} user @param {Tell} tell */
function levelChoice({ name, axlevel }, tell) {
  const level = choice(
    `level-${name}`,
    LEVELS.map((each, i) => [i + 1, t(`level.${each}`)]),
    axlevel,
  );
  level.ariaLabel = t('users.level', { name });
  level.addEventListener('change', () =>
    tell(() => changeUser(name, { axlevel: Number(level.value) }), t('users.level-set', { name })),
  );
  return level;
}

/** @param {string} name @param {Tell} tell */
function moreButton(name, tell) {
  const setPassword = async () => {
    const label = t('users.new-password');
    const input = line('user-password', '', { 'aria-label': label, type: 'password', autocomplete: 'new-password' });
    const act = () => changeUser(name, { password: input.value });
    if (!(await ask(t('users.password-question', { name }), t('users.set-password'), input, act))) return;
    await tell(async () => {}, t('users.password-set', { name }));
  };
  const remove = async () => {
    if (!(await confirm(t('users.delete-question', { name }), t('list.delete')))) return;
    await tell(() => deleteUser(name), t('users.deleted', { name }));
  };
  return actionButton({
    label: t('users.more-for', { name }),
    icon: 'more',
    hasMenu: true,
    run: (button) =>
      openMenu(button, [
        { label: t('users.set-password'), icon: 'lock', run: setPassword },
        { label: t('list.delete'), icon: 'trash', run: remove },
      ]),
  });
}

/** Somebody waits to be let in. @param {User} user @param {Tell} tell */
function banner({ name }, tell) {
  const letIn = () => tell(() => changeUser(name, { axlevel: LET_IN }), t('users.is-in', { name }));
  return element(
    'div',
    { class: 'banner', 'data-tone': 'brass' },
    icon('info'),
    element('b', { class: 'grow' }, t('users.waits', { name })),
    element('button', { type: 'button', class: 'btn', on: { click: letIn } }, t('users.let-in')),
  );
}

/** What is being written of a new user. */
const newName = () => draftAt('users', 'new');

/** @param {Tell} tell */
async function newUser(tell) {
  const name = line('new-user', '', { required: true, autocapitalize: 'none', spellcheck: 'false' });
  const password = line('new-user-password', '', { type: 'password', required: true, autocomplete: 'new-password' });
  let username = '';
  const made = await openDialog({
    title: t('users.new'),
    body: [field(t('log-in.name'), name), field(t('log-in.password'), password)],
    draft: newName(),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: t('users.make'), kind: 'primary', value: 'yes' },
    ],
    attempt: async () => {
      username = name.value.trim();
      try {
        await makeUser(username, password.value);
        return undefined;
      } catch (problem) {
        return messageOf(problem);
      }
    },
  });
  password.value = '';
  if (made === 'yes') await tell(async () => {}, t('users.made', { name: username }));
}

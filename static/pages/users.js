// Who has an account; for administrators also levels, passwords, making and deleting.

import { changeUser, deleteUser, findUsers, makeUser } from '../api/people.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shortTime } from '../formats/times.js';
import { isAdministrator, user as session } from '../model/session.js';
import { choice, field, line, pageSection, savingForm } from '../ui/form.js';
import { announce, ask, confirm, errorBox } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';
import { personLink } from './person.js';

/** @import { User } from '../api/interface.d.ts' */
/** @import { Tell } from './floors.js' */

/** rows shown at a time: there may be thousands */
const SHOWN = 100;
const WAIT_MS = 200;
/** before it nobody can have been here: a room server writes small numbers for never */
const FIRST_SECOND = 86_400 * 365;
const LEVELS = ['new', 'problem', 'local', 'network', 'preferred', 'administrator'];

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const isAdmin = isAdministrator();
  const own = session.get()?.username;
  const list = element('ul', { class: 'people accounts', 'aria-label': t('page.users') });
  const more = element('p', { class: 'muted small', role: 'status' });
  const problems = element('div');
  const finder = line('user-finder', '', { type: 'search', autocapitalize: 'none', spellcheck: 'false' });
  const showList = async () => {
    const words = finder.value.trim();
    const users = await findUsers(words, signal);
    if (words !== finder.value.trim()) return;
    users.sort((a, b) => a.name.localeCompare(b.name));
    const items = users.slice(0, SHOWN).map((user) => userItem(user, isAdmin && user.name !== own && tell));
    refill(list, items, finder);
    const left = users.length - SHOWN;
    more.textContent = left > 0 ? t('users.more', { count: left }) : t('users.count', { count: users.length });
    if (users.length === 0) more.textContent = t('users.none');
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
  /** @type {number | undefined} */
  let timer;
  finder.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => tell(async () => {}, ''), WAIT_MS);
  });
  await showList();
  signal.throwIfAborted();
  host.replaceChildren(
    pagePane(
      { title: t('page.users') },
      pageSection(t('users.all'), field(t('users.find'), finder), problems, list, more),
      isAdmin && pageSection(t('users.new'), newUserForm(showList)),
    ),
  );
}

/** `tell` is false where nothing can be changed. @param {User} user @param {Tell | false} tell */
function userItem({ name, axlevel, last_call }, tell) {
  const last = last_call > FIRST_SECOND ? t('users.last', { time: shortTime(last_call) }) : t('users.never');
  const seen = element('span', { class: 'muted small' }, last);
  if (!tell) return element('li', {}, personLink(name), seen);
  const level = choice(
    `level-${name}`,
    LEVELS.map((each, i) => [i + 1, t(`level.${each}`)]),
    axlevel,
  );
  level.ariaLabel = t('users.level', { name });
  level.addEventListener('change', () =>
    tell(() => changeUser(name, { axlevel: Number(level.value) }), t('users.level-set', { name })),
  );
  const setPassword = async () => {
    const label = t('users.new-password');
    const input = line('user-password', '', { 'aria-label': label, type: 'password', autocomplete: 'new-password' });
    if (!(await ask(t('users.password-question', { name }), t('users.set-password'), input))) return;
    await tell(() => changeUser(name, { password: input.value }), t('users.password-set', { name }));
  };
  const remove = async () => {
    if (!(await confirm(t('users.delete-question', { name }), t('list.delete')))) return;
    await tell(() => deleteUser(name), t('users.deleted', { name }));
  };
  /** @type {(text: string, label: string, click: () => void) => HTMLElement} */
  const button = (text, label, click) =>
    element('button', { type: 'button', class: 'btn', 'aria-label': label, on: { click } }, text);
  return element(
    'li',
    {},
    personLink(name),
    seen,
    level,
    button(t('users.password'), t('users.set-password-of', { name }), setPassword),
    button(t('list.delete'), t('users.delete', { name }), remove),
  );
}

/** @param {() => Promise<void>} showList */
function newUserForm(showList) {
  const name = line('new-user', '', { required: true, autocapitalize: 'none', spellcheck: 'false' });
  const password = line('new-user-password', '', { type: 'password', required: true, autocomplete: 'new-password' });
  const fields = [field(t('log-in.name'), name), field(t('log-in.password'), password)];
  return savingForm(t('users.make'), fields, async () => {
    const username = name.value.trim();
    await makeUser(username, password.value);
    name.value = '';
    password.value = '';
    announce(t('users.made', { name: username }));
    await showList();
  });
}

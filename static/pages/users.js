// Who has an account; for administrators also levels, passwords, making and deleting.

import { getJson, request, sendJson } from '../api/request.js';
import { byId, element, refill } from '../core/dom.js';
import { shortTime } from '../formats/times.js';
import { choice, field, line, pageHeader, savingForm } from '../ui/form.js';
import { announce, confirm, errorBox } from '../ui/notices.js';
import { isAdministrator } from './log-in.js';
import { profileLink } from './profile.js';

/** @import { Tell } from './floors.js' */
/** @import { User, WhoAmI } from '../api/interface.d.ts' */

/** rows shown at a time: there may be thousands */
const SHOWN = 100;
const WAIT_MS = 200;
/** @type {[string, string][]} */
const LEVELS = [
  ['1', 'New'],
  ['2', 'Problem'],
  ['3', 'Local'],
  ['4', 'Network'],
  ['5', 'Preferred'],
  ['6', 'Administrator'],
];

/**
 * Throws Problem.
 * @param {WhoAmI} reader @param {AbortSignal} signal
 */
export async function showUsers(reader, signal) {
  const isAdmin = isAdministrator(reader);
  const list = element('ul', { class: 'people accounts', 'aria-label': 'Users' });
  const more = element('p', { class: 'hint', role: 'status' });
  const problems = element('div');
  const finder = line('user-finder', '', { type: 'search', autocapitalize: 'none', spellcheck: 'false' });
  const show = async () => {
    const q = finder.value.trim();
    /** @type {User[]} */
    const users = await getJson(`../u/?${new URLSearchParams({ q })}`, signal);
    if (q !== finder.value.trim()) return;
    users.sort((a, b) => a.name.localeCompare(b.name));
    const items = users.slice(0, SHOWN).map((user) => userItem(user, isAdmin && user.name !== reader.username && tell));
    refill(list, items, finder);
    more.textContent =
      users.length > SHOWN ? `${users.length - SHOWN} more: type a part of the name.` : countOf(users.length);
  };
  /** @type {Tell} */
  const tell = async (act, words) => {
    problems.replaceChildren();
    try {
      await act();
      announce(words);
      await show();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
      await show().catch(() => {});
    }
  };
  /** @type {number | undefined} */
  let timer;
  finder.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => tell(async () => {}, ''), WAIT_MS);
  });
  await show();
  signal.throwIfAborted();
  byId('room').replaceChildren(
    pageHeader('Users'),
    element(
      'div',
      { class: 'page' },
      element(
        'section',
        { class: 'page-section', 'aria-label': 'All users' },
        field('Find a user', finder),
        problems,
        list,
        more,
      ),
      isAdmin &&
        element(
          'section',
          { class: 'page-section', 'aria-label': 'New user' },
          element('h3', {}, 'New user'),
          newUserForm(show),
        ),
    ),
  );
}

/** @param {number} count */
const countOf = (count) => (count === 0 ? 'Nobody is called so.' : count === 1 ? 'One user' : `${count} users`);

/**
 * `tell` is false where nothing can be changed.
 * @param {User} user @param {Tell | false} tell
 */
function userItem({ name, axlevel, last_call }, tell) {
  const path = `../u/${encodeURIComponent(name)}/`;
  const seen = element('span', { class: 'hint' }, last_call > 0 ? `last here ${shortTime(last_call)}` : 'never here');
  if (!tell) return element('li', {}, profileLink(name), seen);
  const level = choice(`level-${name}`, LEVELS, String(axlevel));
  level.ariaLabel = `Level of ${name}`;
  level.addEventListener('change', () =>
    tell(() => sendJson(path, 'PATCH', { axlevel: Number(level.value) }), `${name} has another level now.`),
  );
  const setPassword = async () => {
    const input = line('user-password', '', { 'aria-label': 'New password', autocomplete: 'new-password' });
    if (!(await confirm(`A new password for ${name}:`, 'Set the password', input))) return;
    await tell(() => sendJson(path, 'PATCH', { password: input.value }), `${name} has a new password.`);
  };
  const remove = async () => {
    if (!(await confirm(`Delete the account ${name} with all mail in it? It cannot be brought back.`, 'Delete')))
      return;
    await tell(() => request(path, { method: 'DELETE' }), `${name} is deleted.`);
  };
  /** @type {(text: string, label: string, click: () => void) => HTMLElement} */
  const button = (text, label, click) =>
    element('button', { type: 'button', 'aria-label': `${label} ${name}`, on: { click } }, text);
  return element(
    'li',
    {},
    profileLink(name),
    seen,
    level,
    button('Password', 'Set the password of', setPassword),
    button('Delete', 'Delete', remove),
  );
}

/** @param {() => Promise<void>} show */
function newUserForm(show) {
  const name = line('new-user', '', { required: true, autocapitalize: 'none', spellcheck: 'false' });
  const password = line('new-user-password', '', { required: true, autocomplete: 'new-password' });
  return savingForm('Make the account', [field('User name', name), field('Password', password)], async () => {
    const username = name.value.trim();
    await sendJson('../u/', 'POST', { username, password: password.value });
    name.value = '';
    password.value = '';
    announce(`${username} can log in now.`);
    await show();
  });
}

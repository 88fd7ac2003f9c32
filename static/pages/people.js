// Who is online, and a word to one of them.

import { getJson, sendJson } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { shortTime } from '../formats/times.js';
import { field, line, pageHeader, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { profileLink } from './profile.js';

/** @import { OnlineUser, WhoAmI } from '../api/interface.d.ts' */

/**
 * Throws Problem.
 * @param {WhoAmI} reader
 * @param {{ to?: string }} route
 * @param {AbortSignal} signal
 */
export async function showPeople({ username }, { to = '' }, signal) {
  /** @type {OnlineUser[]} */
  const people = await getJson('../a/who', signal);
  signal.throwIfAborted();
  const others = people.filter((person) => person.username !== username);
  const count = others.length === 1 ? 'One other person is here.' : `${others.length} other people are here.`;
  const name = line('instant-to', to, { required: true, autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const text = element('textarea', { id: 'instant-text', rows: '3', required: true, dir: 'auto' });
  const form = savingForm('Send', [field('To', name), field('Text', text)], async () => {
    await sendJson('../a/im', 'POST', { to: name.value.trim(), text: text.value });
    text.value = '';
    announce(`${name.value.trim()} has your message.`);
  });
  const choose = (/** @type {string} */ person) => {
    name.value = person;
    text.focus();
  };
  byId('room').replaceChildren(
    pageHeader('Who is online', others.length === 0 ? 'Nobody else is here.' : count),
    element(
      'div',
      { class: 'page' },
      element(
        'ul',
        { class: 'people' },
        others.map((person) => personItem(person, choose)),
      ),
      element(
        'section',
        { class: 'page-section', 'aria-label': 'Instant message' },
        element('h3', {}, 'Instant message'),
        form,
      ),
    ),
  );
}

/** @param {OnlineUser} person @param {(name: string) => void} choose */
function personItem({ username, last_activity }, choose) {
  const label = `Write to ${username}`;
  return element(
    'li',
    {},
    profileLink(username),
    element('span', { class: 'hint' }, `last active ${shortTime(last_activity)}`),
    element('button', { type: 'button', 'aria-label': label, on: { click: () => choose(username) } }, 'Write'),
  );
}

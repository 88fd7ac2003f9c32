// Who is online, and a word to one of them.

import { readOnline, sendInstantMessage } from '../api/people.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shortTime } from '../formats/times.js';
import { user } from '../model/session.js';
import { field, line, lines, pageSection, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { personLink } from './person.js';
import { settingsPage } from './settings-frame.js';

/** @import { OnlineUser } from '../api/interface.d.ts' */

/** Throws Problem. @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal */
export async function show(host, [to = ''], signal) {
  const people = await readOnline(signal);
  signal.throwIfAborted();
  const others = people.filter((person) => person.username !== user.get()?.username);
  const name = line('instant-to', to, { required: true, autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const text = lines('instant-text', '', { rows: '3', required: true });
  const form = savingForm(
    t('compose.send'),
    [field(t('compose.to'), name), field(t('people.text'), text)],
    async () => {
      const wanted = name.value.trim();
      await sendInstantMessage(wanted, text.value);
      text.value = '';
      announce(t('people.sent', { name: wanted }));
    },
  );
  const choose = (/** @type {string} */ person) => {
    name.value = person;
    text.focus();
  };
  host.replaceChildren(
    settingsPage(
      'people',
      { title: t('page.people'), sub: others.length > 0 ? t('people.count', { count: others.length }) : '' },
      others.length === 0 && element('p', { class: 'muted' }, t('people.nobody')),
      element(
        'ul',
        { class: 'people' },
        others.map((person) => personItem(person, choose)),
      ),
      pageSection(t('instant.one'), form),
    ),
  );
}

/** @param {OnlineUser} person @param {(name: string) => void} choose */
function personItem({ username, last_activity }, choose) {
  const label = t('people.write-to', { name: username });
  return element(
    'li',
    {},
    personLink(username),
    element('span', { class: 'muted small' }, t('people.active', { time: shortTime(last_activity) })),
    element(
      'button',
      { type: 'button', class: 'btn', 'aria-label': label, on: { click: () => choose(username) } },
      t('people.write'),
    ),
  );
}

// Who belongs to a room, for those who administer it: the list, letting in, putting out.

import { findUsers } from '../api/people.js';
import { letIn, putOut, readMembers } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { field, line, pageSection, savingForm } from '../ui/form.js';
import { nameList } from '../ui/name-list.js';
import { announce, confirm, errorBox } from '../ui/notices.js';
import { personLink } from './person.js';

const MAX_SUGGESTED = 20;

/** Fills itself once the list has come. @param {string} room @param {string} [username] */
export function membersSection(room, username) {
  const list = element('ul', { class: 'people' });
  const problems = element('div');
  const show = async () => {
    try {
      const members = await readMembers(room);
      list.replaceChildren(...members.map(({ name }) => item(name)));
      problems.replaceChildren();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    }
  };
  const item = (/** @type {string} */ name) => {
    const click = async () => {
      if (!(await confirm(t('members.out-question', { name }), t('members.out')))) return;
      try {
        await putOut(room, name);
        announce(t('members.is-out', { name }));
        input.focus();
        await show();
      } catch (problem) {
        problems.replaceChildren(errorBox(problem));
      }
    };
    const label = t('members.put-out', { name });
    const button = element(
      'button',
      { type: 'button', class: 'btn', 'aria-label': label, on: { click } },
      t('members.out'),
    );
    return element('li', {}, personLink(name), name !== username && button);
  };
  const input = line('member-name', '', { required: true, autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const named = async (/** @type {string} */ words) =>
    (await findUsers(words).catch(() => [])).slice(0, MAX_SUGGESTED).map(({ name }) => name);
  const form = savingForm(t('members.invite'), [field(t('log-in.name'), input), nameList(input, named)], async () => {
    const name = input.value.trim();
    await letIn(room, name);
    input.value = '';
    announce(t('members.is-in', { name }));
    await show();
  });
  show();
  return pageSection(t('members.title'), list, problems, form);
}

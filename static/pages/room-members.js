// Who belongs to a room, for those who administer it: the list, letting in, putting out.

import { getJson, request } from '../api/request.js';
import { element } from '../core/dom.js';
import { apiPath } from '../core/router.js';
import { field, line, savingForm } from '../ui/form.js';
import { announce, confirm, errorBox } from '../ui/notices.js';
import { userSuggestions } from '../ui/suggestions.js';
import { profileLink } from './profile.js';

/** @import { Member } from '../api/interface.d.ts' */

/**
 * Fills itself once the list has come.
 * @param {string} room @param {string} [username]
 */
export function membersSection(room, username) {
  const list = element('ul', { class: 'people' });
  const problems = element('div');
  const show = async () => {
    try {
      /** @type {Member[]} */
      const members = await getJson(apiPath(room, 'members'));
      list.replaceChildren(...members.map(({ name }) => item(name)));
      problems.replaceChildren();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    }
  };
  const item = (/** @type {string} */ name) => {
    const click = async () => {
      if (!(await confirm(`Put ${name} out of this room? He can be invited again.`, 'Put out'))) return;
      try {
        await request(pathOf(name), { method: 'DELETE' });
        announce(`${name} is out.`);
        input.focus();
        await show();
      } catch (problem) {
        problems.replaceChildren(errorBox(problem));
      }
    };
    const label = `Put ${name} out`;
    const button = element('button', { type: 'button', 'aria-label': label, on: { click } }, 'Put out');
    return element('li', {}, profileLink(name), name !== username && button);
  };
  const pathOf = (/** @type {string} */ name) => apiPath(room, 'members', name);
  const input = line('member-name', '', { required: true, autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const form = savingForm('Invite', [field('User name', input), userSuggestions(input)], async () => {
    const name = input.value.trim();
    await request(pathOf(name), { method: 'PUT' });
    input.value = '';
    announce(`${name} may come in.`);
    await show();
  });
  show();
  return element(
    'section',
    { class: 'page-section settings-end', 'aria-label': 'Members' },
    element('h4', {}, 'Members'),
    list,
    problems,
    form,
  );
}

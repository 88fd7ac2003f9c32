// Who belongs to a room, for those who administer it: the list, letting in, putting out.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { postMessage } from '../api/messages.js';
import { findUsers } from '../api/people.js';
import { letIn, putOut, readMembers } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { field, line, lines, pageSection, savingForm } from '../ui/form.js';
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
  const note = lines('member-note', '', { rows: '2' });
  const noteField = field(t('members.note'), note, t('members.note-hint'));
  const tell = element('input', { type: 'checkbox', class: 'check', checked: true });
  tell.addEventListener('change', () => (noteField.hidden = !tell.checked));
  const fields = [
    field(t('log-in.name'), input),
    nameList(input, named),
    element('label', { class: 'check-row' }, tell, t('members.tell')),
    noteField,
  ];
  const form = savingForm(t('members.invite'), fields, async () => {
    const name = input.value.trim();
    await letIn(room, name);
    if (tell.checked) await tellInvited(room, name, note.value.trim());
    input.value = '';
    note.value = '';
    announce(t(tell.checked ? 'members.is-told' : 'members.is-in', { name }));
    await show();
  });
  show();
  return pageSection(t('members.title'), list, problems, form);
}

/** By mail, with the way there. Throws Problem. @param {string} room @param {string} name @param {string} note */
function tellInvited(room, name, note) {
  const address = new URL(routeTo(room), location.href).href;
  const body = [t('members.mail-text', { room, address }), note].filter((text) => text !== '').join('\n\n');
  return postMessage(
    OWN_ROOM.mail,
    { mailto: name, subj: t('members.mail-subject', { room }) },
    { type: 'text/plain; charset=utf-8', body: `${body}\n` },
  );
}

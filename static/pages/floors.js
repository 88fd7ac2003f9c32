// The floors; for administrators also making, naming and removing them.

import { deleteFloor, makeFloor, renameFloor } from '../api/rooms.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { allFloors, loadRooms } from '../model/room-list.js';
import { isAdministrator } from '../model/session.js';
import { field, line, pageSection, savingForm } from '../ui/form.js';
import { announce, ask, confirm, errorBox } from '../ui/notices.js';
import { settingsPage } from './settings-frame.js';

/** @import { Floor } from '../api/interface.d.ts' */

/** @typedef {(act: () => Promise<unknown>, words: string) => Promise<void>} Tell */

/** @param {HTMLElement} host */
export function show(host) {
  const isAdmin = isAdministrator();
  const list = element('ul', { class: 'people', 'aria-label': t('page.floors') });
  const problems = element('div');
  const showList = () => {
    const items = allFloors().map((floor) => floorItem(floor, isAdmin && tell));
    refill(list, items, name);
  };
  /** @type {Tell} */
  const tell = async (act, words) => {
    problems.replaceChildren();
    try {
      await act();
      await loadRooms();
      showList();
      announce(words);
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    }
  };
  const name = line('floor-name', '', { required: true, dir: 'auto' });
  const form = savingForm(t('floors.make'), field(t('settings.name'), name), async () => {
    await makeFloor(name.value.trim());
    name.value = '';
    await loadRooms();
    showList();
    announce(t('floors.made'));
  });
  showList();
  host.replaceChildren(
    settingsPage(
      'floors',
      { title: t('page.floors'), sub: t('floors.note') },
      pageSection(t('floors.all'), problems, list),
      isAdmin && pageSection(t('floors.new'), form),
    ),
  );
}

/** `tell` is false where nothing can be changed. @param {Floor} floor @param {Tell | false} tell */
function floorItem({ num, name, refcount }, tell) {
  const rename = async () => {
    const input = line('floor-new-name', name, { 'aria-label': t('settings.name'), dir: 'auto' });
    const act = () => renameFloor(num, input.value.trim());
    if (!tell || !(await ask(t('floors.rename-question', { name }), t('floors.rename'), input, act))) return;
    await tell(async () => {}, t('floors.renamed'));
  };
  const remove = async () => {
    if (!tell || !(await confirm(t('floors.delete-question', { name }), t('list.delete')))) return;
    await tell(() => deleteFloor(num), t('floors.deleted'));
  };
  /** @type {(text: string, click: () => void) => HTMLElement} */
  const button = (text, click) =>
    element('button', { type: 'button', class: 'btn', 'aria-label': `${text} ${name}`, on: { click } }, text);
  return element(
    'li',
    {},
    element('bdi', {}, name),
    element('span', { class: 'muted small' }, t('floors.rooms', { count: refcount })),
    tell && button(t('floors.rename'), rename),
    tell && refcount === 0 && button(t('list.delete'), remove),
  );
}

// The floors; for administrators also making, naming and removing them.

import { deleteFloor, makeFloor, renameFloor } from '../api/rooms.js';
import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { draftAt } from '../model/drafts.js';
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
  const begun = isAdmin && allFloors().find((floor) => newNameOf(floor).read());
  if (begun) void rename(begun, tell);
}

/** What is being written of it. @param {Floor} floor */
const newNameOf = ({ num }) => draftAt('floor', String(num));

/** @param {Floor} floor @param {Tell} tell */
async function rename(floor, tell) {
  const { num, name } = floor;
  const input = line('floor-new-name', name, { 'aria-label': t('settings.name'), dir: 'auto' });
  const act = () => renameFloor(num, input.value.trim());
  const question = t('floors.rename-question', { name });
  if (!(await ask(question, t('floors.rename'), input, act, newNameOf(floor)))) return;
  await tell(async () => {}, t('floors.renamed'));
}

/** `tell` is false where nothing can be changed. @param {Floor} floor @param {Tell | false} tell */
function floorItem(floor, tell) {
  const { num, name, refcount } = floor;
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
    tell && button(t('floors.rename'), () => rename(floor, tell)),
    tell && refcount === 0 && button(t('list.delete'), remove),
  );
}

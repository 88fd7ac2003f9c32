// The floors; for administrators also making, naming and removing them.

import { request, sendJson } from '../api/request.js';
import { byId, element, refill } from '../core/dom.js';
import { allFloors, loadRooms } from '../shell/rooms.js';
import { field, line, pageHeader, savingForm } from '../ui/form.js';
import { announce, confirm, errorBox } from '../ui/notices.js';
import { isAdministrator } from './log-in.js';

/** @import { Floor, WhoAmI } from '../api/interface.d.ts' */

/** @typedef {(act: () => Promise<unknown>, words: string) => Promise<void>} Tell */

/** @param {WhoAmI} user */
export function showFloors(user) {
  const isAdmin = isAdministrator(user);
  const list = element('ul', { class: 'people', 'aria-label': 'Floors' });
  const problems = element('div');
  const show = () => {
    const items = allFloors().map((floor) => floorItem(floor, isAdmin && tell));
    refill(list, items, name);
  };
  /** @type {Tell} */
  const tell = async (act, words) => {
    problems.replaceChildren();
    try {
      await act();
      await loadRooms();
      show();
      announce(words);
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    }
  };
  const name = line('floor-name', '', { required: true, dir: 'auto' });
  const form = savingForm('Make the floor', field('Name', name), async () => {
    await sendJson('../f/', 'POST', { name: name.value.trim() });
    name.value = '';
    await loadRooms();
    show();
    announce('The floor is there. It shows among the rooms once it holds one.');
  });
  show();
  byId('room').replaceChildren(
    pageHeader('Floors', 'All rooms are counted, also those that only others see.'),
    element(
      'div',
      { class: 'page' },
      element('section', { class: 'page-section', 'aria-label': 'All floors' }, problems, list),
      isAdmin &&
        element('section', { class: 'page-section', 'aria-label': 'New floor' }, element('h3', {}, 'New floor'), form),
    ),
  );
}

/**
 * `tell` is false where nothing can be changed.
 * @param {Floor} floor @param {Tell | false} tell
 */
function floorItem({ num, name, refcount }, tell) {
  const rename = async () => {
    const input = line('floor-new-name', name, { 'aria-label': 'Name', dir: 'auto' });
    if (!tell || !(await confirm(`Another name for the floor ${name}:`, 'Rename', input))) return;
    await tell(() => sendJson(`../f/${num}`, 'PATCH', { name: input.value.trim() }), 'The floor has its new name.');
  };
  const remove = async () => {
    if (!tell || !(await confirm(`Delete the floor ${name}?`, 'Delete'))) return;
    await tell(() => request(`../f/${num}`, { method: 'DELETE' }), 'The floor is deleted.');
  };
  /** @type {(text: string, click: () => void) => HTMLElement} */
  const button = (text, click) =>
    element('button', { type: 'button', 'aria-label': `${text} ${name}`, on: { click } }, text);
  return element(
    'li',
    {},
    element('bdi', {}, name),
    element('span', { class: 'hint' }, refcount === 1 ? 'one room' : `${refcount} rooms`),
    tell && button('Rename', rename),
    tell && refcount === 0 && button('Delete', remove),
  );
}

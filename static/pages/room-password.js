// The form that a room asks its password with.

import { keepRoomPassword } from '../api/request.js';
import { element } from '../core/dom.js';
import { field, line, pageHeader } from '../ui/form.js';

/**
 * With the heading above it.
 * @param {string} name @param {() => void} retry
 */
export function passwordForm(name, retry) {
  const password = line('room-password', '', { type: 'password', required: true });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    keepRoomPassword(name, password.value);
    retry();
  };
  const form = element(
    'form',
    { class: 'form', on: { submit } },
    field('Password of the room', password),
    element('p', { class: 'actions' }, element('button', { type: 'submit', class: 'primary' }, 'Open the room')),
  );
  return [
    pageHeader(name, 'This room is open to those who know its password.'),
    element('div', { class: 'page' }, form),
  ];
}

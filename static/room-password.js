// The form that a room asks its password with.

import { keepRoomPassword } from './api.js';
import { element } from './elements.js';
import { field, line } from './pages.js';

export function passwordForm(name, retry) {
  const password = line('room-password', '', { type: 'password', required: true });
  const submit = (event) => {
    event.preventDefault();
    keepRoomPassword(name, password.value);
    retry();
  };
  return element(
    'form',
    { class: 'form', on: { submit } },
    element('h2', { id: 'room-title', tabindex: '-1', dir: 'auto' }, name),
    element('p', {}, 'This room is open to those who know its password.'),
    field('Password of the room', password),
    element('p', { class: 'actions' }, element('button', { type: 'submit', class: 'primary' }, 'Open the room')),
  );
}

// The form that a room asks its password with.

import { keepRoomPassword } from '../api/request.js';
import { element } from '../core/dom.js';
import { takeFocus } from '../core/focus.js';
import { t } from '../core/i18n.js';
import { field, line } from '../ui/form.js';
import { pagePane } from '../ui/pane.js';

/** @param {HTMLElement} host @param {string} name @param {() => void} retry */
export function showPasswordForm(host, name, retry) {
  const password = line('room-password', '', { type: 'password', required: true });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    keepRoomPassword(name, password.value);
    retry();
  };
  host.replaceChildren(
    pagePane(
      { title: name, sub: t('password.note') },
      element(
        'form',
        { class: 'stack form', on: { submit } },
        field(t('password.label'), password),
        element(
          'p',
          { class: 'group' },
          element('button', { type: 'submit', class: 'btn', 'data-kind': 'primary' }, t('password.open')),
        ),
      ),
    ),
  );
  takeFocus(password);
}

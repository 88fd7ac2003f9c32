// One's own account: picture, words about oneself, password.

import { getText, request, sendJson } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { field, line, pageHeader, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { pictureAt, pictureField } from '../ui/pictures.js';
import { isAdministrator } from './log-in.js';

/** @import { Child } from '../core/dom.js' */
/** @import { WhoAmI } from '../api/interface.d.ts' */

const PICTURE = { alt: 'Your picture', changed: 'Your picture is changed.', removed: 'Your picture is gone.' };

/** @param {WhoAmI} user @param {AbortSignal} signal */
export async function showAccount(user, signal) {
  const { username } = user;
  const path = `../u/${encodeURIComponent(username)}`;
  const [bio, picture] = await Promise.all([
    getText(`${path}/bio`, signal).catch(() => ''),
    pictureAt(`${path}/userpic`, PICTURE.alt, signal),
  ]);
  signal.throwIfAborted();
  byId('room').replaceChildren(
    pageHeader('Your account', username),
    element(
      'div',
      { class: 'page' },
      isAdministrator(user) && section('Administration', administration()),
      section('Picture', pictureField(`${path}/userpic`, picture, PICTURE)),
      section('About you', aboutForm(`${path}/bio`, bio)),
      section('Password', passwordForm()),
    ),
  );
}

/** @param {string} title @param {(Child | Child[])[]} children */
function section(title, ...children) {
  return element(
    'section',
    { class: 'page-section', 'aria-label': title },
    element('h3', {}, title),
    ...children.flat(),
  );
}

const administration = () =>
  element(
    'p',
    { class: 'actions' },
    element('a', { class: 'button', href: '#/users' }, 'Users'),
    element('a', { class: 'button', href: '#/floors' }, 'Floors'),
  );

/** @param {string} path @param {string} bio */
function aboutForm(path, bio) {
  const text = element('textarea', { id: 'bio', rows: '5', dir: 'auto' });
  text.value = bio;
  return savingForm('Save', field('What others may know of you', text), async () => {
    const body = text.value.trim();
    if (body === '') await request(path, { method: 'DELETE' });
    else await request(path, { method: 'PUT', headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body });
    announce('Saved.');
  });
}

function passwordForm() {
  const old = line('old-password', '', { type: 'password', required: true, autocomplete: 'current-password' });
  const fresh = line('new-password', '', { type: 'password', required: true, autocomplete: 'new-password' });
  return savingForm('Change the password', [field('Old password', old), field('New password', fresh)], async () => {
    await sendJson('../a/password', 'POST', { old: old.value, new: fresh.value });
    old.value = '';
    fresh.value = '';
    announce('Your password is changed. Other devices have to log in again.');
  });
}

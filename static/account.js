// One's own account: picture, words about oneself, password.

import { getText, request, sendJson } from './api.js';
import { byId, element } from './elements.js';
import { announce } from './notices.js';
import { field, line, pageHeader, savingForm } from './pages.js';

export async function showAccount({ username }, signal) {
  const path = `../u/${encodeURIComponent(username)}`;
  const bio = await getText(`${path}/bio`, signal).catch(() => '');
  signal.throwIfAborted();
  byId('room').replaceChildren(
    pageHeader('Your account', username),
    element(
      'div',
      { class: 'page' },
      section('Picture', picture(`${path}/userpic`)),
      section('About you', aboutForm(`${path}/bio`, bio)),
      section('Password', passwordForm()),
    ),
  );
}

function section(title, ...children) {
  return element(
    'section',
    { class: 'page-section', 'aria-label': title },
    element('h3', {}, title),
    ...children.flat(),
  );
}

function picture(path) {
  const image = element('img', { class: 'own-picture', alt: 'Your picture', hidden: true });
  image.addEventListener('load', () => {
    image.hidden = false;
  });
  image.src = path;
  const input = element('input', { type: 'file', id: 'picture', accept: 'image/*', class: 'visually-hidden' });
  const problem = element('p', { class: 'error-text', role: 'alert' });
  input.addEventListener('change', async () => {
    problem.textContent = '';
    const [file] = input.files;
    input.value = '';
    try {
      await request(path, { method: 'PUT', headers: { 'Content-Type': file.type }, body: file });
      image.src = `${path}?${Date.now()}`;
      announce('Your picture is changed.');
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  return [image, element('label', { class: 'button file-button', for: 'picture' }, 'Choose a picture'), input, problem];
}

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

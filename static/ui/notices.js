// What the page says beside its content: a status line, errors with a way on, questions before something is lost.

import { Problem } from '../api/request.js';
import { byId, element } from '../core/dom.js';

const STATUS_MS = 5000;
/** @type {number | undefined} */
let timer;

/**
 * Shown for a moment, and read out.
 * @param {string} text
 */
export function announce(text) {
  const status = byId('status');
  status.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    status.textContent = '';
  }, STATUS_MS);
}

/**
 * An error in the place of what could not be shown, with two ways on; without `retry` only the error.
 * @param {unknown} problem @param {() => void} [retry]
 */
export function errorBox(problem, retry) {
  const { title, detail } = problem instanceof Problem ? problem : {};
  return element(
    'div',
    { class: 'error-box', role: 'alert' },
    element('p', { class: 'error-title' }, title ?? 'Something went wrong'),
    element('p', {}, title ? detail : 'The page could not do that.'),
    retry &&
      element(
        'p',
        { class: 'actions' },
        element('button', { type: 'button', on: { click: retry } }, 'Try again'),
        element('a', { href: '#/' }, 'All rooms'),
      ),
  );
}

/** @param {string} text */
export function loadingNote(text) {
  return element('p', { class: 'loading' }, text);
}

/**
 * A question with Cancel and `action`, and a control to answer it with where it is not only whether; answers whether it
 * was confirmed. Without a control something is lost.
 * @param {string} question
 * @param {string} action
 * @param {HTMLElement} [control]
 * @returns {Promise<boolean>}
 */
export function confirm(question, action, control) {
  const dialog = byId('dialog');
  const yes = byId('dialog-yes');
  byId('dialog-question').textContent = question;
  byId('dialog-control').replaceChildren(...(control ? [control] : []));
  // Enter presses a form's first button, which here is Cancel
  control?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !control.matches('input')) return;
    event.preventDefault();
    yes.click();
  });
  yes.textContent = action;
  yes.className = control ? 'primary' : 'danger';
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

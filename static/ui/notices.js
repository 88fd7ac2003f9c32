// What the page says beside its content: a line for a moment, errors with a way on, questions before something is lost.

import { messageOf, Problem } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { openDialog } from './dialog.js';
import { icon } from './icon.js';
import { showToast } from './toast.js';

/** Shown for a moment, and read out. @param {string} text */
export const announce = (text) => showToast(text);

/** Only read out: what can be seen already where it happens. @param {string} text */
export function tellQuietly(text) {
  byId('heard').textContent = text;
}

/** Says why what `act` does could not be done. @param {() => Promise<unknown>} act */
export async function tellProblem(act) {
  try {
    await act();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    announce(messageOf(problem));
  }
}

/**
 * An error in the place of what could not be shown, with two ways on; without `retry` only the error.
 * @param {unknown} problem @param {() => void} [retry]
 */
export function errorBox(problem, retry) {
  const { title, detail } = problem instanceof Problem ? problem : {};
  return element(
    'div',
    { class: 'banner', 'data-tone': 'danger', role: 'alert' },
    icon('warning'),
    element(
      'div',
      { class: 'grow' },
      element('b', {}, title ?? t('ui.error')),
      element('p', {}, title ? detail : t('ui.error-detail')),
    ),
    retry &&
      element(
        'div',
        { class: 'group' },
        element('button', { type: 'button', class: 'btn', on: { click: retry } }, t('ui.retry')),
        element('a', { class: 'btn', 'data-kind': 'quiet', href: '#/' }, t('page.inbox')),
      ),
  );
}

/**
 * A question with a safe answer and `action`, which loses something; answers whether it was confirmed.
 * @param {string} question
 * @param {string} action
 */
export async function confirm(question, action) {
  const actions = [
    { label: t('ui.cancel'), kind: /** @type {const} */ ('quiet') },
    { label: action, kind: /** @type {const} */ ('danger'), value: 'yes' },
  ];
  return (await openDialog({ title: question, actions })) === 'yes';
}

/**
 * A question that is answered by filling in `control`; answers whether it was. It stays open where `act` throws.
 * @param {string} question @param {string} action @param {HTMLElement} control @param {() => Promise<unknown>} act
 */
export async function ask(question, action, control, act) {
  const actions = [
    { label: t('ui.cancel'), kind: /** @type {const} */ ('quiet') },
    { label: action, kind: /** @type {const} */ ('primary'), value: 'yes' },
  ];
  const attempt = () => act().then(() => undefined, messageOf);
  return (await openDialog({ title: question, body: control, actions, attempt })) === 'yes';
}

// What the page says beside its content: a line for a moment, errors with a way on, questions before something is lost.

import { messageOf, Problem } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { openDialog } from './dialog.js';
import { icon } from './icon.js';
import { showToast } from './toast.js';

/** @import { Draft } from '../model/drafts.js' */

/** for what is done already, and was much: there is time to take it back */
export const BULK_UNDO_SECONDS = 30;
/** what was not done stands there until it is read */
export const FAULT_SECONDS = 120;

/** Shown for a moment, and read out. @param {string} text */
export const announce = (text) => showToast(text);

/** Only read out: what can be seen already where it happens. @param {string} text */
export function tellQuietly(text) {
  byId('heard').textContent = text;
}

/**
 * Says what was done, and offers the way back until the toast expires: then it is sent. `begin` gets what ends the
 * offer before that.
 * @param {string} text
 * @param {(over: () => void) => { undo: () => unknown, send: () => unknown }} begin
 * @param {number} [seconds]
 */
export function offerUndo(text, begin, seconds) {
  const { undo, send } = begin(() => toast.close());
  const toast = showToast(text, { action: { label: t('ui.undo'), run: undo }, seconds, expired: send });
}

/**
 * Says what was done, and takes it back where the reader wants that. What fails can be tried again.
 * @param {string} text @param {() => Promise<unknown>} undo @param {number} [seconds]
 */
export function offerBack(text, undo, seconds) {
  const run = async () => {
    try {
      await undo();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const action = { label: t('ui.retry'), run };
      showToast(t('ui.undo-failed', { reason: messageOf(problem) }), { action, seconds: FAULT_SECONDS });
    }
  };
  return showToast(text, { action: { label: t('ui.undo'), run }, seconds });
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
 * @param {'danger' | 'primary'} [kind] primary where it can be taken back
 */
export async function confirm(question, action, kind = 'danger') {
  const actions = [
    { label: t('ui.cancel'), kind: /** @type {const} */ ('quiet') },
    { label: action, kind, value: 'yes' },
  ];
  return (await openDialog({ title: question, actions })) === 'yes';
}

/**
 * A question that is answered by filling in `control`; answers whether it was. It stays open where `act` throws.
 * @param {string} question @param {string} action @param {HTMLElement} control @param {() => Promise<unknown>} act
 * @param {Draft} [draft] keeps what is written there
 */
export async function ask(question, action, control, act, draft) {
  const actions = [
    { label: t('ui.cancel'), kind: /** @type {const} */ ('quiet') },
    { label: action, kind: /** @type {const} */ ('primary'), value: 'yes' },
  ];
  const attempt = () => act().then(() => undefined, messageOf);
  return (await openDialog({ title: question, body: control, actions, attempt, draft })) === 'yes';
}

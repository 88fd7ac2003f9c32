// A question that must be answered before anything else: a modal <dialog>. It says what will happen; the focus is on
// what is to be filled in, else on the safe choice.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { whenUserGoes } from '../model/session.js';
import { icon } from './icon.js';
import { keepWriting } from './writing.js';

/** @import { Draft } from '../model/drafts.js' */

/**
 * @typedef {object} DialogAction
 * @property {string} label
 * @property {'primary' | 'danger' | 'quiet'} [kind] primary and danger answer Enter and check the fields first
 * @property {string} [value] what the promise gives; that of Escape is undefined
 */

let count = 0;

/**
 * The value of the chosen action; undefined where it was left with Escape, for another address, or because the user who
 * was here has gone.
 * @param {object} question
 * @param {string} question.title
 * @param {string | Node | (string | Node)[]} [question.body]
 * @param {DialogAction[]} question.actions in their order on the screen, the safe one first
 * @param {HTMLElement} [question.initial] what gets the focus
 * @param {(value: string | undefined) => Promise<string | undefined>} [question.attempt] does what primary or danger
 *   asks for; the dialog stays open with the reason that it gives
 * @param {'large'} [question.size] a form: Escape asks before what was written there is gone
 * @param {Draft} [question.draft] keeps what is written there until it is answered
 * @param {() => unknown} [question.value] of that, what no control has
 * @returns {Promise<string | undefined>}
 */
export function openDialog({ title, body = [], actions, initial, attempt, size, draft, value }) {
  const id = `dialog-${++count}`;
  const before = document.activeElement;
  let isWritten = draft?.read() !== undefined;
  const { promise, resolve } = Promise.withResolvers();
  const open = new AbortController();
  const endWaiting = whenUserGoes(() => close(undefined));
  const close = (/** @type {string | undefined} */ answer) => {
    if (open.signal.aborted) return;
    open.abort();
    endWaiting();
    dialog.close();
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    resolve(answer);
  };
  const goBack = (/** @type {string | undefined} */ answer) => {
    draft?.drop();
    close(answer);
  };
  const reason = element('p', { class: 'banner', 'data-tone': 'danger', role: 'alert', hidden: true });
  const isDangerous = actions.some(({ kind }) => kind === 'danger');
  const buttons = actions.map((action) => button(action, () => goBack(action.value)));
  const parts = Array.isArray(body) ? body : [body];
  const content = parts.map((part) => (typeof part === 'string' ? element('p', { class: 'soft' }, part) : part));
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const answer = actions[buttons.indexOf(/** @type {HTMLButtonElement} */ (event.submitter))]?.value;
    reason.hidden = true;
    dialog.setAttribute('aria-busy', 'true');
    for (const each of buttons) each.disabled = true;
    /** @type {string | undefined} */
    let fault;
    const act = async () => {
      fault = await attempt?.(answer);
      return fault === undefined;
    };
    try {
      await (untilDone ? untilDone(act) : act());
    } finally {
      dialog.removeAttribute('aria-busy');
      for (const each of buttons) each.disabled = false;
    }
    if (fault === undefined) return close(answer);
    reason.replaceChildren(icon('warning'), fault);
    reason.hidden = false;
    // a button that is disabled loses the focus
    (field ?? event.submitter)?.focus();
  };
  async function leave() {
    if (size !== 'large' || !isWritten) return goBack(undefined);
    const answer = await openDialog({
      title: t('compose.discard-question'),
      actions: [
        { label: t('ui.cancel'), kind: 'quiet' },
        { label: t('compose.discard'), kind: 'danger', value: 'discard' },
      ],
    });
    if (answer === 'discard') goBack(undefined);
  }
  const dialog = element(
    'dialog',
    {
      class: 'dialog',
      'data-size': size,
      role: isDangerous ? 'alertdialog' : undefined,
      'aria-labelledby': `${id}-title`,
      'aria-describedby': content.length > 0 ? `${id}-body` : undefined,
      on: {
        cancel: (event) => {
          event.preventDefault();
          if (!dialog.hasAttribute('aria-busy')) leave();
        },
        // a browser lets a page keep it open only once
        close: () => close(undefined),
        input: () => {
          isWritten = true;
        },
      },
    },
    element(
      'form',
      { class: 'stack', method: 'dialog', on: { submit } },
      element('h2', { class: 'event-title', id: `${id}-title` }, title),
      element('div', { class: 'stack', id: `${id}-body` }, content),
      reason,
      element('div', { class: 'group', 'data-gap': '2' }, buttons),
    ),
  );
  const untilDone = draft && keepWriting(dialog, draft, value);
  const field = /** @type {HTMLElement | null} */ (
    dialog.querySelector('input, select, textarea, [contenteditable="true"]')
  );
  // the question was about what the reader has left
  addEventListener('hashchange', () => close(undefined), { signal: open.signal });
  document.body.append(dialog);
  dialog.showModal();
  (initial ?? field ?? buttons.find((each) => each.type === 'button'))?.focus();
  return promise;
}

/** @param {DialogAction} action @param {() => void} leave */
function button({ label, kind }, leave) {
  const isDoing = kind === 'primary' || kind === 'danger';
  const on = isDoing ? {} : { click: leave };
  return element('button', { type: isDoing ? 'submit' : 'button', class: 'btn', 'data-kind': kind, on }, label);
}

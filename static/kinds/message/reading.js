// The pane beside the list while nothing of the list is in it: a hint, a message that came along with another one.

import { readMessage } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { attachments } from './files.js';
import { contentOf, factsOf, outerLink } from './message.js';

/** Nothing is chosen. @param {HTMLElement} pane @param {string} icon */
export function showNothing(pane, icon) {
  pane.replaceChildren(element('div', { class: 'pane-body' }, emptyState({ icon, text: t('reading.choose') })));
}

/** @param {HTMLElement} pane */
export function showWaiting(pane) {
  pane.replaceChildren(element('div', { class: 'pane-body' }, element('div', { class: 'reading' }, skeleton(5))));
}

/**
 * The message in the part of another one. Throws Problem. Answers its subject.
 * @param {HTMLElement} pane
 * @param {string} room
 * @param {number} msgnum
 * @param {string | undefined} part undefined: the message itself
 * @param {AbortSignal} signal
 */
export async function showInner(pane, room, msgnum, part, signal) {
  showWaiting(pane);
  const message = await readMessage(room, msgnum, { part, signal });
  const content = await contentOf(room, message, signal, part);
  signal.throwIfAborted();
  const facts = factsOf(message);
  facts.hidden = false;
  const title = message.subj || t('message.no-subject');
  pane.replaceChildren(
    element('header', { class: 'pane-head' }, outerLink(room, msgnum)),
    articleBody(title, facts, element('div', { class: 'prose' }, content), attachments(room, message)),
  );
  takeFocus(document.getElementById('message-title'));
  return title;
}

/** What is read, below its title. @param {string} title @param {import('../../core/dom.js').Child[]} parts */
export const articleBody = (title, ...parts) =>
  element(
    'div',
    { class: 'pane-body' },
    element(
      'article',
      { class: 'reading', 'aria-labelledby': 'message-title' },
      element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title),
      ...parts,
    ),
  );

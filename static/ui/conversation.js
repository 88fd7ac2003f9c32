// A conversation as it is spoken: who said what and when, days between, a line where what is new begins; and the field
// to answer with, which is always there.

import { messageOf } from '../api/request.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { linkify } from '../formats/mail-text.js';
import { fullTime, shortClock } from '../formats/times.js';
import { avatar } from './avatar.js';
import { icon } from './icon.js';
import { sentLines } from './writing.js';

/** what one says within so many seconds stands below the name once */
const TOGETHER_SECONDS = 15 * 60;

/** @import { Draft } from '../model/drafts.js' */
/** @typedef {{ who: string, time: number }} Saying `time` in Unix seconds */

/** Whether one is said in the same breath as the one before. @param {Saying | undefined} before @param {Saying} next */
export const isTogether = (before, next) =>
  before !== undefined && before.who === next.who && next.time - before.time < TOGETHER_SECONDS;

/** What has been said, in its order; `node` tells a screen reader of what is added to `list`. */
export function saidLog() {
  const list = element('ol', { class: 'said-log' });
  return { node: element('div', { role: 'log', 'aria-label': t('chat.log') }, list), list };
}

/**
 * @param {Saying} saying @param {boolean} isMore in the same breath
 * @param {Node[]} content @param {HTMLElement} [actions] out of sight until they are wanted
 */
export function saidItem({ who, time }, isMore, content, actions) {
  const clock = timeOf(time, isMore);
  return element(
    'li',
    { class: 'said', 'data-more': isMore },
    isMore ? clock : avatar(who),
    element(
      'div',
      {},
      element(
        'p',
        { class: isMore ? 'visually-hidden' : 'small' },
        element('b', { class: 'strong' }, element('bdi', {}, who)),
        ' ',
        !isMore && clock,
      ),
      ...content,
    ),
    actions,
  );
}

/** What waits for the connection, below what was heard. @param {Saying} saying @param {string} text */
export const waitingItem = (saying, text) =>
  saidItem(saying, false, [
    saidText(text),
    element('p', { class: 'muted small' }, icon('clock', { size: 'small' }), ' ', t('outbox.waits')),
  ]);

/** @param {number} seconds @param {boolean} isAlone */
function timeOf(seconds, isAlone) {
  const date = new Date(seconds * 1000);
  const shown = { datetime: date.toISOString(), title: fullTime(date) };
  return element('time', { ...shown, class: isAlone ? undefined : 'muted small' }, shortClock(date));
}

/** @param {string} words @param {boolean} [isNew] */
export const divider = (words, isNew) => element('li', { class: 'divider', 'data-new': isNew }, words);

/** Text as it was written, its addresses as links. @param {string} text */
export const saidText = (text) =>
  element(
    'p',
    { class: 'said-text', dir: 'auto' },
    linkify(text).map((piece) =>
      typeof piece === 'string'
        ? piece
        : element('a', { href: piece.href, target: '_blank', rel: 'noopener noreferrer' }, piece.text),
    ),
  );

/**
 * `list` has these nodes and no others; those that stay are not touched.
 * @param {HTMLElement} list
 * @param {Node[]} nodes
 */
export function arrange(list, nodes) {
  let at = list.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else list.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/**
 * Enter sends, Shift+Enter begins a new line. What `send` could not do stands in the field again: `problem` says why
 * where it throws, and nothing where it answers false.
 * @param {{ label: string, draft: Draft, send: (text: string) => Promise<unknown>, isReady?: () => boolean,
 *   extra?: Node }} options `extra` stands in front of the text
 */
export function sayField({ label, draft, send, isReady = () => false, extra }) {
  const text = element('textarea', { 'aria-label': label, placeholder: label, rows: '1', dir: 'auto' });
  const sender = sentLines(text, draft, '\n');
  const problem = element('p', { class: 'error', role: 'alert' });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = text.value.trim();
    text.focus();
    if (words === '' && !isReady()) return;
    problem.textContent = '';
    try {
      await sender.send(words, () => send(words));
    } catch (reason) {
      problem.textContent = t('chat.not-said', { reason: messageOf(reason) });
    }
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event);
  };
  text.addEventListener('keydown', keydown);
  return {
    text,
    problem,
    node: element(
      'form',
      { class: 'say', on: { submit } },
      extra,
      text,
      element(
        'button',
        { type: 'submit', class: 'btn', 'data-kind': 'primary', 'aria-label': t('compose.send') },
        icon('send', { size: 'small' }),
        element('span', { class: 'not-phone' }, t('compose.send')),
      ),
    ),
  };
}

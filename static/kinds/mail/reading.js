// One message: who, when, its text, what is attached.

import { getJson, getText, messageOf } from '../../api/request.js';
import { byId, element, present, renew } from '../../core/dom.js';
import { apiPath, routeTo } from '../../core/router.js';
import { fullTime } from '../../formats/times.js';
import { profileLink } from '../../pages/profile.js';
import { messageFrame } from '../../ui/message-frame.js';
import { announce, loadingNote } from '../../ui/notices.js';
import { groupwareCard, isGroupware } from '../entries/card.js';
import { actions } from './actions.js';
import { attachments } from './files.js';
import { neighbours, setSeen } from './room.js';

/** @import { Child } from '../../core/dom.js' */
/** @import { Message } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from './room.js' */

/**
 * Shows the message, or the one that came along as its part `part`, and has it marked as read. Throws Problem. Answers
 * its subject.
 * @param {OpenRoom} room
 * @param {number} msgnum
 * @param {AbortSignal} signal
 * @param {string} [part]
 */
export async function openMessage(room, msgnum, signal, part) {
  const parts = part === undefined ? [] : [part];
  const loading = loadingNote('Loading the message…');
  const onKey = (/** @type {KeyboardEvent} */ event) => articleKey(event, room, msgnum, part);
  const bar = element('p', { class: 'actions toolbar' });
  /** @type {(known?: Message) => void} */
  const showBar = (known) => renew(bar, part === undefined ? actions(room, msgnum, known) : [outerLink(room, msgnum)]);
  showBar();
  byId('detail').replaceChildren(
    element('article', { 'aria-labelledby': 'message-title', on: { keydown: onKey } }, bar, loading),
  );
  const path = apiPath(room.name, msgnum, ...parts, 'json');
  /** @type {Message} */
  const message = await getJson(path, signal);
  const body = isGroupware(message.content_type)
    ? groupwareCard(await getText(apiPath(room.name, msgnum, ...parts), signal))
    : textOf(message, path, onKey);
  signal.throwIfAborted();
  showBar(message);
  loading.replaceWith(
    ...present([
      element('h3', { id: 'message-title', tabindex: '-1', dir: 'auto' }, message.subj || '(no subject)'),
      facts(message),
      body,
      attachments(room, message),
    ]),
  );
  // nobody waits for the mark; where it fails the list goes on saying that the message is unread
  if (part === undefined) setSeen(msgnum, true).catch(() => {});
  return message.subj;
}

/**
 * @param {Message} message
 * @param {string} path
 * @param {(event: KeyboardEvent) => void} onKey
 */
function textOf(message, path, onKey) {
  if (/^(multipart\/encrypted|application\/(x-)?pkcs7-mime)/i.test(message.content_type) && message.text === '')
    return element('p', { class: 'empty' }, 'This message is encrypted. A mail program that has your key can read it.');
  if (message.has_blocked_remote) return textWithoutPictures(message, path, onKey);
  if (message.text.trim() === '') return element('p', { class: 'empty' }, 'This message has no text.');
  return messageFrame(message.text, onKey);
}

/**
 * Its pictures come from elsewhere, and whoever keeps them there would learn who has read the message, when and where.
 * @param {Message} message
 * @param {string} path
 * @param {(event: KeyboardEvent) => void} onKey
 */
function textWithoutPictures(message, path, onKey) {
  const load = async () => {
    button.ariaDisabled = 'true';
    try {
      const { text } = await getJson(`${path}?remote=1`);
      frame.replaceWith(messageFrame(text, onKey, true));
      byId('message-title').focus();
      notice.remove();
      announce('The pictures are loading.');
    } catch (problem) {
      button.ariaDisabled = null;
      announce(messageOf(problem));
    }
  };
  const button = element('button', { type: 'button', on: { click: load } }, 'Load pictures');
  const notice = element(
    'p',
    { class: 'picture-notice' },
    element(
      'span',
      {},
      'Pictures from other sites are not shown: loading them tells their senders that you read this.',
    ),
    button,
  );
  const frame = messageFrame(message.text, onKey);
  return [notice, frame];
}

/** @param {OpenRoom} room @param {number} msgnum */
const outerLink = (room, msgnum) =>
  element('a', { class: 'back outer', href: routeTo(room.name, msgnum) }, 'The message it came with');

/** @param {Message} message */
function facts(message) {
  const time = message.time ? new Date(message.time * 1000) : undefined;
  const address = message.rfca && message.rfca !== message.from && !message.locl ? ` <${message.rfca}>` : '';
  /** @type {(name: string, value?: Node) => Child} */
  const fact = (name, value) => value && element('div', {}, element('dt', {}, name), element('dd', {}, value));
  return element(
    'dl',
    { class: 'facts' },
    fact(
      'From',
      message.locl && message.from
        ? profileLink(message.from)
        : element('bdi', {}, `${message.from ?? message.rfca ?? 'Nobody'}${address}`),
    ),
    fact('To', message.rcpt && element('bdi', {}, message.rcpt.join(', '))),
    fact('Copy', message.cccc && element('bdi', {}, message.cccc.join(', '))),
    fact('Date', time && element('time', { datetime: time.toISOString() }, fullTime(time))),
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {OpenRoom} room
 * @param {number} msgnum
 * @param {string} [part]
 */
function articleKey(event, room, msgnum, part) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (part !== undefined) {
    if (event.key === 'Escape') location.hash = routeTo(room.name, msgnum);
    return;
  }
  const { previous, next } = neighbours(msgnum);
  if (event.key === 'Escape') location.hash = routeTo(room.name);
  else if (event.key === 'j' && next !== undefined) location.hash = routeTo(room.name, next);
  else if (event.key === 'k' && previous !== undefined) location.hash = routeTo(room.name, previous);
}

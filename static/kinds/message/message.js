// One message: who, when, its text, its files. Folded it is one line; its text is fetched when it is opened.

import { readEntry } from '../../api/groupware.js';
import { readMessage } from '../../api/messages.js';
import { handleKey } from '../../core/commands.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { isForwardSubject } from '../../formats/mail-text.js';
import { fullTime, shortTime } from '../../formats/times.js';
import { isOneself } from '../../model/session.js';
import { avatar } from '../../ui/avatar.js';
import { messageFrame } from '../../ui/message-frame.js';
import { announce, errorBox, tellProblem } from '../../ui/notices.js';
import { actionButton } from '../../ui/pane.js';
import { skeleton } from '../../ui/states.js';
import { groupwareCard, isGroupware } from './card.js';
import { attachments } from './files.js';
import { senderName } from './sender.js';
import { unsubscribeLink } from './unsubscribe.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { Child } from '../../core/dom.js' */
/** @import { PaneAction } from '../../ui/pane.js' */

/**
 * @typedef {object} MessageOptions
 * @property {string} room
 * @property {Row} row
 * @property {boolean} isOpen
 * @property {(read: () => Message | undefined) => PaneAction[]} actions at the end of its head; undefined while it
 *   loads
 * @property {(message: Message) => void} [opened] hears when its text is there
 * @property {boolean} [isPost] a forum's look, which is narrower and always open
 */

/**
 * `open` answers when its text is there; throws Problem, which is shown then already.
 * @param {MessageOptions} options
 */
export function messageArticle({ room, row, isOpen, actions, opened, isPost = false }) {
  const id = `message-${row.msgnum}`;
  const node = element('article', { class: isPost ? 'post' : 'msg', 'aria-labelledby': id, 'data-msgnum': row.msgnum });
  const author = authorOf(row);
  /** @type {Promise<void> | undefined} */
  let opening;
  /** @type {Message | undefined} */
  let message;

  function fold() {
    const label = element('b', { id }, element('bdi', {}, author));
    node.setAttribute('data-folded', '');
    node.replaceChildren(
      avatar(row.author || row.addr),
      element(
        'button',
        { type: 'button', class: 'plain grow clip', 'aria-expanded': 'false', on: { click: () => open() } },
        label,
        ' ',
        element('span', { class: 'muted' }, row.snippet ?? row.subject),
      ),
      timeOf(row.time),
    );
    markUnread();
  }

  function markUnread() {
    node.toggleAttribute('data-unread', !row.seen);
  }

  /** @param {AbortSignal} [signal] @returns {Promise<void>} */
  function open(signal) {
    opening ??= fetchText(signal).catch((problem) => {
      opening = undefined;
      throw problem;
    });
    return opening;
  }

  /** @param {AbortSignal} [signal] */
  async function fetchText(signal) {
    node.removeAttribute('data-folded');
    const body = element('div', { class: 'prose' }, skeleton(3));
    const head = headOf();
    const rest = element('div', { class: 'message-files', hidden: true });
    const parts = [head.node, body, rest];
    node.replaceChildren(
      ...(isPost ? [avatar(row.author || row.addr), element('div', { class: 'grow' }, parts)] : parts),
    );
    try {
      message = await readMessage(room, row.msgnum, { signal });
      body.replaceChildren(await contentOf(room, message, signal));
      void showInvitation(room, message, body, signal);
      const files = attachments(room, message);
      rest.hidden = !files;
      if (files) rest.append(files);
      head.fill(message);
      opened?.(message);
    } catch (problem) {
      body.replaceChildren(errorBox(problem, () => open().catch(() => {})));
      throw problem;
    }
  }

  /** It is made once, and gets what only the message tells: a click that has begun on a button is not lost. */
  function headOf() {
    const buttons = element('div', { class: 'group' }, actions(() => message).map(actionButton));
    const name = element('h3', { id }, element('bdi', {}, row.author || row.addr || t('message.nobody')));
    const line = element('p', { class: 'muted small' });
    const below = element('div', { class: 'grow' }, name, line);
    /** @param {Message} read */
    const fill = (read) => {
      name.replaceChildren(senderName(read));
      if (!isPost) showDetails(read, line, below);
    };
    return isPost
      ? {
          fill,
          node: element(
            'header',
            { class: 'line' },
            name,
            timeOf(row.time),
            element('div', { class: 'push' }, buttons),
          ),
        }
      : {
          fill,
          node: element(
            'header',
            { class: 'line message-head' },
            avatar(row.author || row.addr),
            below,
            timeOf(row.time),
            buttons,
          ),
        };
  }

  fold();
  if (isOpen) open().catch(() => {});
  return { node, open, row, markUnread, isOpen: () => !node.hasAttribute('data-folded') };
}

/** @typedef {ReturnType<typeof messageArticle>} Article */

/**
 * What a message asks for stands above its text; what cannot be read is a file like others.
 * @param {string} room @param {Message} message @param {HTMLElement} body @param {AbortSignal} [signal]
 */
async function showInvitation(room, message, body, signal) {
  const isEvent = (/** @type {string} */ type) => /^text\/calendar\b/i.test(type);
  const inner = message.parts.filter(({ content_type }) => content_type.startsWith('message/'));
  const isOwn = (/** @type {string} */ num) => !inner.some(({ partnum }) => num.startsWith(`${partnum}.`));
  const part = message.parts.find(({ content_type, partnum }) => isEvent(content_type) && isOwn(partnum));
  if (!part && !isEvent(message.content_type)) return;
  try {
    const { invitationCard } = await import('./invitation.js');
    const card = await invitationCard(room, message, part?.partnum, signal);
    if (card) body.before(card);
  } catch {
    // the text of the message says it, too
  }
}

/**
 * Whom it went to, and on demand everything else.
 * @param {Message} message
 * @param {HTMLElement} line
 * @param {HTMLElement} below
 */
function showDetails(message, line, below) {
  const details = factsOf(message);
  const to = [...(message.rcpt ?? []), ...(message.cccc ?? [])].map(shortName).join(', ');
  const click = () => {
    details.hidden = !details.hidden;
    button.setAttribute('aria-expanded', String(!details.hidden));
  };
  const button = element(
    'button',
    { type: 'button', class: 'linkish', 'aria-expanded': 'false', on: { click } },
    t('message.details'),
  );
  const leave = unsubscribeLink(message.unsubscribe);
  line.replaceChildren(...(to ? [t('message.to', { names: to }), ' '] : []), button, ...(leave ? [' ', leave] : []));
  below.append(details);
}

/** @param {Row} row */
export const authorOf = (row) =>
  row.author !== '' && isOneself(row.author) ? t('message.me') : row.author || row.addr || t('message.nobody');

/** `Bob Smith <bob@example.org>` → `Bob Smith` @param {string} recipient */
const shortName = (recipient) =>
  isOneself(recipient) ? t('message.to-me') : recipient.split('<', 1)[0].trim() || recipient;

/** @param {number} seconds */
function timeOf(seconds) {
  const date = new Date(seconds * 1000);
  return element(
    'time',
    { class: 'muted small', datetime: date.toISOString(), title: fullTime(date) },
    shortTime(seconds),
  );
}

/** Who wrote it to whom and when, in full. @param {Message} message */
export function factsOf(message) {
  const time = message.time ? new Date(message.time * 1000) : undefined;
  const address = message.rfca && message.rfca !== message.from && !message.locl ? ` <${message.rfca}>` : '';
  /** @type {(name: string, value?: string) => Child[]} */
  const fact = (name, value) => (value ? [element('dt', {}, name), element('dd', {}, element('bdi', {}, value))] : []);
  return element(
    'dl',
    { class: 'pairs small', hidden: true },
    fact(t('message.from'), `${message.from ?? message.rfca ?? t('message.nobody')}${address}`),
    fact(t('message.recipients'), message.rcpt?.join(', ')),
    fact(t('message.copies'), message.cccc?.join(', ')),
    fact(t('message.date'), time && fullTime(time)),
  );
}

/**
 * Its text, or the event or card that it is. Throws Problem.
 * @param {string} room @param {Message} message @param {AbortSignal} [signal] @param {string} [part] of a message
 *   that came along
 */
export async function contentOf(room, message, signal, part) {
  if (isGroupware(message.content_type)) {
    return groupwareCard(await readEntry(room, message.msgnum, { part, signal }));
  }
  const isSigned = /^application\/(x-)?pkcs7-mime.*signed-data/i.test(message.content_type);
  if (isSigned) {
    const note = element('p', { class: 'muted' }, t('message.signed'));
    return element('div', {}, note, textOf(room, message, part));
  }
  if (/^(multipart\/encrypted|application\/(x-)?pkcs7-mime)/i.test(message.content_type) && message.text === '')
    return element('p', { class: 'muted' }, t('message.encrypted'));
  return textOf(room, message, part);
}

/** @param {string} room @param {Message} message @param {string} [part] */
function textOf(room, message, part) {
  if (message.has_blocked_remote) return withoutPictures(room, message, part);
  if (message.text.trim() === '') return element('p', { class: 'muted' }, t('message.no-text'));
  return messageFrame(message.text, { onKey: handleKey, foldsQuotes: !isForwardSubject(message.subj ?? '') });
}

/**
 * Its pictures come from elsewhere, and whoever keeps them there would learn who has read the message, when and where.
 * @param {string} room @param {Message} message @param {string} [part]
 */
function withoutPictures(room, message, part) {
  const load = () =>
    tellProblem(async () => {
      const { text } = await readMessage(room, message.msgnum, { part, hasRemote: true });
      frame.replaceWith(messageFrame(text, { onKey: handleKey, hasRemote: true }));
      document.getElementById('message-title')?.focus();
      notice.remove();
      announce(t('message.pictures-loading'));
    });
  const notice = element(
    'div',
    { class: 'banner' },
    element('p', { class: 'grow' }, t('message.pictures')),
    element('button', { type: 'button', class: 'btn', on: { click: load } }, t('message.load-pictures')),
  );
  const frame = messageFrame(message.text, { onKey: handleKey, foldsQuotes: !isForwardSubject(message.subj ?? '') });
  return element('div', { class: 'stack' }, notice, frame);
}

/** The way back from a message that came with another one. @param {string} room @param {number} msgnum */
export const outerLink = (room, msgnum) =>
  element('a', { class: 'btn', 'data-kind': 'quiet', href: routeTo(room, msgnum) }, t('message.outer'));

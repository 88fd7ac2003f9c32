// Sending: a mail waits a while before it goes, and can be called back; a post goes at once. What is waiting is sent
// when the page is left.

import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { postMessage } from '../../api/messages.js';
import { messageOf } from '../../api/request.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { wholeOf } from '../../formats/forwarded.js';
import { mailBody } from '../../formats/mail-body.js';
import { dropDraftsSavedAs } from '../../model/drafts.js';
import { messageWork, orLater } from '../../model/outbox.js';
import { later } from '../../model/pending.js';
import { loadRooms } from '../../model/room-list.js';
import { MAIL } from '../../model/room-store.js';
import { FAULT_SECONDS, offerUndo } from '../../ui/notices.js';
import { showToast } from '../../ui/toast.js';

/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { Letter, serverDraft } from '../../model/server-draft.js' */
/** @import { InlineImage } from '../../ui/editor/editor.js' */

/**
 * As it was written, to bring it back into the form at `place`.
 * @typedef {{ draft: MessageDraft, draftRoom: string, place: string, text: string, above?: number }} Written
 */

/** how long a mail can be called back */
const UNDO_SEND_SECONDS = 10;
/** what a browser sends while a page is being left */
const KEEPALIVE_BYTES = 60_000;

/** @type {Map<File, Promise<string>>} */
const encoded = new Map();

/** @param {File} file @returns {Promise<string>} */
function base64Of(file) {
  const known = encoded.get(file);
  if (known) return known;
  const reader = new FileReader();
  /** @type {Promise<string>} */
  const done = new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(String(reader.result).split(',')[1] ?? ''));
    reader.addEventListener('error', () => reject(reader.error));
  });
  reader.readAsDataURL(file);
  encoded.set(file, done);
  return done;
}

/** @param {MessageDraft} draft @param {InlineImage[]} pictures @returns {Promise<Letter>} */
export async function letterOf(draft, pictures) {
  const shown = draft.isPlain ? [] : pictures;
  const { text, html } = wholeOf(draft);
  const files = draft.isPlain ? (draft.forwarded?.files ?? []) : [];
  const body = {
    text,
    html: draft.isPlain ? undefined : html,
    pictures: await Promise.all(
      shown.map(async ({ cid, file }) => ({ cid, type: file.type, name: file.name, base64: await base64Of(file) })),
    ),
  };
  return {
    parameters: {
      subj: draft.subject,
      wefw: draft.references,
      mailto: draft.to.join(', '),
      mailcc: draft.cc.join(', '),
      mailbcc: draft.bcc.join(', '),
      att: [...draft.attachments, ...files].map(({ ref }) => ref).join('!'),
      dropped: draft.hasDropped ? '1' : '',
    },
    content: mailBody(body),
  };
}

/**
 * A post of a room that is no mailbox. Answers its number, undefined where it waits for the connection. Throws Problem.
 * @param {string} room
 * @param {Letter} letter
 * @param {Written} written
 */
export function sendPost(room, { parameters, content }, written) {
  const posted = { ...parameters, mailto: '', mailcc: '', mailbcc: '' };
  return orLater(
    () => messageWork({ room, parameters: posted, content, ...written }),
    () => postMessage(room, posted, content),
    room,
  );
}

/** `sent` hears that it has gone. @typedef {{ to: string, written: Written, sent: () => void }} Mail */

/**
 * Sends it now, or has it wait for the connection. Throws Problem.
 * @param {ReturnType<typeof serverDraft>} draft @param {Letter} letter @param {Mail} mail
 * @param {boolean} [keepalive]
 */
export async function sendNow(draft, letter, { to, written, sent }, keepalive = false) {
  const was = draft.msgnum();
  const parameters = { ...letter.parameters, draft: was === undefined ? '' : String(was) };
  const done = await orLater(
    () => messageWork({ room: MAIL, parameters, content: letter.content, ...written }),
    () => draft.send(letter, keepalive),
  );
  if (done === undefined) return void showToast(t('outbox.will-go'));
  if (was !== undefined) dropDraftsSavedAs(was);
  if (keepalive) return;
  sent();
  showToast(t('compose.sent', { to }));
  loadRooms().catch(() => {});
}

/**
 * Sends it, of which the server has a draft, when it can be called back no more.
 * @param {ReturnType<typeof serverDraft>} draft @param {Letter} letter @param {Mail} mail
 */
export function sendLater(draft, letter, mail) {
  const open = () => {
    location.hash = routeTo(OWN_ROOM.drafts, draft.msgnum() ?? '');
  };
  const isLarge = letter.content.body.length > KEEPALIVE_BYTES;
  // it would not go while the page is being left: the browser asks whether to stay, and it goes meanwhile
  const stay = (/** @type {BeforeUnloadEvent} */ event) => {
    event.preventDefault();
    pending.send();
  };
  const refused = (/** @type {unknown} */ problem) =>
    showToast(t('compose.not-sent', { reason: messageOf(problem) }), {
      action: { label: t('compose.open-draft'), run: open },
      seconds: FAULT_SECONDS,
    });
  const send = (/** @type {boolean} */ keepalive) => sendNow(draft, letter, mail, keepalive);
  /** @type {ReturnType<typeof later>} */
  let pending;
  const begin = (/** @type {() => void} */ close) => {
    const over = () => {
      close();
      removeEventListener('beforeunload', stay);
    };
    pending = later({ rooms: [OWN_ROOM.drafts], revert: () => {}, over, refused, send });
    const undo = () => {
      pending.undo();
      removeEventListener('beforeunload', stay);
      open();
    };
    return { undo, send: pending.send };
  };
  offerUndo(t('compose.sending', { to: mail.to }), begin, UNDO_SEND_SECONDS);
  if (isLarge) addEventListener('beforeunload', stay);
}

// Writing: a new message, an answer to one, or a draft that goes on. A mail is kept among the drafts of the server
// while it is being written; whatever is written is kept in the tab as well.

import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { isUploadThere, readMessage } from '../../api/messages.js';
import { Problem } from '../../api/request.js';
import { messageLimit } from '../../api/rooms.js';
import { isBusyElsewhere } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { wholeOf } from '../../formats/forwarded.js';
import { draftAt } from '../../model/drafts.js';
import { isDraftsRoom } from '../../model/room-list.js';
import { serverDraft } from '../../model/server-draft.js';
import { user } from '../../model/session.js';
import { announce, confirm, errorBox } from '../../ui/notices.js';
import { showWaiting } from '../message/reading.js';
import { buildForm } from './form.js';
import { keepSaving } from './saving.js';
import { letterOf, sendLater, sendNow, sendPost } from './send.js';
import { beginAttached, beginForward, beginFromDraft, beginNew, beginReply, inlined } from './start.js';

/** @import { UploadRecord } from '../../api/interface.d.ts' */
/** @import { AnswerKind } from '../../formats/answer-to.js' */
/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { InlineImage } from '../../ui/editor/editor.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Beginning } from './start.js' */

/** @typedef {'new' | AnswerKind | 'forward' | 'attach' | 'edit'} Writing */
/** @typedef {{ page: Writing, msgnum?: number, name?: string }} WritingRoute */

const WRITINGS = ['new', 'reply', 'reply-all', 'reply-list', 'forward', 'attach'];

/**
 * Whether it asks for one of these forms, and the reader may write; else leads to where there is something for him. A
 * draft is opened to go on with it.
 * @param {{ page: string }} route
 * @param {RoomStore} store
 * @returns {route is WritingRoute}
 */
export function mayWrite(route, store) {
  const isWriting = WRITINGS.includes(route.page) || (route.page === 'edit' && isDraftsRoom(store.info));
  if (!isWriting) location.replace(routeTo(store.name));
  else if (store.isGuest) location.replace('#/login');
  return isWriting && !store.isGuest;
}

/**
 * Shows the form: for a new message (to the user `name`, or with the messages attached whose numbers that lists), one
 * that comes from the message `msgnum`, or that draft.
 * Throws Problem. Answers its title, and what the top bar of a phone offers.
 * @param {HTMLElement} pane
 * @param {RoomStore} store
 * @param {WritingRoute} route
 * @param {AbortSignal} signal ends when the reader goes elsewhere
 * @returns {Promise<{ title: string, actions: PaneAction[] }>}
 */
export async function openForm(pane, store, { page, msgnum, name = '' }, signal) {
  const selected = selectedIn(pane);
  showWaiting(pane);
  const isNamed = page === 'new' || page === 'attach';
  let place = isNamed ? [page, name].join('/').replace(/\/$/, '') : `${msgnum}/${page}`;
  let inTab = draftAt(store.name, place);
  const who = user.get()?.username;
  const isForward = page === 'forward' || page === 'attach';
  const isMail = store.info.is_mailbox || isForward;
  const kept = /** @type {MessageDraft | undefined} */ (inTab.read());
  const held = /** @type {{ pictures: InlineImage[], files: File[] } | undefined} */ (inTab.heldFiles());
  const beginning = await (kept
    ? beginAgain(kept, held?.pictures)
    : begin(store, { page, msgnum, name }, isMail, selected, signal));
  signal.throwIfAborted();
  const { draft, pictures } = beginning;
  const drafts = serverDraft(draft.saved);
  const keep = () => {
    inTab.keep({ ...form.now(), saved: drafts.msgnum() });
    saving?.touch();
  };
  const title = t(page === 'new' && !isMail ? 'compose.topic' : `compose.${isForward ? 'forward' : page}`);
  const isFromList = msgnum === undefined || page === 'edit' || name.includes(',');
  const back = routeTo(store.name, ...(isFromList ? [] : [msgnum]));
  const form = buildForm({
    title,
    isMail,
    draft,
    pictures,
    mostBytes: messageLimit(),
    back,
    changed: keep,
    send,
    discard,
  });
  let saving = isMail ? keepSaving(drafts, form, saved) : undefined;
  pane.replaceChildren(form.node);
  if (!isBusyElsewhere()) form.begin(isForward);
  if (kept) announce(t('compose.kept'));
  // what the server does not have of it is saved there
  if (kept && !kept.isSaved) saving?.touch();
  form.files.add(held?.files ?? []);
  let isDone = false;
  signal.addEventListener('abort', leave);

  /** It has a new number: the address of a draft goes along. @param {number} now @param {boolean} isAll */
  function saved(now, isAll) {
    if (isDone) return;
    if (page === 'edit' && !signal.aborted) {
      inTab.drop();
      place = `${now}/edit`;
      inTab = draftAt(store.name, place);
      history.replaceState(null, '', routeTo(OWN_ROOM.drafts, now));
    }
    inTab.keep({ ...form.now(), saved: now, isSaved: isAll });
  }

  /** To another part of the page: what was written is among the drafts, and an answer still in its place. */
  async function leave() {
    const files = form.files.stop();
    if (!isDone) inTab.holdFiles({ pictures: form.pictures(), files });
    const isAnswer = page.startsWith('reply');
    const isKept = (await saving?.end()) && files.length === 0;
    // who has not gone by himself comes back to it
    if (isKept && !isDone && !isAnswer && user.get()?.username === who) inTab.drop();
    form.close();
  }

  function finish() {
    isDone = true;
    inTab.drop();
    saving?.stop();
  }

  async function send() {
    form.problems.replaceChildren();
    const go = fromHere();
    try {
      const message = form.read();
      const fault = await faultIn(message);
      if (fault) return refuse(fault.words, fault.focus);
      // what it lacked is told in the row of the file
      if (!(await form.files.settled())) return refuse(t('compose.files-left'), () => {});
      const letter = await letterOf(form.read(), form.pictures());
      if (isMail) await sendMail(letter, message, go);
      else await post(letter, go);
    } catch (problem) {
      form.problems.replaceChildren(errorBox(problem));
      if (!isMail || signal.aborted) return;
      saving?.stop();
      saving = keepSaving(drafts, form, saved);
      saving.touch();
    }
  }

  /** @param {MessageDraft} message */
  async function faultIn(message) {
    if (isMail && [...message.to, ...message.cc, ...message.bcc].length === 0) {
      return { words: t('compose.no-recipient'), focus: form.people.focus };
    }
    const fault = isMail && (await form.people.fault());
    if (fault) return { words: fault, focus: () => {} };
    const isEmpty = form.isEmpty() && message.attachments.length === 0 && !form.files.isBusy();
    return isEmpty ? { words: t('compose.no-text'), focus: form.focusText } : undefined;
  }

  /** @param {string} words @param {() => void} focus */
  function refuse(words, focus) {
    form.problems.replaceChildren(errorBox(new Problem(0, words, '')));
    focus();
  }

  /**
   * @param {import('../../model/server-draft.js').Letter} letter
   * @param {MessageDraft} message
   * @param {(address: string) => boolean} go
   */
  async function sendMail(letter, message, go) {
    // among the drafts first: whatever happens in the time for second thoughts, it is there
    saving?.stop();
    const isKept = await drafts.save(letter).then(
      () => true,
      () => false,
    );
    const to = [...message.to, ...message.cc, ...message.bcc].join(', ');
    const mail = { to, written: written(), sent: () => store.refresh().catch(() => {}) };
    if (isKept) sendLater(drafts, letter, mail);
    else await sendNow(drafts, letter, mail);
    finish();
    go(back);
  }

  function written() {
    const now = { ...form.now(), saved: drafts.msgnum() };
    return { draft: now, draftRoom: store.name, place, text: wholeOf(now).text, above: isMail ? 0 : store.highest };
  }

  /** @param {import('../../model/server-draft.js').Letter} letter @param {(address: string) => boolean} go */
  async function post(letter, go) {
    const posted = await sendPost(store.name, letter, written());
    finish();
    announce(t(posted === undefined ? 'outbox.will-go' : 'compose.posted'));
    if (posted === undefined) return void go(back);
    await store.refresh();
    go(routeTo(store.name, ...(store.byNumber.has(posted) ? [posted] : [])));
  }

  async function discard() {
    const isWorthAsking = drafts.msgnum() !== undefined || form.isChanged();
    if (isWorthAsking && !(await confirm(t('compose.discard-question'), t('compose.throw-away')))) return;
    form.files.discard();
    finish();
    await drafts.discard().catch(() => {});
    location.replace(back);
  }

  const label = t(isMail ? 'compose.send' : 'compose.post');
  return {
    title,
    actions: [{ label, icon: 'send', kind: 'primary', run: form.submit }],
  };
}

/**
 * @param {RoomStore} store @param {WritingRoute} route @param {boolean} isMail @param {string} selected
 * @param {AbortSignal} signal
 * @returns {Promise<Beginning>}
 */
function begin(store, { page, msgnum, name = '' }, isMail, selected, signal) {
  if (msgnum === undefined) return beginNew(name, isMail);
  if (page === 'attach') return beginAttached(store, name.split(',').map(Number));
  if (page === 'edit') return beginFromDraft(store, msgnum, signal);
  if (page === 'forward') return beginForward(store, msgnum, signal);
  return beginReply(store, msgnum, page === 'new' ? 'reply' : page, selected, signal);
}

/**
 * What was kept in the tab. Its pictures are still there, or with the draft of the server; files that the server has
 * forgotten are not named again.
 * @param {MessageDraft} kept @param {InlineImage[]} [held]
 * @returns {Promise<Beginning>}
 */
async function beginAgain(kept, held) {
  const { forwarded } = kept;
  const attachments = await stillThere(kept.attachments);
  const files = await stillThere(forwarded?.files ?? []);
  const draft = { ...kept, attachments, forwarded: forwarded && { ...forwarded, files } };
  if (held?.length) return { draft, pictures: held };
  if (draft.saved === undefined || !wholeOf(draft).html.includes('cid:')) return { draft, pictures: [] };
  const { pictures } = await readMessage(OWN_ROOM.drafts, draft.saved).then(
    (message) => inlined(OWN_ROOM.drafts, message),
    () => ({ pictures: [] }),
  );
  return { draft, pictures };
}

/** @param {UploadRecord[]} files */
async function stillThere(files) {
  const are = await Promise.all(files.map(isUploadThere));
  return files.filter((_, at) => are[at]);
}

/** What the reader has selected in the message that is to be answered. @param {HTMLElement} pane */
function selectedIn(pane) {
  for (const frame of pane.querySelectorAll('iframe')) {
    const selected = frame.contentDocument?.getSelection()?.toString().trim();
    if (selected) return selected;
  }
  return '';
}

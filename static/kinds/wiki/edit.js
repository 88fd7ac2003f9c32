// Writing a page of a wiki: each is a message that goes by its name, and a new version takes the place of the old one.
// Markdown and the source of HTML have what they become beside them; HTML can be written as rich text as well.

import { writeObject } from '../../api/calendars.js';
import { readMessage } from '../../api/messages.js';
import { Problem } from '../../api/request.js';
import { element, query } from '../../core/dom.js';
import { isBusyElsewhere } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { draftAt } from '../../model/drafts.js';
import { writeOver } from '../../model/object-writing.js';
import { numberOf, orLater } from '../../model/outbox.js';
import { objectWork } from '../../model/outbox-joining.js';
import { choice, field, line, savingForm } from '../../ui/form.js';
import { announce, confirm } from '../../ui/notices.js';
import { askVersion } from '../../ui/versions.js';
import { showWaiting } from '../message/reading.js';
import { HTML, MARKDOWN, PLAIN, textField } from './text-field.js';
import { waitingPage } from './waiting.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { ObjectWork } from '../../model/outbox-joining.js' */
/** @import { PageDraft } from '../../model/drafts.js' */
/** @import { WholeTexts } from '../../model/whole-texts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** what no address can have as a name */
const IMPOSSIBLE = /^\.{0,2}$|\|/;

/**
 * Shows the form for a new page, or for the one that is the message `msgnum`. Throws Problem. Answers its title.
 * @param {HTMLElement} pane
 * @param {RoomStore} store
 * @param {{ msgnum?: number, name?: string, texts: WholeTexts, read?: Message }} route `read`: what is known of it
 * @param {AbortSignal} signal
 */
export async function openPageForm(pane, store, { msgnum, name: wanted = '', texts, read }, signal) {
  showWaiting(pane);
  const isNew = msgnum === undefined;
  const waiting = waitingPage(store, isNew ? wanted : store.byNumber.get(msgnum)?.subject);
  const kept = waiting
    ? { exti: waiting.name, content_type: waiting.type, text: waiting.text }
    : msgnum === undefined
      ? { exti: wanted, content_type: MARKDOWN, text: '' }
      : await readPage(texts, msgnum, read, signal);
  signal.throwIfAborted();
  const draft = draftAt(store.name, isNew ? `new/${wanted}` : `${msgnum}/edit`);
  const before = /** @type {PageDraft | undefined} */ (draft.read()?.value);
  const name = line('page-name', before?.name ?? kept.exti, { required: true, readonly: !isNew, dir: 'auto' });
  const type = choice(
    'page-type',
    [
      [MARKDOWN, t('wiki.markdown')],
      [HTML, t('wiki.html')],
      [PLAIN, t('wiki.plain')],
    ],
    before?.type ?? kept.content_type,
  );
  const text = textField(store, isNew ? type.value : kept.content_type, before?.text ?? kept.text);
  type.addEventListener('change', () => text.setType(type.value));
  const form = savingForm(
    t('wiki.save'),
    [
      element('div', { class: 'page-facts' }, field(t('wiki.name'), name), isNew && field(t('wiki.type'), type)),
      text.node,
    ],
    async () => {
      const go = fromHere();
      const typeNow = isNew ? type.value : kept.content_type.replace(/charset=[^;]*/i, 'charset=utf-8');
      const title = name.value.trim();
      const content = text.value();
      checkName(title);
      const base = msgnum === undefined ? undefined : { etag: `"${msgnum}"`, text: kept.text };
      const what = { room: store.name, name: title, type: typeNow, text: content, base, title, place: ['page', title] };
      const posted = await orLater(
        () => objectWork(what),
        () => savePage(store, objectWork(what)),
        store.name,
      );
      if (posted !== undefined) await store.refresh();
      go(posted === 0 ? routeTo(store.name, 'pages') : routeTo(store.name, 'page', title));
      announce(t(posted === undefined ? 'outbox.will-go' : 'wiki.saved'));
    },
    { draft, value: () => ({ name: name.value, type: type.value, text: text.value() }) },
  );
  form.classList.add('page-form');
  const discard = async () => {
    if (text.value() !== kept.text && !(await confirm(t('compose.discard-question'), t('compose.throw-away')))) return;
    draft.drop();
    location.replace(isNew ? routeTo(store.name, 'pages') : routeTo(store.name, 'page', kept.exti));
  };
  query(form, '.actions')?.append(
    element(
      'button',
      { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click: discard } },
      t('compose.discard'),
    ),
  );
  const title = t(isNew ? 'wiki.new' : 'wiki.edit-title');
  pane.replaceChildren(
    element('header', { class: 'pane-head' }, element('h2', { id: 'form-title', tabindex: -1 }, title)),
    element('div', { class: 'pane-body' }, element('div', { class: 'box' }, form)),
  );
  if (!isBusyElsewhere()) (name.value === '' ? name : text).focus();
  return title;
}

/** @param {WholeTexts} texts @param {number} msgnum @param {Message | undefined} read @param {AbortSignal} signal */
async function readPage(texts, msgnum, read, signal) {
  const [{ exti = '', content_type }, text] = await Promise.all([
    read ?? readMessage(texts.room, msgnum, { signal }),
    texts.read(msgnum, signal),
  ]);
  return { exti, content_type, text };
}

/** Throws Problem. @param {string} name */
function checkName(name) {
  if (IMPOSSIBLE.test(name)) throw new Problem(0, t('wiki.other-name'), t('wiki.other-name-detail'));
}

/**
 * Answers the number of what is there then, 0 where that is nothing; what others have written elsewhere in the page
 * stays (object-writing.js). Throws Problem, Undecided.
 * @param {RoomStore} store @param {ObjectWork} work
 */
export async function savePage(store, work) {
  checkName(work.name);
  try {
    if (work.base === undefined)
      return numberOf(await writeObject(store.name, work.name, work.text ?? '', undefined, work.type));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 412) throw problem;
    await store.refresh();
    throw new Problem(412, t('wiki.not-saved'), t('wiki.exists'));
  }
  const now = await writeOver(work, askVersion, { isKnown: true });
  return now ? numberOf(now.etag) : 0;
}

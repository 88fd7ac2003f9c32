// Writing a page of a wiki: each is a message that goes by its name, and a new version takes the place of the old one.

import { readEntry, writeEntry } from '../../api/groupware.js';
import { readMessage } from '../../api/messages.js';
import { Problem } from '../../api/request.js';
import { element, query } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { dropDraft, keepDraft, readDraft } from '../../model/drafts.js';
import { choice, field, line, lines, savingForm } from '../../ui/form.js';
import { announce, confirm } from '../../ui/notices.js';
import { showWaiting } from '../common/reading.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { PageDraft } from '../../model/drafts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** what the gateway takes for something else than a name */
const RESERVED = /^(\d+|new|mailbox|stat|slrp|members|roompic|info\.txt|msgs\..*)$/i;

/** @returns {[string, string][]} */
const types = () => [
  ['text/plain; charset=utf-8', t('wiki.plain')],
  ['text/html; charset=utf-8', t('wiki.html')],
];

/** Whether the page can be written as the text that it is kept as. @param {Message} message */
export const isEditable = ({ content_type, exti }) => Boolean(exti) && /^text\/(plain|html)\b/i.test(content_type);

/**
 * Shows the form for a new page, or for the one that is the message `msgnum`. Throws Problem. Answers its title.
 * @param {HTMLElement} pane
 * @param {RoomStore} store
 * @param {{ msgnum?: number, name?: string }} route
 * @param {string} user
 * @param {AbortSignal} signal
 */
export async function openPageForm(pane, store, { msgnum, name: wanted = '' }, user, signal) {
  showWaiting(pane);
  const isNew = msgnum === undefined;
  const TYPES = types();
  const kept =
    msgnum === undefined
      ? { exti: wanted, content_type: TYPES[0][0], text: '' }
      : await readPage(store.name, msgnum, signal);
  signal.throwIfAborted();
  const place = isNew ? `new/${wanted}` : `${msgnum}/edit`;
  const draft = /** @type {PageDraft | undefined} */ (readDraft(user, store.name, place));
  const name = line('page-name', draft?.name ?? kept.exti, { required: true, readonly: !isNew, dir: 'auto' });
  const text = lines('page-text', draft?.text ?? kept.text, { rows: '16' });
  const type = choice('page-type', TYPES, draft?.type ?? kept.content_type);
  const label = !isNew && /html/i.test(kept.content_type) ? t('wiki.text-html') : t('wiki.text');
  const form = savingForm(
    t('wiki.save'),
    [field(t('wiki.name'), name), isNew && field(t('wiki.type'), type), field(label, text)],
    async () => {
      const go = fromHere();
      const typeNow = isNew ? type.value : kept.content_type.replace(/charset=[^;]*/i, 'charset=utf-8');
      const posted = await savePage(store, name.value.trim(), typeNow, text.value, isNew ? undefined : msgnum);
      dropDraft(user, store.name, place);
      announce(t('wiki.saved'));
      await store.refresh({ own: posted });
      go(routeTo(store.name, posted));
    },
  );
  form.addEventListener('input', () =>
    keepDraft(user, store.name, place, { name: name.value, type: type.value, text: text.value }),
  );
  const discard = async () => {
    if (text.value !== kept.text && !(await confirm(t('compose.discard-question'), t('compose.throw-away')))) return;
    dropDraft(user, store.name, place);
    const isThere = msgnum !== undefined && store.byNumber.has(msgnum);
    location.replace(routeTo(store.name, ...(isThere ? [msgnum] : [])));
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
    element('div', { class: 'pane-body' }, element('div', { class: 'sheet' }, form)),
  );
  (name.value === '' ? name : text).focus();
  return title;
}

/** @param {string} room @param {number} msgnum @param {AbortSignal} signal */
async function readPage(room, msgnum, signal) {
  const [{ exti = '', content_type }, text] = await Promise.all([
    readMessage(room, msgnum, { signal }),
    readEntry(room, msgnum, { signal }),
  ]);
  return { exti, content_type, text };
}

/**
 * Answers the number of the new version; `msgnum` is the one it comes from. Throws Problem.
 * @param {RoomStore} store
 * @param {string} name
 * @param {string} type
 * @param {string | Blob} content
 * @param {number} [msgnum]
 */
export async function savePage(store, name, type, content, msgnum) {
  if (name === '' || RESERVED.test(name)) throw new Problem(0, t('wiki.other-name'), t('wiki.other-name-detail'));
  try {
    return await writeEntry(store.name, name, type, content, msgnum);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 412) throw problem;
    await store.refresh();
    throw new Problem(412, t('wiki.not-saved'), t(msgnum === undefined ? 'wiki.exists' : 'wiki.changed'));
  }
}

// Writing a page of a wiki: each is a message that goes by its name, and a new version takes the place of the old one.

import { getJson, getText, Problem, request } from '../../api/request.js';
import { byId, element, query } from '../../core/dom.js';
import { apiPath, fromHere, routeTo } from '../../core/router.js';
import { dropDraft, keepDraft, readDraft } from '../../model/drafts.js';
import { choice, field, line, savingForm } from '../../ui/form.js';
import { announce, confirm, loadingNote } from '../../ui/notices.js';
import { refreshRoom } from '../mail/room.js';

/** @import { PageDraft } from '../../model/drafts.js' */
/** @import { Message, Room } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from '../mail/room.js' */

/** what the gateway takes for something else than a name */
const RESERVED = /^(\d+|new|mailbox|stat|slrp|members|roompic|info\.txt|msgs\..*)$/i;

/** @type {[string, string][]} */
const TYPES = [
  ['text/plain; charset=utf-8', 'Plain text'],
  ['text/html; charset=utf-8', 'HTML, in which <a href="name"> leads to a page'],
];

/** @param {Room} info */
export const isWiki = (info) => info.default_view === 6;

/**
 * Whether the page can be written as the text that it is kept as.
 * @param {Message} message
 */
export const isEditable = ({ content_type, exti }) => Boolean(exti) && /^text\/(plain|html)\b/i.test(content_type);

/**
 * Shows the form for a new page, or for the one that is the message `msgnum`. Throws Problem. Answers its title.
 * @param {OpenRoom} room
 * @param {{ msgnum?: number, name?: string }} route
 * @param {string} user
 * @param {AbortSignal} signal
 */
export async function openPageForm(room, { msgnum, name: wanted = '' }, user, signal) {
  byId('detail').replaceChildren(loadingNote('One moment…'));
  const isNew = msgnum === undefined;
  const kept =
    msgnum === undefined ? { exti: wanted, content_type: TYPES[0][0], text: '' } : await readPage(room, msgnum, signal);
  signal.throwIfAborted();
  const place = isNew ? `new/${wanted}` : `${msgnum}/edit`;
  /** @type {PageDraft | undefined} */
  const draft = readDraft(user, room.name, place);
  const name = line('page-name', draft?.name ?? kept.exti, { required: true, readonly: !isNew, dir: 'auto' });
  const text = element('textarea', { id: 'page-text', rows: '16', dir: 'auto' });
  text.value = draft?.text ?? kept.text;
  const type = choice('page-type', TYPES, draft?.type ?? kept.content_type);
  const label = !isNew && /html/i.test(kept.content_type) ? 'Text (HTML)' : 'Text';
  const form = savingForm(
    'Save the page',
    [field('Name', name), isNew && field('Written as', type), field(label, text)],
    async () => {
      const go = fromHere();
      const typeNow = isNew ? type.value : kept.content_type.replace(/charset=[^;]*/i, 'charset=utf-8');
      const posted = await savePage(room, name.value.trim(), typeNow, text.value, isNew ? undefined : msgnum);
      dropDraft(user, room.name, place);
      announce('The page is saved.');
      await refreshRoom();
      go(routeTo(room.name, posted));
    },
  );
  form.addEventListener('input', () =>
    keepDraft(user, room.name, place, { name: name.value, type: type.value, text: text.value }),
  );
  const discard = async () => {
    if (text.value !== kept.text && !(await confirm('Throw away what you have written?', 'Throw away'))) return;
    dropDraft(user, room.name, place);
    const isThere = room.rows.some((row) => row.msgnum === msgnum);
    location.replace(routeTo(room.name, ...(isThere && msgnum !== undefined ? [msgnum] : [])));
  };
  query(form, '.actions')?.append(
    element('button', { type: 'button', class: 'quiet', on: { click: discard } }, 'Discard'),
  );
  const title = isNew ? 'New page' : 'Edit the page';
  const back = element('a', { class: 'back', href: routeTo(room.name) }, element('bdi', {}, room.name));
  byId('detail').replaceChildren(
    element('p', { class: 'actions toolbar' }, back),
    element('h3', { id: 'form-title', tabindex: '-1' }, title),
    form,
  );
  (name.value === '' ? name : text).focus();
  return title;
}

/** @param {OpenRoom} room @param {number} msgnum @param {AbortSignal} signal */
async function readPage(room, msgnum, signal) {
  /** @type {[Message, string]} */
  const [{ exti = '', content_type }, text] = await Promise.all([
    getJson(apiPath(room.name, msgnum, 'json'), signal),
    getText(apiPath(room.name, msgnum), signal),
  ]);
  return { exti, content_type, text };
}

/**
 * Answers the number of the new version; `msgnum` is the one it comes from. Throws Problem.
 * @param {OpenRoom} room
 * @param {string} name
 * @param {string} type
 * @param {string | Blob} content
 * @param {number} [msgnum]
 */
export async function savePage(room, name, type, content, msgnum) {
  if (name === '' || RESERVED.test(name))
    throw new Problem(0, 'Please choose another name', 'This one cannot be used.');
  /** @type {Record<string, string>} */
  const condition = msgnum === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${msgnum}"` };
  try {
    const headers = { 'Content-Type': type, ...condition };
    const answer = await request(apiPath(room.name, name), { method: 'PUT', headers, body: content });
    return Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 412) throw problem;
    await refreshRoom();
    const words = msgnum === undefined ? 'There is a page of this name.' : 'Somebody has changed this page meanwhile.';
    throw new Problem(412, 'Not saved', `${words} Your text is still here.`);
  }
}

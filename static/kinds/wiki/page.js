// A page of a wiki as it reads: Markdown as elements of the page, HTML in its frame; its headings at the side, links to
// pages that are not written yet marked.

import { pageAt } from '../../api/groupware.js';
import { readMessage } from '../../api/messages.js';
import { element, queryAll } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { fullTime } from '../../formats/times.js';
import { richNodes } from '../../ui/rich-nodes.js';
import { attachments } from '../message/files.js';
import { contentOf } from '../message/message.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { WholeTexts } from '../../model/whole-texts.js' */
/** @import { RichNode } from '../../formats/rich-text.js' */

/** @param {string} type */
export const isMarkdown = (type) => /^text\/(x-)?markdown\b/i.test(type);

/** Whether there is a page of that name. @param {RoomStore} store @param {string} name */
export const pageOf = (store, name) => store.rows.findLast((row) => row.subject === name);

/** Markdown with its links to pages. @param {RoomStore} store @param {readonly RichNode[]} tree */
export function richPage(store, tree) {
  const node = element(
    'div',
    { class: 'prose', dir: 'auto' },
    richNodes(tree, { deeper: 1, page: (name) => routeTo(store.name, 'page', name) }),
  );
  for (const link of queryAll(node, 'a[data-page]')) {
    const name = link.dataset.page ?? '';
    mark(store, link, name);
  }
  return node;
}

/** @param {RoomStore} store @param {HTMLElement} link @param {string} name */
function mark(store, link, name) {
  if (!store.isComplete || pageOf(store, name)) return;
  link.classList.add('missing');
  link.title = t('wiki.not-written', { name });
}

/**
 * `headings` hears of them when they are there. Throws Problem.
 * @param {RoomStore} store @param {number} msgnum @param {{ texts: WholeTexts, signal: AbortSignal }} how
 * @param {(headings: HTMLElement[]) => void} headings
 */
export async function readPageView(store, msgnum, { texts, signal }, headings) {
  const message = await readMessage(store.name, msgnum, { signal });
  const content = isMarkdown(message.content_type)
    ? richPage(store, parseMarkdown(await texts.read(msgnum, signal)))
    : await contentOf(store.name, message, signal);
  signal.throwIfAborted();
  const title = message.subj || message.exti || t('message.no-subject');
  const heading = element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title);
  takeTitle(content, heading, 'H2');
  const date = new Date(message.time * 1000);
  const changed = t('wiki.changed-by', { name: message.from ?? t('message.nobody'), time: fullTime(date) });
  const article = element(
    'article',
    { class: 'article', 'aria-labelledby': 'message-title' },
    heading,
    element('p', { class: 'muted small' }, changed),
    element('div', { class: 'page-text' }, content),
    attachments(store.name, message),
  );
  const frame = article.querySelector('iframe');
  const tell = (/** @type {ParentNode} */ root) => {
    const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('h1, h2, h3, h4')]);
    headings(all.filter((each) => each.id !== 'message-title' && !each.hidden && each.textContent !== ''));
  };
  if (frame) {
    frame.addEventListener('load', () => {
      const page = frame.contentDocument;
      if (!page) return;
      asPage(page);
      takeTitle(page.body, heading, 'H1');
      for (const link of queryAll(page, 'a[href]')) markFramed(store, /** @type {HTMLAnchorElement} */ (link));
      tell(page);
    });
  } else {
    tell(article);
  }
  return { title, message, article };
}

/** HTML looks like what is written here: see message-text.css. @param {Document} page inside the frame */
export const asPage = (page) => page.documentElement.classList.add('page');

/**
 * A page that begins with a title has that above it, in the place of its name; what is there already is not said twice.
 * @param {Element} content @param {HTMLElement} heading @param {'H1' | 'H2'} top what a title is in there
 */
function takeTitle(content, heading, top) {
  const first = content.firstElementChild;
  const text = first?.textContent?.trim() ?? '';
  if (!first || !/^H[1-4]$/.test(first.tagName) || text === '') return;
  if (first.tagName !== top && text.toLowerCase() !== heading.textContent.trim().toLowerCase()) return;
  heading.textContent = text;
  first.setAttribute('hidden', '');
}

/**
 * `link` leads into the client already, or to a page's address.
 * @param {RoomStore} store @param {HTMLAnchorElement} link
 */
function markFramed(store, link) {
  const prefix = routeTo(store.name, 'page', '');
  const at = link.hash.startsWith(prefix) ? decodeURIComponent(link.hash.slice(prefix.length)) : undefined;
  const page = at === undefined ? pageAt(link.getAttribute('href') ?? '') : { room: store.name, name: at };
  if (page?.room === store.name) mark(store, link, page.name);
}

/** Whether the page can be written as the text that it is kept as. @param {Message} message */
export const isEditable = ({ content_type, exti }) =>
  Boolean(exti) && /^text\/(plain|html|(x-)?markdown)\b/i.test(content_type);

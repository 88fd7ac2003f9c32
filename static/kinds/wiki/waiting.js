// A page that was written without a connection, as it will be.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { readRich } from '../../formats/rich-text.js';
import { waitingObjects } from '../../model/waiting-objects.js';
import { icon } from '../../ui/icon.js';
import { parsePage } from './links.js';
import { isMarkdown, richPage } from './page.js';

/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { ObjectWork } from '../../model/outbox-joining.js' */

/** What waits to be written there. @param {RoomStore} store @param {string} [name] */
export function waitingPage(store, name = '') {
  const work = waitingObjects(store.name).waiting.get(name);
  return work?.text === undefined ? undefined : { ...work, text: work.text };
}

/** @param {RoomStore} store @param {ObjectWork & { text: string }} work */
export function waitingArticle(store, { name, type, text }) {
  const isHtml = /^text\/html\b/i.test(type);
  const content =
    isHtml || isMarkdown(type)
      ? richPage(store, isHtml ? readRich(parsePage(text)) : parseMarkdown(text))
      : element('pre', { dir: 'auto' }, text);
  return element(
    'article',
    { class: 'article', 'aria-labelledby': 'message-title' },
    element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, name),
    element('p', { class: 'muted small' }, icon('clock', { size: 'small' }), ' ', t('outbox.waits')),
    element('div', { class: 'page-text' }, content),
  );
}

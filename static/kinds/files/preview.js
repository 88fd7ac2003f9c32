// One file: what it shows, as far as the page can show it, its facts, and the way to the files beside it.

import { filePath, openFile } from '../../api/files.js';
import { beginningOf } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { fullTime, size } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';
import { richNodes } from '../../ui/rich-nodes.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { saveAs } from './archive.js';
import { fileIcon, lookOf } from './types.js';

/** @import { FileFacts } from '../../api/files.js' */

/** of a longer text the beginning is shown */
const MOST_TEXT = 512 * 1024;

/** Throws Problem. @param {string} room @param {FileFacts} file @param {string} author @param {AbortSignal} signal */
export function preview(room, file, author, signal) {
  const date = new Date(file.time * 1000);
  const facts = [author, file.time > 0 ? fullTime(date) : '', size(file.size)].filter(Boolean).join(', ');
  const shown = element('div', { class: 'preview' }, skeleton(6));
  const fill = async () => shown.replaceChildren(...(await contentOf(room, file, signal)));
  return {
    node: element(
      'article',
      { class: 'stack', 'data-gap': '5', 'aria-labelledby': 'file-title' },
      element(
        'header',
        { class: 'stack', 'data-gap': '1' },
        element('h2', { class: 'title', id: 'file-title', tabindex: -1, dir: 'auto' }, file.name),
        element('p', { class: 'muted small' }, element('bdi', {}, facts)),
      ),
      shown,
    ),
    fill,
  };
}

/** @param {string} room @param {FileFacts} file @param {AbortSignal} signal @returns {Promise<Node[]>} */
async function contentOf(room, file, signal) {
  const address = filePath(room, file.path);
  const look = lookOf(file);
  if (look === 'image') return [element('img', { src: address, alt: file.name, class: 'preview-image' })];
  if (look === 'audio') return [element('audio', { src: address, controls: true, 'aria-label': file.name })];
  if (look === 'video') return [element('video', { src: address, controls: true, 'aria-label': file.name })];
  if (look === 'other') return [withoutPreview(file, address)];
  const text = await beginningOf(await openFile(room, file.path, signal), MOST_TEXT);
  signal.throwIfAborted();
  const isCut = file.size > MOST_TEXT;
  return [
    look === 'markdown' && !isCut
      ? element('div', { class: 'prose card box', dir: 'auto' }, richNodes(parseMarkdown(text), { deeper: 1 }))
      : element('pre', { class: 'card box preview-text', tabindex: 0, dir: 'auto' }, text),
    ...(isCut ? [element('p', { class: 'muted' }, t('files.cut'))] : []),
  ];
}

/** @param {FileFacts} file @param {string} address */
function withoutPreview(file, address) {
  return emptyState({
    icon: fileIcon(file),
    text: t('files.no-preview'),
    action: { label: t('files.download'), icon: 'download', run: () => saveAs(address, file.name) },
  });
}

/** The path as links, the last one as it stands. @param {{ href: string, label: string }[]} way @param {string} here */
export function crumbs(way, here) {
  return element(
    'nav',
    { class: 'crumbs', 'aria-label': t('files.path') },
    way.flatMap(({ href, label }, at) => [
      at > 0 && icon('chevron-right', { size: 'small' }),
      element('a', { href }, element('bdi', {}, label)),
    ]),
    way.length > 0 && here !== '' && icon('chevron-right', { size: 'small' }),
    here !== '' && element('span', { 'aria-current': 'page' }, element('bdi', {}, here)),
  );
}

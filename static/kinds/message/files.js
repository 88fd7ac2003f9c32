// The files of a message: what is attached, and the messages that came with it, which can be opened like the outer one.

import { fileNameOf, filesAmong, isMessageType } from '../../../src/mime/message-facts.ts';
import { partPath, takePart } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { size } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';
import { tellProblem } from '../../ui/notices.js';

/** @import { Message, Part } from '../../api/interface.d.ts' */

const PDF = 'application/pdf';
/** encoded; a larger one is fetched when it is asked for */
const MOST_PICTURE_BYTES = 8 * 1024 * 1024;
/** for the tab to read it; what it has read stays */
const KEPT_MS = 60_000;

/** Undefined where there are none. @param {string} room @param {Message} message */
export function attachments(room, message) {
  const files = filesOf(message);
  if (files.length === 0) return undefined;
  return element(
    'ul',
    { class: 'files-row', 'aria-label': t('message.files', { count: files.length }) },
    files.map((part) => fileItem(room, message, part)),
  );
}

/** Of what is attached. @param {Message} message */
export const fileNames = (message) => filesOf(message).map(nameOf);

/** @param {Part} part */
const nameOf = (part) => fileNameOf(factsOf(part));

/** @param {Part} part */
const isMessage = ({ content_type }) => isMessageType(content_type);

/** @param {Part} part */
const factsOf = (part) => ({
  number: part.partnum,
  type: part.content_type,
  disposition: part.disposition,
  name: part.filename,
  part,
});

/**
 * What stands below its text; what is inside a message that came along is shown when that one is opened.
 * @param {Message} message
 */
const filesOf = (message) =>
  filesAmong(message.parts.map(factsOf), ({ part }) => isShown(message, part)).map(({ part }) => part);

/** Files, or pictures that its text shows. @param {Message} message */
export const hasFiles = (message) => filesAmong(message.parts.map(factsOf), () => false).length > 0;

/** @param {Message} message @param {Part} part */
function isShown(message, part) {
  const isWhole = message.content_type.toLowerCase().startsWith(part.content_type);
  if (isWhole && message.text !== '') return true;
  const names = [part.content_id, part.partnum].filter(Boolean).map(encodeURIComponent);
  return names.some((name) => message.text.includes(`/${name}"`));
}

/** @param {string} room @param {Message} message @param {Part} part */
function fileItem(room, message, part) {
  const filename = nameOf(part);
  const href = partPath(room, message.msgnum, part.partnum);
  const bytes = size(part.size ?? part.content_length);
  const inner = part.filename.replace(/\.eml$/i, '') || t('message.one');
  const name = element(
    'bdi',
    { class: 'clip strong' },
    isMessage(part) ? t('message.open', { name: inner }) : filename,
  );
  const view = () => tellProblem(() => openPdf(takePart(room, message.msgnum, part.partnum)));
  const open = isMessage(part)
    ? { href: routeTo(room, message.msgnum, part.partnum) }
    : isPicture(part)
      ? { href, target: '_blank', rel: 'noopener' }
      : part.content_type === PDF
        ? { href, on: { click: instead(view) } }
        : { href, download: filename };
  const item = element(
    'li',
    { class: 'card attach' },
    icon(iconFor(part)),
    element('a', { class: 'plain grow', ...open }, name, ' ', element('span', { class: 'muted small' }, bytes)),
    element(
      'a',
      { class: 'btn-icon', href, download: filename, 'aria-label': t('message.save-file', { name: filename }) },
      icon('download'),
    ),
  );
  if (isPicture(part)) showThumbnail(item, href);
  return item;
}

/** @param {() => unknown} run in the place of what a link does; with a key for another window it stays a link */
const instead = (run) => (/** @type {MouseEvent} */ event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  run();
};

/** @param {Part} part */
const isPicture = ({ content_type, content_length }) =>
  /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(content_type) && content_length < MOST_PICTURE_BYTES;

/** Where it cannot be shown the card stays as that of any file. @param {HTMLElement} item @param {string} src */
function showThumbnail(item, src) {
  const image = element('img', { alt: '', src, loading: 'lazy' });
  const place = element('span', { class: 'thumbnail' }, image);
  item.dataset.picture = '';
  image.addEventListener('error', () => {
    place.remove();
    delete item.dataset.picture;
  });
  item.prepend(place);
}

/**
 * In a tab of its own. Files come with a policy that lets nothing run, under which a browser's viewer does not start
 * either; what this page has fetched, and says to be a PDF, is shown and can be nothing else. Throws Problem.
 * @param {Promise<Blob>} taking
 */
async function openPdf(taking) {
  // at once, for a tab that opens by itself is held back
  const tab = window.open('', '_blank');
  try {
    const blob = new Blob([await taking], { type: PDF });
    const address = URL.createObjectURL(blob);
    if (tab) tab.opener = null;
    tab?.location.replace(address);
    setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  } catch (problem) {
    tab?.close();
    throw problem;
  }
}

/** @param {Part} part */
const iconFor = (part) =>
  isMessage(part)
    ? 'mail'
    : part.content_type.startsWith('image/')
      ? 'image'
      : part.content_type === 'text/calendar'
        ? 'calendar'
        : 'file';

// The files of a message: what is attached, and the messages that came with it, which can be opened like the outer one.

import { partPath } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { size } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';

/** @import { Message, Part } from '../../api/interface.d.ts' */

/** @type {Record<string, string>} what is called so where the sender gave no name */
const NAMES = {
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
  'text/vcard': 'contact.vcf',
  'text/x-vcard': 'contact.vcf',
  'message/delivery-status': 'delivery-report.txt',
  'message/disposition-notification': 'reading-report.txt',
  'text/rfc822-headers': 'original-headers.txt',
  'application/pgp-signature': 'signature.asc',
};
/** @type {Record<string, string>} */
const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'application/pdf': 'pdf' };

/** Undefined where there are none. @param {string} room @param {Message} message */
export function attachments(room, message) {
  const files = message.parts.filter((part) => isFile(message, part));
  if (files.length === 0) return undefined;
  return element(
    'ul',
    { class: 'files-row', 'aria-label': t('message.files', { count: files.length }) },
    files.map((part) => fileItem(room, message, part)),
  );
}

/** @param {Part} part */
const isMessage = ({ content_type }) => content_type === 'message/rfc822' || content_type === 'message/global';

/**
 * Neither the text nor a picture in it; what is inside a message that came along is shown when that one is opened.
 * @param {Message} message @param {Part} part
 */
function isFile(message, part) {
  const isInside = message.parts.some((other) => isMessage(other) && part.partnum.startsWith(`${other.partnum}.`));
  if (isInside || isShown(message, part)) return false;
  if (part.disposition === 'attachment' || part.filename !== '') return true;
  return !['text/plain', 'text/html', 'text/x-citadel-variformat'].includes(part.content_type);
}

/** @param {Message} message @param {Part} part */
function isShown(message, part) {
  // a message that is all there is: its text is shown, and what it brings with it when it is opened
  if (part.disposition === 'attachment' || isMessage(part)) return false;
  const isWhole = message.content_type.toLowerCase().startsWith(part.content_type);
  if (isWhole && message.text !== '') return true;
  const names = [part.content_id, part.partnum].filter(Boolean).map(encodeURIComponent);
  return names.some((name) => message.text.includes(`/${name}"`));
}

/** @param {string} room @param {Message} message @param {Part} part */
function fileItem(room, message, part) {
  const filename = part.filename || (isMessage(part) ? 'message.eml' : nameFor(part));
  const href = partPath(room, message.msgnum, part.partnum);
  const bytes = size(part.size ?? part.content_length);
  const inner = part.filename.replace(/\.eml$/i, '') || t('message.one');
  const name = element(
    'bdi',
    { class: 'clip strong' },
    isMessage(part) ? t('message.open', { name: inner }) : filename,
  );
  const open = isMessage(part) ? { href: routeTo(room, message.msgnum, part.partnum) } : { href, download: filename };
  return element(
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

/** @param {Part} part */
function nameFor({ content_type, partnum }) {
  const extension = EXTENSIONS[content_type];
  return NAMES[content_type] ?? `part-${partnum}${extension ? `.${extension}` : ''}`;
}

// The files of a message: what is attached, and the messages that came with it, which can be opened like the outer one.

import { element } from '../../core/dom.js';
import { apiPath, routeTo } from '../../core/router.js';
import { size } from '../../formats/times.js';

/** @import { Message, Part } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from './room.js' */

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

/**
 * The section, or undefined where there are none.
 * @param {OpenRoom} room @param {Message} message
 */
export function attachments(room, message) {
  const files = message.parts.filter((part) => isFile(message, part));
  if (files.length === 0) return undefined;
  return element(
    'section',
    { class: 'attachments', 'aria-labelledby': 'attachments-title' },
    element('h4', { id: 'attachments-title' }, files.length === 1 ? 'Attachment' : 'Attachments'),
    element(
      'ul',
      {},
      files.map((part) =>
        element('li', {}, isMessage(part) && openLink(room, message, part), fileLink(room, message, part)),
      ),
    ),
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

/** @param {OpenRoom} room @param {Message} message @param {Part} part */
function openLink(room, message, part) {
  const name = part.filename.replace(/\.eml$/i, '') || 'message';
  const href = routeTo(room.name, message.msgnum, part.partnum);
  return element('a', { href, class: 'open-message' }, 'Open ', element('bdi', {}, name));
}

/** @param {OpenRoom} room @param {Message} message @param {Part} part */
function fileLink(room, message, part) {
  const filename = part.filename || (isMessage(part) ? 'message.eml' : nameFor(part));
  return element(
    'a',
    { href: apiPath(room.name, message.msgnum, part.partnum), download: filename },
    isMessage(part) ? 'Save ' : '',
    element('bdi', {}, filename),
    ' ',
    element('span', { class: 'file-size' }, size(part.size ?? part.content_length)),
  );
}

/** @param {Part} part */
function nameFor({ content_type, partnum }) {
  const extension = EXTENSIONS[content_type];
  return NAMES[content_type] ?? `part-${partnum}${extension ? `.${extension}` : ''}`;
}

// The header values of a stored message with anonymity applied: the `name=value` lines of MSG0 and MSG4
// (protocol sections 11 and 13), and the values MSGS mode 8 and templates ask for (protocol section 14).

import { hashMessageId } from '../../protocol/lookup3.ts';
import { HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { Session } from '../session/session.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { ListedMessage } from '../store/room-messages.ts';
import { nodeName } from '../store/settings.ts';
import { isOwnDomain } from '../store/users.ts';

/** The author as readers may see it. */
interface ShownAuthor {
  author: string;
  address: string;
  path: string;
}

/** Anonymous messages hide name, address and path from every reader, administrators included. */
export function shownAuthor(row: Pick<StoredMessage, keyof ShownAuthor | 'anonymous'>): ShownAuthor {
  return row.anonymous === 'no' ? row : { author: HIDDEN_NAMES[row.anonymous], address: '', path: '' };
}

/** Header lines in the order of the protocol, without `type=`; empty fields are left out. */
export function headerLines(session: Session, row: StoredMessage): string {
  const shown = shownAuthor(row);
  let lines = row.anonymous === 'only' ? 'nhdr=yes\n' : '';
  lines += `msgn=${row.msgid}\n`;
  if (shown.path) lines += `path=${shown.path}\n`;
  lines += `time=${row.time}\nfrom=${shown.author}\n`;
  if (shown.address) {
    lines += `rfca=${shown.address}\n`;
    if (isOwnDomain(session.store, shown.address.slice(shown.address.indexOf('@') + 1))) lines += 'locl=yes\n';
  }
  if (row.room) lines += `room=${row.room}\n`;
  if (row.recipients) lines += `rcpt=${row.recipients}\n`;
  if (row.euid) lines += `exti=${row.euid}\n`;
  if (row.refs) lines += `wefw=${row.refs}\n`;
  if (row.cc) lines += `cccc=${row.cc}\n`;
  if (row.subject) lines += `subj=${row.subject}\n`;
  return lines;
}

/** Names that are known and always empty here. */
const EMPTY_FIELDS: ReadonlySet<string> = new Set(['rep2', 'list', 'nvto', 'jrnl', 'hnod']);

/** Value of a field by its protocol name, `text` excepted; undefined for a name that does not exist. */
export function fieldValue(row: StoredMessage, name: string): string | undefined {
  switch (name) {
    case 'msgn':
      return row.msgid;
    case 'time':
      return String(row.time);
    case 'from':
      return shownAuthor(row).author;
    case 'rfca':
      return shownAuthor(row).address;
    case 'path':
      return shownAuthor(row).path;
    case 'room':
      return row.room;
    case 'rcpt':
      return row.recipients;
    case 'cccc':
      return row.cc;
    case 'exti':
      return row.euid;
    case 'wefw':
      return row.refs;
    case 'subj':
      return row.subject;
    default:
      return EMPTY_FIELDS.has(name) ? '' : undefined;
  }
}

export function subjectRow(session: Session, row: ListedMessage): string {
  const { author, address } = shownAuthor(row);
  const node = nodeName(session.store);
  return `${row.id}|${row.time}|${author}|${node}|${address}|${row.subject.replaceAll('|', '-')}`;
}

/** A row of mode 9, without its end. */
export function threadRow(session: Session, row: ListedMessage): string {
  const references = row.refs === '' ? '' : row.refs.split('|').map(hashMessageId).join(',');
  return `${subjectRow(session, row)}|${hashMessageId(row.msgid)}|${references}|`;
}

// The header values of a stored message with anonymity applied: the `name=value` lines of MSG0 and MSG4
// (protocol sections 11 and 13), the values MSGS mode 8 and templates ask for (protocol section 14); and what else a
// list shows: the first words that the author wrote, and the number of files.

import { OutputBound } from '../../html/output-bound.ts';
import { htmlToText } from '../../html/to-text.ts';
import {
  MAX_FIRST_WORDS_CHARACTERS,
  MAX_FIRST_WORDS_INPUT_BYTES,
  MAX_SHOWING_HTML_BYTES,
} from '../../limits/backend.ts';
import { decodeText } from '../../mime/coding/charset.ts';
import { filesAmong, isAttachment, isBodyText, isMarkedAsFile, isMessageType } from '../../mime/message-facts.ts';
import { contentOf, contentParts, isLeaf } from '../../mime/part.ts';
import { fileCandidates } from '../../mime/part-list.ts';
import { mayHoldMessage, unpack } from '../../mime/unpack.ts';
import { type MimePart, walk } from '../../mime/walk.ts';
import { hashMessageId } from '../../protocol/lookup3.ts';
import { HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { Session } from '../session/session.ts';
import { readBlob } from '../store/bodies.ts';
import { partBytes, partText, type StoredBody, textFrom } from '../store/message-part.ts';
import type { ListedMessage, StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import { nodeName, type Store } from '../store/store.ts';
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

/** Fields by their protocol names, `text` excepted, in the order of header lines. */
const FIELDS: Readonly<Record<string, (row: StoredMessage) => string>> = {
  msgn: ({ msgid }) => msgid,
  path: (row) => shownAuthor(row).path,
  time: ({ time }) => String(time),
  from: (row) => shownAuthor(row).author,
  rfca: (row) => shownAuthor(row).address,
  room: ({ room }) => room,
  rcpt: ({ recipients }) => recipients,
  exti: ({ euid }) => euid,
  wefw: ({ refs }) => refs,
  cccc: ({ cc }) => cc,
  subj: ({ subject }) => subject,
};

/** Names that are known and always empty here. */
const EMPTY_FIELDS: ReadonlySet<string> = new Set(['rep2', 'list', 'nvto', 'jrnl', 'hnod']);

/** Header lines in the order of the protocol, without `type=`; empty fields are left out. */
export function headerLines(session: Session, row: StoredMessage): string {
  let lines = row.anonymous === 'only' ? 'nhdr=yes\n' : '';
  for (const [name, read] of Object.entries(FIELDS)) {
    const value = read(row);
    if (value === '' && name !== 'msgn' && name !== 'from') continue;
    lines += `${name}=${value}\n`;
    if (name === 'rfca' && isOwnDomain(session.store, value.slice(value.indexOf('@') + 1))) lines += 'locl=yes\n';
  }
  return lines;
}

/** Value of a field by its protocol name, `text` excepted; undefined for a name that does not exist. */
export function fieldValue(row: StoredMessage, name: string): string | undefined {
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name]!(row);
  return EMPTY_FIELDS.has(name) ? '' : undefined;
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

const COLUMNS = 1000;
/** lines that quote another message */
const QUOTED = /^[ \t]{0,3}>/;

/**
 * At most MAX_FIRST_WORDS_CHARACTERS of its text on one line, without what it quotes; '' for a message without a text.
 * Reads only the first MAX_FIRST_WORDS_INPUT_BYTES.
 */
export function firstWords(
  store: Store,
  row: Pick<StoredMessage, 'blob' | 'size' | 'format'>,
  structure: MimePart | undefined,
): string {
  const lines = textOf(store, row, structure).split('\n');
  let words = '';
  for (const line of lines) {
    if (QUOTED.test(line)) continue;
    const text = line.replaceAll(/\s+/g, ' ').trim();
    if (text !== '') words += words === '' ? text : ` ${text}`;
    if (words.length > MAX_FIRST_WORDS_CHARACTERS) break;
  }
  return words.length <= MAX_FIRST_WORDS_CHARACTERS ? words : `${cut(words)}…`;
}

/** The number of files that a reader sees beside the text. */
export function attachedFiles(store: Store, row: StoredBody, structure: MimePart | undefined): number {
  if (!structure) return 0;
  const isText = (part: MimePart) => part === structure && /^(?:text\/|$)/.test(part.type);
  let html: string | undefined;
  const isInText = ({ type, contentId }: MimePart) => {
    if (!type.startsWith('image/') || contentId === '') return false;
    html ??= htmlOf(store, row, structure);
    return (
      html === undefined || html.includes(`cid:${contentId}`) || html.includes(`cid:${encodeURIComponent(contentId)}`)
    );
  };
  return filesAmong([...fileCandidates(structure)], (part) => isText(part) || isInText(part)).length;
}

/** The HTML, which may embed pictures; undefined if it is too long to search: they count as embedded then. */
function htmlOf(store: Store, row: StoredBody, structure: MimePart): string | undefined {
  let html = '';
  for (const part of contentParts(structure)) {
    if (part.type !== 'text/html' || isAttachment(part)) continue;
    if (html.length + part.decodedLength > MAX_SHOWING_HTML_BYTES) return undefined;
    html += partText(store, row, part, MAX_SHOWING_HTML_BYTES);
  }
  return html;
}

function textOf(
  store: Store,
  row: Pick<StoredMessage, 'blob' | 'size' | 'format'>,
  structure: MimePart | undefined,
): string {
  if (row.format === FORMAT.variable || row.format === FORMAT.fixed) {
    const end = Math.min(row.size, MAX_FIRST_WORDS_INPUT_BYTES);
    return decodeText(Buffer.concat([...readBlob(store, row.blob, 0, end)]), 'utf-8');
  }
  const part = structure && (firstText(structure) ?? firstPacked(structure));
  if (!part) return '';
  const isText = part.type === 'text/html' || isBodyText(part.type);
  const bytes = partBytes(store, row, part, isText ? MAX_FIRST_WORDS_INPUT_BYTES : MAX_SHOWING_HTML_BYTES);
  const inner = part.type === 'text/html' ? undefined : unpack(part, bytes);
  const root = inner && walk(inner);
  const packed = root && firstText(root);
  if (packed) return plainText(packed, contentOf(inner!, packed).subarray(0, MAX_FIRST_WORDS_INPUT_BYTES));
  return isText ? plainText(part, bytes) : '';
}

function plainText(part: MimePart, bytes: Buffer): string {
  const text = textFrom(part, bytes);
  return part.type === 'text/html' ? htmlToText(text, COLUMNS, new OutputBound()) : text;
}

/** The first part that may hold the text in a form of its own. */
function firstPacked(structure: MimePart): MimePart | undefined {
  const isOther = ({ type }: MimePart) => !isBodyText(type) && !isMessageType(type);
  return contentParts(structure).find((part) => isLeaf(part) && isOther(part) && mayHoldMessage(part));
}

/** The first plain text, else the first HTML. */
function firstText(structure: MimePart): MimePart | undefined {
  let html: MimePart | undefined;
  for (const part of contentParts(structure)) {
    if (!isLeaf(part) || isMarkedAsFile(part)) continue;
    if (part.type === 'text/plain' || part.type === '') return part;
    if (part.type === 'text/html') html ??= part;
  }
  return html;
}

/** Cuts after a word if one ends late enough, never inside a character. */
function cut(words: string): string {
  const start = words.slice(0, MAX_FIRST_WORDS_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  const space = start.lastIndexOf(' ');
  return space > MAX_FIRST_WORDS_CHARACTERS / 2 ? start.slice(0, space) : start;
}

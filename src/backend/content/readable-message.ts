// The messages and parts that a session may read in its room, the reply that shows their text, and a message in
// Internet form (RFC 5322) for MSG2 (protocol section 13): generated headers, then for format 4 the stored MIME headers
// and body, for formats 0 and 1 the folded text, with CR LF line ends.

import { addressField, formatDate } from '../../mime/addresses.ts';
import { addCrBeforeLf } from '../../mime/coding/transfer.ts';
import { foldHeader } from '../../mime/headers.ts';
import { NOBODY, withoutAuthor } from '../../mime/stored-content.ts';
import type { MimePart } from '../../mime/walk.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { localPartOf } from '../../protocol/names.ts';
import { readableRoom } from '../session/access.ts';
import { framed, LISTING_END, listingStart, type Reply, whole } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { held, readBlob } from '../store/bodies.ts';
import { findPart } from '../store/message-part.ts';
import { messageByNumber, messageInRoom, type StoredMessage, structureOf } from '../store/messages.ts';
import { FORMAT, type StoredRoom } from '../store/records.ts';
import { isRevisionIn } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { nodeName } from '../store/store.ts';
import { textForListing } from './message-text.ts';

/** The message, if the current room holds it; 550 for a number that is not there. */
export function readableMessage(session: Session, msgnum: number): StoredMessage {
  const room = readableRoom(session);
  const row = messageInRoom(session.store, room.id, msgnum) ?? fetchedRevision(session, room, msgnum);
  if (!row) throw new Refusal('higherAccess', `message ${msgnum} was not found in this room`);
  return row;
}

/** The page version that this session has fetched last, if it belongs to this room. */
function fetchedRevision(session: Session, room: StoredRoom, msgnum: number): StoredMessage | undefined {
  if (session.fetchedRevision !== msgnum || !isRevisionIn(session.store, room.id, msgnum)) return undefined;
  return messageByNumber(session.store, msgnum);
}

/** the status line of MSG0, MSG2 and MSG4 */
export const START = listingStart('msg:');

/** `head`, the content and the end of a listing; a stream if the content is large. */
export function textListing(
  { store }: Session,
  { blob }: StoredMessage,
  head: string,
  content: Iterable<Buffer>,
  contentBytes: number,
): Reply {
  return whole(held(store, blob, framed(head, content, LISTING_END)), contentBytes);
}

/** A part of a message. */
export interface Section {
  row: StoredMessage;
  part: MimePart;
}

/** `n|part`. Throws Refusal 512, 550, 571. */
export function openSection(session: Session, args: string): Section {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  if (!structure) throw new Refusal('illegalValue', 'This is not a MIME message.');
  const id = fields[1] ?? '';
  const part = findPart(structure, id);
  if (!part || part.decodedLength < 0) throw new Refusal('noSuchFile', `Section ${id} not found.`);
  return { row, part };
}

/** 0 all, 1 headers, 2 without headers, 3 generated headers only */
export type Mode = 0 | 1 | 2 | 3;

const ANONYMOUS_SENDERS = { only: `"----" <${NOBODY}>`, option: `"anonymous" <${NOBODY}>` } as const;

/** The lines of the listing, without `000`. `structure` is needed for modes 0 to 2 of format 4. */
export function* internetMessage(
  session: Session,
  row: StoredMessage,
  structure: MimePart | undefined,
  mode: Mode,
): Generator<Buffer> {
  const { store } = session;
  const isAnonymous = row.anonymous !== 'no';
  if (mode !== 2) yield Buffer.from(generatedHeaders(session, row));
  if (row.format !== FORMAT.mime) {
    if (mode !== 2) yield Buffer.from('\r\n');
    if (mode === 0 || mode === 2) yield* toCrlf(textForListing(store, row, undefined));
    return;
  }
  if (mode === 3) return;
  if (!structure) throw new Error('A MIME message is stored without its structure.');
  const header = readBlob(store, row.blob, 0, structure.start);
  const shown = isAnonymous ? [withoutAuthor(Buffer.concat([...header]))] : header;
  if (mode === 1) yield* toCrlf(withoutBlankLine(shown));
  // a real server sends both the end of the last header and the separating line
  if (mode === 2) yield Buffer.from('\r\n\r\n');
  if (mode === 0 && !isAnonymous) yield* toCrlf(readBlob(store, row.blob, 0, row.size));
  else if (mode === 0) yield* toCrlf(shown);
  if (mode === 2 || (mode === 0 && isAnonymous)) yield* toCrlf(readBlob(store, row.blob, structure.start, row.size));
}

function generatedHeaders(session: Session, row: StoredMessage): string {
  const host = nodeName(session.store);
  const lines: string[] = [];
  if (row.anonymous === 'no') lines.push(`Return-Path: ${row.path}`);
  lines.push(`Date: ${formatDate(row.time)}`);
  if (row.recipients) lines.push(`To: ${addressList(row.recipients, host)}`);
  if (row.refs) lines.push(`References: ${references(row.refs)}`);
  if (row.cc) lines.push(`CC: ${addressList(row.cc, host)}`);
  lines.push(`Subject: ${row.subject || '(no subject)'}`, `Message-ID: <${row.msgid}>`);
  const sender = row.anonymous === 'no' ? mailbox(row.author, row.address, host) : ANONYMOUS_SENDERS[row.anonymous];
  lines.push(`From: ${sender}`);
  return lines.map((line) => `${foldHeader(line, '\r\n')}\r\n`).join('');
}

function references(refs: string): string {
  return refs
    .split('|')
    .filter((id) => id !== '')
    .map((id) => `<${id}>`)
    .join(' ');
}

/** `"name" <address>`; an encoded word must not be inside quotes (RFC 2047 section 5). */
function mailbox(name: string, address: string, host: string): string {
  const display = name.includes('=?') ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return `${display} <${address || `${localPartOf(name)}@${host}`}>`;
}

/** Recipients as typed, where those without a domain get that of this server: `boss, bob smith` → `boss@vm, …` */
function addressList(typed: string, host: string): string {
  return splitRecipients(typed)
    .map((one) => addressField(withDomain(one, host)))
    .join(', ');
}

function withDomain(one: string, host: string): string {
  if (one.includes('@')) return one;
  if (/<[^<>\s]+>$/.test(one)) return `${one.slice(0, -1)}@${host}>`;
  return /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(one) ? `${one}@${host}` : mailbox(one, '', host);
}

/** At commas and semicolons outside quotes: `"Smith, Bob" <b@x>; boss` → two */
export function splitRecipients(typed: string): string[] {
  return (typed.match(/(?:"(?:[^"\\]|\\.)*"?|[^",;])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');
}

function* toCrlf(source: Iterable<Buffer>): Generator<Buffer> {
  let endsWithLf = true;
  for (const chunk of source) {
    if (chunk.length === 0) continue;
    yield addCrBeforeLf(chunk);
    endsWithLf = chunk.at(-1) === 10;
  }
  if (!endsWithLf) yield Buffer.from('\r\n');
}

/** The header block: all but the blank line at its end. Header blocks are bounded, so it is collected. */
function withoutBlankLine(block: Iterable<Buffer>): Buffer[] {
  const bytes = Buffer.concat([...block]);
  const text = bytes.toString('latin1', Math.max(0, bytes.length - 2));
  return [text === '\n' || text.endsWith('\n\n') ? bytes.subarray(0, -1) : bytes];
}

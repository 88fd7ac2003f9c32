// A message in Internet form (RFC 5322) for MSG2 (protocol section 13): generated headers, then for format 4 the
// stored MIME headers and body as they are, for formats 0 and 1 the folded text. CR LF line ends.

import { MAX_TEXT_LINE_BYTES } from '../../limits/mime.ts';
import { formatDate } from '../../mime/addresses.ts';
import { addCrBeforeLf } from '../../mime/coding/line-ends.ts';
import { NOBODY, withoutAuthor } from '../../mime/stored-content.ts';
import type { MimePart } from '../../mime/walk.ts';
import { localPartOf } from '../../protocol/names.ts';
import type { Session } from '../session/session.ts';
import { readBlob } from '../store/body-chunks.ts';
import type { StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import { nodeName } from '../store/settings.ts';
import { textForListing } from './message-text.ts';

/** 0 all, 1 headers, 2 without headers, 3 generated headers only */
export type Mode = 0 | 1 | 2 | 3;

/** where a folded line ends at a blank, if there is one */
const FOLD_FROM = 60;
const FOLD_TO = 900;
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
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** RFC 5322 section 2.1.1: no line over 998 characters; it is folded at blanks, where there are any. */
function fold(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > MAX_TEXT_LINE_BYTES) {
    let blank = line.lastIndexOf(' ', start + FOLD_TO);
    if (blank < start + FOLD_FROM) blank = line.indexOf(' ', start + FOLD_TO);
    if (blank < 0) break;
    pieces.push(line.slice(start, blank));
    start = blank + 1;
  }
  return [...pieces, line.slice(start)].join('\r\n ');
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

/** Recipients as typed, where those without an address get that of this server: `boss, bob smith` → `boss@vm, …` */
function addressList(typed: string, host: string): string {
  return splitRecipients(typed)
    .map((one) => {
      if (one.includes('@')) return one;
      return /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(one) ? `${one}@${host}` : mailbox(one, '', host);
    })
    .join(', ');
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

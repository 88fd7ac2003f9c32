// The part of a message that MSG4 sends: the one that suits MSGP best, else the first as MSG0 shows it; and a
// forwarded message seen as a message of its own (protocol section 13).

import { parseDate } from '../../mime/addresses.ts';
import { headerValue, parseHeaders } from '../../mime/headers.ts';
import { isAttachment } from '../../mime/message-facts.ts';
import { isLeaf, isMessage } from '../../mime/part.ts';
import type { MimePart } from '../../mime/walk.ts';
import type { Session } from '../session/session.ts';
import { readBlob } from '../store/body-chunks.ts';
import { asField, decodedPart, findPart } from '../store/message-part.ts';
import type { StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { guardListing } from './listing-text.ts';
import { partsText, textForListing } from './message-text.ts';

const NOTHING_YET = Buffer.alloc(0);
const PLAIN_HEADER = Buffer.from('Content-type: text/plain\n\n');
const VARIABLE_HEADER = Buffer.from('Content-type: text/x-citadel-variformat\n\n');

/** A small MIME entity: header lines, blank line, content. `structure` is that of the message or of an inner one. */
export function* chosenPart(session: Session, row: StoredMessage, structure: MimePart | undefined): Generator<Buffer> {
  const { store } = session;
  if (row.format !== FORMAT.mime || !structure) {
    if (row.format === FORMAT.variable) yield VARIABLE_HEADER;
    if (row.format === FORMAT.fixed) yield PLAIN_HEADER;
    yield* textForListing(store, row, undefined);
    return;
  }
  const part = bestPart(structure, session.mimePreferences);
  if (!part) {
    yield PLAIN_HEADER;
    const first = ownParts(structure).next().value;
    if (first) yield* partsText(store, row, first);
    return;
  }
  const decoded = session.dontDecode ? undefined : decodedPart(store, row, part);
  const isChanged = decoded !== undefined && /^(base64|quoted-printable)$/.test(part.encoding);
  const open = () =>
    guardListing(decoded ? decodedPart(store, row, part)! : readBlob(store, row.blob, part.start, part.end));
  // the length is that of what follows, with the line end and the guard of the listing
  let length = 0;
  for (const piece of open()) {
    length += piece.length;
    // lets other sessions run
    yield NOTHING_YET;
  }
  const charset = part.charset === '' ? '' : `; charset=${asField(part.charset)}`;
  const encoding = isChanged ? '8bit' : asField(part.encoding) || '7bit';
  yield Buffer.from(
    `Content-type: ${part.type}${charset}\nContent-length: ${length}\nContent-transfer-encoding: ${encoding}\n` +
      `X-Citadel-MSG4-Partnum: ${part.number}\n\n`,
  );
  yield* open();
}

/** The part whose type comes first in the list; attachments only when nothing else suits. */
function bestPart(structure: MimePart, preferences: readonly string[]): MimePart | undefined {
  const parts = [...ownParts(structure)];
  for (const candidates of [parts.filter((part) => !isAttachment(part)), parts]) {
    for (const type of preferences) {
      const found = candidates.find((part) => part.type === type);
      if (found) return found;
    }
  }
  return undefined;
}

/** Parts of the message itself, not those of a message inside it. */
function* ownParts(part: MimePart): Generator<MimePart> {
  if (isLeaf(part)) yield part;
  else if (!isMessage(part)) for (const child of part.children) yield* ownParts(child);
}

/** A forwarded message as a message of its own. */
export interface InnerMessage {
  headerLines: string;
  /** numbered as if the message stood alone */
  structure: MimePart;
}

/** The message inside the message/rfc822 part with this number; undefined when there is none. */
export function innerMessage(
  store: Store,
  row: StoredMessage,
  structure: MimePart,
  section: string,
): InnerMessage | undefined {
  const outer = findPart(structure, section);
  const content = outer && isMessage(outer) ? outer.children[0] : undefined;
  if (!outer || !content) return undefined;
  const header = Buffer.concat([...readBlob(store, row.blob, outer.start, content.start)]);
  const fields = parseHeaders(header);
  const value = (name: string) => headerValue(fields, name) ?? '';
  const time = parseDate(value('Date'));
  const { name, address } = parseMailbox(value('From'));
  const lines = [
    ['msgn', value('Message-ID').replace(/[<>]/g, '')],
    ['time', time === undefined ? '' : String(time)],
    ['from', name || address],
    ['rfca', address],
    ['rcpt', value('To')],
    ['cccc', value('Cc')],
    ['subj', value('Subject')],
  ].filter(([, text]) => text !== '');
  return {
    headerLines: lines.map(([field, text]) => `${field}=${text}\n`).join(''),
    structure: renumber(content, content.number, isLeaf(content) ? '1' : ''),
  };
}

/** `2.1.3` inside `2.1` → `3` */
function renumber(part: MimePart, prefix: string, ownNumber: string): MimePart {
  const children = part.children.map((child) =>
    renumber(child, prefix, child.number.slice(prefix.length).replace(/^\./, '')),
  );
  return { ...part, number: ownNumber, children };
}

/** `"Other, A" <a@x>` → name and address; a bare address has no name. */
function parseMailbox(text: string): { name: string; address: string } {
  const match = /^(.*)<([^<>]*)>\s*$/.exec(text);
  if (!match) return { name: '', address: text.trim() };
  return {
    name: match[1]!
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(.)/g, '$1'),
    address: match[2]!.trim(),
  };
}

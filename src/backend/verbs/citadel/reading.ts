// MSG4 and MSGP read a message in the form that suits the client best, or a forwarded message as one of its own; OPNA,
// READ and CLOS read a part in pieces (protocol sections 12, 13 and 18.7).

import { BACKEND_TURN_MS, MAX_READ_BYTES } from '../../../limits/backend.ts';
import { parseDate } from '../../../mime/addresses.ts';
import { isUnencoded } from '../../../mime/coding/transfer.ts';
import { headerValue, parseHeaders } from '../../../mime/headers.ts';
import { isAttachment } from '../../../mime/message-facts.ts';
import { isLeaf, isMessage } from '../../../mime/part.ts';
import type { MimePart } from '../../../mime/walk.ts';
import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { headerLines } from '../../content/message-header.ts';
import { guardListing, partsText, textForListing } from '../../content/message-text.ts';
import { openSection, readableMessage, type Section, START, textListing } from '../../content/readable-message.ts';
import { readableRoom, sessionAccess } from '../../session/access.ts';
import { binaryStart, ok, type Reply, whole } from '../../session/reply.ts';
import type { OpenDownload, Session, Verb } from '../../session/session.ts';
import { readBlob } from '../../store/bodies.ts';
import { asField, decodedPart, findPart, partLines } from '../../store/message-part.ts';
import { type StoredMessage, structureOf } from '../../store/messages.ts';
import { FORMAT, type StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Store } from '../../store/store.ts';

/** `MSG4 n|section`: header lines, part list and the part that suits the client best. */
export const msg4: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  const section = fields[1] ?? '';
  if (section === '' || section === '0') {
    const head = `${START}${headerLines(session, row)}${structure ? partLines(structure) : ''}text\n`;
    return textListing(session, row, head, chosenPart(session, row, structure), row.size);
  }
  const inner = structure && innerMessage(session.store, row, structure, section);
  if (!inner) throw new Refusal('noSuchMessage', `msg ${row.id} has no part ${section}`);
  const head = `${START}${inner.headerLines}${partLines(inner.structure)}text\n`;
  return textListing(session, row, head, chosenPart(session, row, inner.structure), row.size);
};

/**
 * `MSGP type|type…` sets what MSG4 prefers, best first; `MSGP dont_decode` makes it send parts as they are stored.
 */
export const msgp: Verb = (session, args) => {
  if (args.trim().toLowerCase() === 'dont_decode') {
    session.dontDecode = true;
    return ok('MSG4 will not pre-decode messages.');
  }
  session.mimePreferences = splitFields(args.toLowerCase())
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return ok('Preferred MIME formats have been set.');
};

/** Encodings that need no decoding. */
const IDENTITY = /^(7bit|8bit|binary|identity)?$/i;

/** An open part: READ takes from it at any offset, cheaply when offsets grow. */
class PartDownload implements OpenDownload {
  readonly room: StoredRoom;
  readonly #session: Session;
  readonly #section: Section;
  #source: Iterator<Buffer>;
  #piece: Buffer = Buffer.alloc(0);
  /** offset of #piece in the content */
  #at = 0;

  constructor(session: Session, section: Section, room: StoredRoom) {
    this.#session = session;
    this.#section = section;
    this.room = room;
    this.#source = this.#from(0);
  }

  get length(): number {
    return this.#section.part.decodedLength;
  }

  read(offset: number, count: number): Buffer | Promise<Buffer> {
    const isIdentity = IDENTITY.test(this.#section.part.encoding);
    if (offset < this.#at || (isIdentity && offset > this.#at)) {
      // Encoded content must be decoded from its start.
      this.#at = isIdentity ? offset : 0;
      this.#source = this.#from(this.#at);
      this.#piece = Buffer.alloc(0);
    }
    return this.#hasReached(offset) ? this.#take(offset, count) : this.#takeLater(offset, count);
  }

  async #takeLater(offset: number, count: number): Promise<Buffer> {
    // Decoding up to an offset in a large part may take long: lets other sessions run.
    do await this.#session.server.turns.next();
    while (!this.#hasReached(offset));
    return this.#take(offset, count);
  }

  /** Decodes towards `offset`, for one turn at most; true when it is reached. */
  #hasReached(offset: number): boolean {
    const turnEnd = performance.now() + BACKEND_TURN_MS;
    while (this.#at + this.#piece.length <= offset && this.#next()) if (performance.now() >= turnEnd) return false;
    return true;
  }

  #take(offset: number, count: number): Buffer {
    const pieces: Buffer[] = [];
    for (let at = offset, left = count; left > 0; ) {
      const bytes = this.#piece.subarray(at - this.#at, at - this.#at + left);
      pieces.push(bytes);
      at += bytes.length;
      left -= bytes.length;
      if (left > 0 && !this.#next()) break;
    }
    return Buffer.concat(pieces);
  }

  #next(): boolean {
    const next = this.#source.next();
    if (next.done) return false;
    this.#at += this.#piece.length;
    this.#piece = next.value;
    return true;
  }

  #from(offset: number): Iterator<Buffer> {
    const { row, part } = this.#section;
    const { store } = this.#session;
    if (offset > 0) return readBlob(store, row.blob, part.start + offset, part.end)[Symbol.iterator]();
    return decodedPart(store, row, part)[Symbol.iterator]();
  }
}

/** `OPNA n|part` → `200 LENGTH|TIME|filename|type`; 552 while another download is open. */
export const opna: Verb = (session, args) => {
  if (session.openDownload) throw new Refusal('busy', 'You already have a download open.');
  const section = openSection(session, args);
  session.openDownload = new PartDownload(session, section, readableRoom(session));
  const { row, part } = section;
  return ok(`${part.decodedLength}|${row.time}|${asField(part.filename)}|${asField(part.type)}`);
};

/** `READ offset|bytes` → `600 N` and N bytes, at most MAX_READ_BYTES; 500 at the end, 512, 550, 553, 571. */
export const read: Verb = (session, args) => {
  const download = session.openDownload;
  if (!download) throw new Refusal('notOpen', "You don't have a download file open.");
  // A download survives leaving the room, but not being removed from it.
  if (!(sessionAccess(session, download.room) & ACCESS.enter) && download.room !== session.room) {
    throw new Refusal('higherAccess', 'You may not read in this room any more.');
  }
  if (download.room === session.room) readableRoom(session);
  const fields = splitFields(args);
  const offset = toInt(fields[0]);
  const count = Math.min(toInt(fields[1]), MAX_READ_BYTES);
  if (offset < 0 || count <= 0) throw new Refusal('illegalValue', 'you have to specify a value > 0.');
  if (offset >= download.length) throw new Refusal('general', 'There is nothing behind the end.');
  const bytes = download.read(offset, Math.min(count, download.length - offset));
  return bytes instanceof Promise ? bytes.then(piece) : piece(bytes);
};

function piece(bytes: Buffer): Reply {
  // The file may have been deleted: clients repeat READ forever after an empty reply.
  if (bytes.length === 0) throw new Refusal('noSuchFile', 'The file is there no more.');
  return whole([Buffer.from(binaryStart(bytes.length)), bytes], bytes.length);
}

/** `CLOS` → 200; 553 where no download is open. */
export const clos: Verb = (session) => {
  if (!session.openDownload) throw new Refusal('notOpen', "You don't have a download file open.");
  session.openDownload = undefined;
  return ok('Ok');
};

const NOTHING_YET = Buffer.alloc(0);
const PLAIN_HEADER = Buffer.from('Content-type: text/plain\n\n');
const VARIABLE_HEADER = Buffer.from('Content-type: text/x-citadel-variformat\n\n');

/** A small MIME entity: header lines, blank line, content. `structure` is that of the message or of an inner one. */
function* chosenPart(session: Session, row: StoredMessage, structure: MimePart | undefined): Generator<Buffer> {
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
  const isChanged = !(session.dontDecode || isUnencoded(part));
  const open = () =>
    guardListing(isChanged ? decodedPart(store, row, part) : readBlob(store, row.blob, part.start, part.end));
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
interface InnerMessage {
  headerLines: string;
  /** numbered as if the message stood alone */
  structure: MimePart;
}

/** The message inside the message/rfc822 part with this number; undefined when there is none. */
function innerMessage(
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

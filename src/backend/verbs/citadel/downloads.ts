// An open part of a message, read in pieces: OPNA, READ and CLOS (protocol sections 12 and 18.7).

import { BACKEND_TURN_MS, MAX_READ_BYTES } from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { openSection, type Section } from '../../content/readable-message.ts';
import { readableRoom, sessionAccess } from '../../session/access.ts';
import { binaryStart, ok, type Reply, whole } from '../../session/reply.ts';
import type { Session, Verb } from '../../session/session.ts';
import type { OpenDownload } from '../../session/session-state.ts';
import { readBlob } from '../../store/body-chunks.ts';
import { asField, decodedPart } from '../../store/message-part.ts';
import type { StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';

/** Encodings whose content is stored as it is read. */
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
      // What is encoded has to be decoded from its beginning.
      this.#at = isIdentity ? offset : 0;
      this.#source = this.#from(this.#at);
      this.#piece = Buffer.alloc(0);
    }
    return this.#hasReached(offset) ? this.#take(offset, count) : this.#takeLater(offset, count);
  }

  async #takeLater(offset: number, count: number): Promise<Buffer> {
    // A part may be large and the offset near its end: the other sessions have their turn meanwhile.
    do await this.#session.server.turns.next();
    while (!this.#hasReached(offset));
    return this.#take(offset, count);
  }

  /** Decodes towards `offset`, for one turn at most; true when it has got there. */
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
    return decodedPart(store, row, part)![Symbol.iterator]();
  }
}

/** `OPNA n|part` → `200 LENGTH|TIME|filename|type`; 552 while another download is open. */
export const opna: Verb = (session, args) => {
  if (session.openDownload) throw new Refusal(STATUS.busy, 'You already have a download open.');
  const section = openSection(session, args);
  session.openDownload = new PartDownload(session, section, readableRoom(session));
  const { row, part } = section;
  return ok(`${part.decodedLength}|${row.time}|${asField(part.filename)}|${asField(part.type)}`);
};

/** `READ offset|bytes` → `600 N` and N bytes, at most MAX_READ_BYTES; 500 at the end, 512, 550, 553, 571. */
export const read: Verb = (session, args) => {
  const download = session.openDownload;
  if (!download) throw new Refusal(STATUS.notOpen, "You don't have a download file open.");
  // Leaving the room closes nothing, but having been put out of it does.
  if (!(sessionAccess(session, download.room) & ACCESS.enter) && download.room !== session.room) {
    throw new Refusal(STATUS.higherAccess, 'You may not read in this room any more.');
  }
  if (download.room === session.room) readableRoom(session);
  const fields = splitFields(args);
  const offset = toInt(fields[0]);
  const count = Math.min(toInt(fields[1]), MAX_READ_BYTES);
  if (offset < 0 || count <= 0) throw new Refusal(STATUS.illegalValue, 'you have to specify a value > 0.');
  if (offset >= download.length) throw new Refusal(STATUS.general, 'There is nothing behind the end.');
  const bytes = download.read(offset, Math.min(count, download.length - offset));
  return bytes instanceof Promise ? bytes.then(piece) : piece(bytes);
};

function piece(bytes: Buffer): Reply {
  // A file may have been deleted meanwhile; clients go on asking where nothing comes.
  if (bytes.length === 0) throw new Refusal(STATUS.noSuchFile, 'The file is there no more.');
  return whole([Buffer.from(binaryStart(bytes.length)), bytes], bytes.length);
}

/** `CLOS` → 200; 553 where no download is open. */
export const clos: Verb = (session) => {
  if (!session.openDownload) throw new Refusal(STATUS.notOpen, "You don't have a download file open.");
  session.openDownload = undefined;
  return ok('Ok');
};

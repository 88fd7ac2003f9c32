// Content of message parts: DLAT sends one decoded, OPNA opens one to be read in pieces by READ until CLOS
// (spec sections 12 and 18.7).

import { MAX_READ_BYTES } from '../limits.ts';
import type { MimePart } from '../mime/walk.ts';
import { splitFields, toInt } from '../protocol/fields.ts';
import { asField, decodedPart, findPart } from './message-part.ts';
import { type MessageRow, structureOf } from './messages.ts';
import { readableMessage, whole } from './reading.ts';
import type { Session } from './session.ts';
import { Refusal, type Verb } from './verb.ts';

interface Section {
  row: MessageRow;
  part: MimePart;
}

/** `DLAT n|part` → `600 LENGTH|-1|filename|type|charset` and exactly LENGTH bytes; 512, 550, 571. */
export const dlat: Verb = (session, args) => {
  const { row, part } = openSection(session, args);
  const fields = [-1, asField(part.filename), asField(part.type), asField(part.charset)].join('|');
  const content = exactly(part.decodedLength, decodedPart(session.store, row, part)!);
  return whole(prepend(Buffer.from(`600 ${part.decodedLength}|${fields}\n`), content), part.decodedLength);
};

/** The one open download of a session: READ takes from it at any offset, cheaply when offsets grow. */
class Download {
  readonly #session: Session;
  readonly #section: Section;
  #source: Iterator<Buffer>;
  #piece: Buffer = Buffer.alloc(0);
  /** offset of #piece in the content */
  #at = 0;

  constructor(session: Session, section: Section) {
    this.#session = session;
    this.#section = section;
    this.#source = this.#restart();
  }

  get length(): number {
    return this.#section.part.decodedLength;
  }

  read(offset: number, count: number): Buffer {
    if (offset < this.#at) {
      this.#source = this.#restart();
      this.#piece = Buffer.alloc(0);
      this.#at = 0;
    }
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

  #restart(): Iterator<Buffer> {
    const { row, part } = this.#section;
    return decodedPart(this.#session.store, row, part)![Symbol.iterator]();
  }
}

/** `OPNA n|part` → `200 LENGTH|TIME|filename|type`; 552 while another download is open. */
export const opna: Verb = (session, args) => {
  if (session.openDownload) throw new Refusal(552, 'You already have a download open.');
  const section = openSection(session, args);
  session.openDownload = new Download(session, section);
  const { row, part } = section;
  return `200 ${part.decodedLength}|${row.time}|${asField(part.filename)}|${asField(part.type)}\n`;
};

/** `READ offset|bytes` → `600 N` and N bytes, at most MAX_READ_BYTES; 500 at the end, 512, 553. */
export const read: Verb = (session, args) => {
  const download = session.openDownload;
  if (!(download instanceof Download)) throw new Refusal(553, "You don't have a download file open.");
  const fields = splitFields(args);
  const offset = toInt(fields[0]);
  const count = Math.min(toInt(fields[1]), MAX_READ_BYTES);
  if (offset < 0 || count <= 0) throw new Refusal(512, 'you have to specify a value > 0.');
  if (offset >= download.length) throw new Refusal(500, 'There is nothing behind the end.');
  const bytes = download.read(offset, Math.min(count, download.length - offset));
  return whole([Buffer.from(`600 ${bytes.length}\n`), bytes], bytes.length);
};

export const clos: Verb = (session) => {
  if (!session.openDownload) throw new Refusal(553, "You don't have a download file open.");
  session.openDownload = undefined;
  return '200 Ok\n';
};

function openSection(session: Session, args: string): Section {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  if (!structure) throw new Refusal(512, 'This is not a MIME message.');
  const id = fields[1] ?? '';
  const part = findPart(structure, id);
  if (!part || part.decodedLength < 0) throw new Refusal(571, `Section ${id} not found.`);
  return { row, part };
}

function* prepend(first: Buffer, rest: Iterable<Buffer>): Generator<Buffer> {
  yield first;
  yield* rest;
}

/** Fails when the content is not as long as was announced: the peer counts the bytes. */
function* exactly(length: number, source: Iterable<Buffer>): Generator<Buffer> {
  let left = length;
  for (const piece of source) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw new Error(`A part differs from its announced length by ${-left} bytes.`);
}

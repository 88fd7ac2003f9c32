// MSG0, MSG2, MSG4 and MSGP: reading one message of the current room (protocol section 13).

import { isUtf8 } from 'node:buffer';
import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { headerLines } from '../content/message-header.ts';
import { textForListing } from '../content/message-text.ts';
import { chosenPart, innerMessage } from '../content/preferred-part.ts';
import { internetMessage, type Mode } from '../content/rfc822.ts';
import { readableRoom } from '../session/access.ts';
import { LISTING_END, listingStart, ok, type Reply } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { held } from '../store/body-chunks.ts';
import { partLines } from '../store/message-part.ts';
import { messageInRoom, type StoredMessage, structureOf } from '../store/messages.ts';
import { Refusal } from '../store/refusal.ts';
import { fetchedRevision } from './wiki.ts';

const END = Buffer.from(LISTING_END);
const START = listingStart('msg:');

/** The message, if the current room holds it; 550 for a number that is not there. */
export function readableMessage(session: Session, msgnum: number): StoredMessage {
  const room = readableRoom(session);
  const row = messageInRoom(session.store, room.id, msgnum) ?? fetchedRevision(session, room, msgnum);
  if (!row) throw new Refusal(STATUS.higherAccess, `message ${msgnum} was not found in this room`);
  return row;
}

/** A reply in one piece when its content is small, so that pipelined replies go out in one write; else a stream. */
export function whole(stream: Iterable<Buffer>, contentBytes: number): Reply {
  if (contentBytes > STREAM_CHUNK_BYTES) return { stream };
  const bytes = Buffer.concat([...stream]);
  return isUtf8(bytes) ? bytes.toString() : { stream: [bytes] };
}

/** `MSG0 n|mode`: header lines, part list, text. */
export const msg0: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const mode = modeOf(fields[1]);
  let head = START;
  if (mode !== 2) head += `type=${row.format}\n${headerLines(session, row)}`;
  if (mode === 3) return `${head}${LISTING_END}`;
  const structure = structureOf(session.store, row.id);
  if (structure) head += partLines(structure);
  if (mode === 1) return `${head}${LISTING_END}`;
  return textListing(session, row, `${head}text\n`, textForListing(session.store, row, structure), row.size);
};

/** `MSG2 n|mode`: the message in Internet form. */
export const msg2: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const mode = modeOf(fields[1]);
  const structure = mode === 3 ? undefined : structureOf(session.store, row.id);
  const shownBytes = mode === 0 || mode === 2 ? row.size : 0;
  return textListing(session, row, START, internetMessage(session, row, structure, mode), shownBytes);
};

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
  if (!inner) throw new Refusal(STATUS.noSuchMessage, `msg ${row.id} has no part ${section}`);
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

function modeOf(field: string | undefined): Mode {
  const mode = toInt(field);
  return mode === 1 || mode === 2 || mode === 3 ? mode : 0;
}

function textListing(
  { store }: Session,
  { blob }: StoredMessage,
  head: string,
  content: Iterable<Buffer>,
  contentBytes: number,
): Reply {
  return whole(held(store, blob, enclose(Buffer.from(head), content)), contentBytes);
}

function* enclose(head: Buffer, content: Iterable<Buffer>): Generator<Buffer> {
  yield head;
  yield* content;
  yield END;
}

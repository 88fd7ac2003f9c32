// MSG0, MSG2, MSG4 and MSGP: reading one message of the current room (protocol section 13).

import { isUtf8 } from 'node:buffer';
import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { headerLines } from '../content/message-header.ts';
import { messageText } from '../content/message-text.ts';
import { chosenPart, innerMessage } from '../content/preferred-part.ts';
import { internetMessage, type Mode } from '../content/rfc822.ts';
import { readableRoom } from '../session/access.ts';
import type { Session } from '../session/session.ts';
import type { Reply, Verb } from '../session/verb.ts';
import { held } from '../store/bodies.ts';
import { partLines } from '../store/message-part.ts';
import { type MessageRow, messageInRoom, structureOf } from '../store/messages.ts';
import { Refusal } from '../store/refusal.ts';
import { fetchedRevision } from './wiki.ts';

const END = Buffer.from('000\n');

/** The message, if the current room holds it; 550 for a number that is not there. */
export function readableMessage(session: Session, msgnum: number): MessageRow {
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
  let head = '100 msg:\n';
  if (mode !== 2) head += `type=${row.format}\n${headerLines(session, row)}`;
  if (mode === 3) return `${head}000\n`;
  const structure = structureOf(session.store, row.id);
  if (structure) head += partLines(structure);
  if (mode === 1) return `${head}000\n`;
  return listing(session, row, `${head}text\n`, messageText(session.store, row, structure), row.size);
};

/** `MSG2 n|mode`: the message in Internet form. */
export const msg2: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const mode = modeOf(fields[1]);
  const structure = mode === 3 ? undefined : structureOf(session.store, row.id);
  const shownBytes = mode === 0 || mode === 2 ? row.size : 0;
  return listing(session, row, '100 msg:\n', internetMessage(session, row, structure, mode), shownBytes);
};

/** `MSG4 n|section`: header lines, part list and the part that suits the client best. */
export const msg4: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  const section = fields[1] ?? '';
  if (section === '' || section === '0') {
    const head = `100 msg:\n${headerLines(session, row)}${structure ? partLines(structure) : ''}text\n`;
    return listing(session, row, head, chosenPart(session, row, structure), row.size);
  }
  const inner = structure && innerMessage(session.store, row, structure, section);
  if (!inner) throw new Refusal(STATUS.noSuchMessage, `msg ${row.id} has no part ${section}`);
  const head = `100 msg:\n${inner.headerLines}${partLines(inner.structure)}text\n`;
  return listing(session, row, head, chosenPart(session, row, inner.structure), row.size);
};

/** `MSGP type|type…` sets what MSG4 prefers, best first; `MSGP dont_decode` makes it send parts as they are stored. */
export const msgp: Verb = (session, args) => {
  if (args.trim().toLowerCase() === 'dont_decode') {
    session.dontDecode = true;
    return '200 MSG4 will not pre-decode messages.\n';
  }
  session.mimePreferences = splitFields(args.toLowerCase())
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return '200 Preferred MIME formats have been set.\n';
};

function modeOf(field: string | undefined): Mode {
  const mode = toInt(field);
  return mode === 1 || mode === 2 || mode === 3 ? mode : 0;
}

function listing(
  { store }: Session,
  { blob }: MessageRow,
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

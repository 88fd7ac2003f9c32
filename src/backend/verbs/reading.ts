// MSG0 and MSG2 read one message of the current room, DLAT one of its parts (protocol sections 12 and 13). WIKI: the
// history of a page, reading an old version, and reverting to one (protocol section 18.11).

import { MAX_LISTED_REVISIONS } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { headerLines, shownAuthor } from '../content/message-header.ts';
import { textForListing } from '../content/message-text.ts';
import {
  internetMessage,
  type Mode,
  openSection,
  readableMessage,
  START,
  textListing,
} from '../content/readable-message.ts';
import { readableRoom, sessionAccess } from '../session/access.ts';
import {
  binaryStart,
  framed,
  inPieces,
  LISTING_END,
  listingStart,
  ok,
  piecesOf,
  type Reply,
  whole,
} from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { held } from '../store/bodies.ts';
import { asField, decodedPart, partLines } from '../store/message-part.ts';
import { messageByNumber, type StoredMessage, saveMessage, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { messageByEuid, type Revision, revisionByUuid, revisionsOf } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { fullName } from '../store/rooms.ts';
import { nodeName } from '../store/store.ts';
import { authorFields } from '../store/users.ts';

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

function modeOf(field: string | undefined): Mode {
  const mode = toInt(field);
  return mode === 1 || mode === 2 || mode === 3 ? mode : 0;
}

/** `DLAT n|part` → `600 LENGTH|-1|filename|type|charset` and exactly LENGTH bytes; 512, 550, 571. */
export const dlat: Verb = (session, args) => {
  const { row, part } = openSection(session, args);
  const fields = [-1, asField(part.filename), asField(part.type), asField(part.charset)];
  const content = exactly(part.decodedLength, decodedPart(session.store, row, part));
  const reply = framed(binaryStart(part.decodedLength, ...fields), content);
  return whole(held(session.store, row.blob, reply), part.decodedLength);
};

/** Cuts what is longer than announced and throws if it is shorter: the peer counts the bytes. */
function* exactly(length: number, source: Iterable<Buffer>): Generator<Buffer> {
  let left = length;
  for (const piece of source) {
    const wanted = piece.subarray(0, left);
    left -= wanted.length;
    yield wanted;
  }
  if (left !== 0) throw new Error(`A part differs from its announced length by ${-left} bytes.`);
}

/** `WIKI history|page`, `WIKI rev|page|uuid|fetch or revert`; 530 for anything else */
export const wiki: Verb = (session, args) => {
  const [subcommand, page = '', uuid = '', operation = ''] = splitFields(args);
  if (subcommand === 'history') return history(session, readableRoom(session), page);
  if (subcommand === 'rev') return revision(session, readableRoom(session), page, uuid, operation);
  throw new Refusal('unsupported', 'Invalid subcommand');
};

/** → rows `uuid|time|author|node`, the latest first; 575 */
function history(session: Session, room: StoredRoom, page: string): Reply {
  const { store } = session;
  const node = nodeName(store);
  const revisions = revisionsOf(store, room.id, page, MAX_LISTED_REVISIONS);
  if (revisions.length === 0) throw new Refusal('noSuchMessage', `Revision history for '${page}' was not found.`);
  const row = ({ uuid, message }: Revision) => {
    // the room may be deleted while earlier rows are sent
    const version = messageByNumber(store, message);
    return version ? `${uuid}|${version.time}|${shownAuthor(version).author}|${node}\n` : '';
  };
  return inPieces(listingStart(`Revision history for '${page}'`), piecesOf(revisions, row));
}

/** → `200 number`: of the message to read now, or of the new version; 510, 520, 530, 550, 575 */
function revision(session: Session, room: StoredRoom, page: string, uuid: string, operation: string): Reply {
  const { store } = session;
  if (revisionsOf(store, room.id, page, 1).length === 0)
    throw new Refusal('noSuchMessage', `Page '${page}' was not found.`);
  const msgnum = revisionByUuid(store, room.id, page, uuid);
  if (msgnum === undefined) throw new Refusal('noSuchMessage', `Revision '${uuid}' of page '${page}' was not found.`);
  if (operation === 'revert') return ok(revert(session, room, page, messageByNumber(store, msgnum)!));
  if (operation !== 'fetch') throw new Refusal('unsupported', 'An unknown operation was requested.');
  session.fetchedRevision = msgnum;
  return ok(msgnum);
}

/** Posts the content of an old version as the latest one. */
function revert(session: Session, room: StoredRoom, page: string, old: StoredMessage): number {
  const { store, user } = session;
  if (!user) throw new Refusal('notLoggedIn', 'Not logged in.');
  if ((sessionAccess(session, room) & ACCESS.post) === 0) throw new Refusal('higherAccess', 'Higher access required.');
  const current = messageByEuid(store, room.id, page);
  if (current !== undefined && messageByNumber(store, current)!.blob === old.blob) {
    throw new Refusal('internal', 'The page has this text already.');
  }
  const msgnum = saveMessage(store, {
    format: old.format,
    ...authorFields(store, user),
    anonymous: old.anonymous === 'no' ? undefined : old.anonymous,
    room: fullName(room),
    euid: page,
    subject: old.subject,
    body: { link: () => old.blob, structure: structureOf(store, old.id), size: old.size, object: undefined },
    rooms: [room.id],
  });
  session.server.noteNewMessage([room.id], msgnum);
  session.highestKnown = room.highest;
  return msgnum;
}

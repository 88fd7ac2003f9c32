// WIKI: the history of a page in a wiki room, reading an old version, and reverting to one (protocol section 18.11).

import { MAX_LISTED_REVISIONS } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields } from '../../protocol/fields.ts';
import { shownAuthor } from '../content/message-header.ts';
import { readableRoom, sessionAccess } from '../session/access.ts';
import { inPieces, listingStart, ok, piecesOf, type Reply } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { messageByNumber, type StoredMessage, saveMessage, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { messageByEuid } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { fullName } from '../store/rooms.ts';
import { nodeName } from '../store/settings.ts';
import { addressOf } from '../store/users.ts';
import { type Revision, revisionByUuid, revisionsOf } from '../store/wiki-history.ts';

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
    author: user.name,
    authorUser: user.id,
    path: user.name.replaceAll(' ', '_'),
    address: addressOf(store, user),
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

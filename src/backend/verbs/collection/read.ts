// MEMB read: one member with all that a GET of it needs, in one answer (protocol section 21.6): what MSG0 and MSG2 say
// of it, its Schedule-Tag, and its content where that is small.

import { MAX_CONTENT_WITH_MEMBER_BYTES } from '../../../limits/backend.ts';
import { isLeaf } from '../../../mime/part.ts';
import type { MimePart } from '../../../mime/walk.ts';
import { storedTimeFrom } from '../../../protocol/message-fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { isAnyUnknown, learnMembers } from '../../content/learning.ts';
import { headerLines } from '../../content/message-header.ts';
import { internetMessage } from '../../content/rfc822.ts';
import { readableRoom } from '../../session/access.ts';
import { binaryStart, type Reply, whole } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { memberNumber } from '../../store/members.ts';
import { asField, decodedPart, partLines } from '../../store/message-part.ts';
import { type MessageInRoom, messageInRoom, type StoredMessage, structureOf } from '../../store/messages.ts';
import type { StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { storedScheduleTag } from '../../store/scheduling.ts';
import type { Store } from '../../store/store.ts';

/**
 * `read|name|name…` → `600 LENGTH|number|tag|bytes of lines|bytes of headers|filename|type|charset|stored` and the
 * bytes of the first of these that is there: the lines of `MSG0 n|1`, those of `MSG2 n|1`, and its content. The next
 * fields are those of DLAT, empty where the content is not sent; the last is when it got its name, where the id does
 * not tell. 575
 */
export function readOne(session: Session, names: readonly string[]): Reply | Promise<Reply> {
  const room = readableRoom(session);
  if (!isAnyUnknown(session.store, room.id)) return memberOf(session, room, names);
  return learnt(session, room).then(() => memberOf(session, readableRoom(session), names));
}

async function learnt({ store, server }: Session, room: StoredRoom): Promise<void> {
  try {
    for (const _ of learnMembers(store, room)) {
      await server.turns.next();
      if (!store.db.isOpen) return;
    }
  } catch (error) {
    // on a disk that is full one can still read: by numbers
    if (!(error instanceof Refusal)) throw error;
  }
}

function memberOf(session: Session, room: StoredRoom, names: readonly string[]): Reply {
  const { store } = session;
  for (const name of names) {
    const msgnum = name === '' ? undefined : memberNumber(store, room.id, name);
    const row = msgnum === undefined ? undefined : messageInRoom(store, room.id, msgnum);
    if (row) return answer(session, row);
  }
  throw new Refusal(STATUS.noSuchMessage, 'There is no such member.');
}

function answer(session: Session, row: MessageInRoom): Reply {
  const { store } = session;
  const structure = structureOf(store, row.id);
  const lines = Buffer.from(`type=${row.format}\n${headerLines(session, row)}${structure ? partLines(structure) : ''}`);
  const headers = Buffer.concat([...internetMessage(session, row, structure, 1)]);
  const content = structure && smallContent(store, row, structure);
  const ofContent = content ? [structure.filename, structure.type, structure.charset].map(asField) : ['', '', ''];
  const bytes = Buffer.concat([lines, headers, ...(content ? [content] : [])]);
  const tag = (session.user && storedScheduleTag(store, row.id)) ?? '';
  const isTold = row.stored === (storedTimeFrom(row.msgid, row.id) ?? 0);
  const time = isTold || row.stored === 0 ? [] : [row.stored];
  const start = binaryStart(bytes.length, row.id, tag, lines.length, headers.length, ...ofContent, ...time);
  return whole([Buffer.from(start), bytes], bytes.length);
}

/** The decoded content of a message that is one part. */
function smallContent(store: Store, row: StoredMessage, part: MimePart): Buffer | undefined {
  const isOnly = isLeaf(part) && !/^(?:multipart|message)\//.test(part.type);
  if (!isOnly || part.decodedLength < 0 || part.decodedLength > MAX_CONTENT_WITH_MEMBER_BYTES) return undefined;
  return Buffer.concat([...decodedPart(store, row, part)!]);
}

// Posting a message again elsewhere: under another name, or unchanged if a foreign room server would lose it when its
// number is put into another room (quirk Q66).

import { randomUUID } from 'node:crypto';
import { AppError, unlessGone } from '../../errors.ts';
import { EncodingScanner } from '../../mime/encoding-facts.ts';
import { isMediaType, parseParameters } from '../../mime/headers.ts';
import { EUID_MARK, encodeMark, MARK_PREFIX, nameFrom } from '../../mime/stored-content.ts';
import { canDelete, type EnteredRoom, LEVEL, VIEW } from '../../model.ts';
import { numberSegment } from '../../protocol/member-names.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import { serverOf } from '../../room-server/driver.ts';
import { contentForm, withContent } from '../../room-server/message-content.ts';
import { hasMessage, originalEuid, otherAuthor, readLiveFields, readMarks } from '../../room-server/messages.ts';
import { moveToRoom, NO_TARGET, removeReplaced } from '../../room-server/posting.ts';
import { checkedPageName } from '../paths.ts';
import { accessTo, type RoomContext } from '../room-context.ts';
import { type OpenedMessage, openNamed } from './open-message.ts';
import { PLAIN_POSTING, postReplacing, type ReceivedMessage } from './posting.ts';
import { timeOf } from './representation.ts';

export interface Copied {
  msgnum: number;
  isReplaced: boolean;
}

/**
 * Posts the content of a message into the room of `there`, with the posting, name and header fields of `as` and its
 * read mark, and deletes what it replaces there. Throws as postReplacing.
 */
export async function postCopy(
  message: OpenedMessage,
  there: RoomContext,
  as: Partial<Pick<ReceivedMessage, 'posting' | 'name' | 'isKnownByUid' | 'headers'>>,
  existing: readonly number[] = [],
  mayOverwrite = true,
): Promise<Copied> {
  const { app, caller, msgnum, head } = message;
  const { identity } = caller;
  const form = contentForm(head);
  const scan = new EncodingScanner();
  const account = await app.pool.accountOf(identity);
  const see = (piece: Buffer) => scan.push(piece);
  await using body = await withContent(accessTo(message), msgnum, form, (bytes) =>
    app.spools.take(account, bytes, see),
  );
  const isKnown = isMediaType(parseParameters(form.contentType).value);
  const copy = {
    contentType: isKnown ? form.contentType : 'application/octet-stream',
    body,
    facts: scan.end(),
    attachments: [],
    name: '',
    ...as,
    posting: { ...PLAIN_POSTING, ...as.posting, isRead: (await readMarks(accessTo(message))).contains(msgnum) },
  };
  return await app.pool.withRoom(identity, there.room, async (connection, entered) => {
    const { posted, isReplaced } = await postReplacing(there, connection, entered, copy, existing, !mayOverwrite);
    return { msgnum: posted.msgnum, isReplaced };
  });
}

interface Carried {
  isCopy: boolean;
  /** new message ids of those reposted before, by old id; its own is added */
  ids?: Map<string, string>;
  /** it goes by reference if the server lets it, because other messages of the thread have to */
  isReferred?: boolean;
}

/**
 * Posts a message for which isLostByReference holds into the room `to`, and checks that it is there, so the old one may
 * be deleted. Somebody else's blog entry is copied by reference, since only an administrator could post it under its
 * author's name. Throws as postReplacing, forbidden.
 */
export async function carryObject(
  message: OpenedMessage,
  there: RoomContext,
  to: EnteredRoom,
  { isCopy, ids = new Map<string, string>(), isReferred = false }: Carried,
): Promise<number> {
  const { app, caller, msgnum, head } = message;
  const { identity } = caller;
  // as room servers refuse it
  if (head.entered.name === to.name) throw new AppError(...NO_TARGET[STATUS.alreadyExists]!);
  if (!isCopy) requireMovable(head.entered);
  const { level, name: user } = await app.pool.identify(identity);
  const author = otherAuthor(head.fields, user);
  const isBound = author !== undefined && to.defaultView === VIEW.blog && level < LEVEL.admin;
  if ((isReferred || isBound) && !head.entered.isPersonal && (await isKeptByReference(message, there))) return msgnum;
  if (isBound) throw new AppError('forbidden', 'Only an administrator can restore what somebody else wrote.');
  const posted = await postAsItIs(message, there, to, (level >= LEVEL.admin && author) || '', ids);
  const stored = await unlessGone(readLiveFields(app.pool, identity, there.room, posted));
  if (!stored) throw new AppError('backend_protocol', 'The room server lost a message that it accepted.');
  ids.set(head.fields.get('msgn') ?? '', stored.fields.get('msgn') ?? '');
  return posted;
}

/**
 * Copies a message by reference, and returns whether the room has it afterwards. A server that takes it for the one
 * that it replaces would destroy it unless another room has it (quirk Q66), so the caller's trash holds it meanwhile.
 */
async function isKeptByReference(message: OpenedMessage, there: RoomContext): Promise<boolean> {
  const { app, caller, room, msgnum } = message;
  const trash = { name: OWN_ROOM.trash, password: '' };
  const within = <T>(inRoom: RoomRef, use: (connection: Connection) => Promise<T>) =>
    app.pool.withRoom(caller.identity, inRoom, use);
  const copyTo = (name: string) => within(room, (connection) => moveToRoom(connection, msgnum, name, true));
  const has = (connection: Connection) => hasMessage(connection, msgnum);
  const isInTrash = await within(trash, has);
  if (!isInTrash) await copyTo(trash.name);
  try {
    const { messages } = await serverOf(app.pool, caller.identity);
    await messages.keepingMarks(accessTo(message), [msgnum], there.room, () => copyTo(there.room.name));
    return await within(there.room, has);
  } finally {
    if (!isInTrash) await within(trash, (connection) => removeReplaced(connection, [msgnum]));
  }
}

/** With its name, UID, subject and time; an euid that the room would not assign is stored in its header. */
async function postAsItIs(
  message: OpenedMessage,
  there: RoomContext,
  { defaultView: view }: EnteredRoom,
  author: string,
  ids: ReadonlyMap<string, string>,
): Promise<number> {
  const { head } = message;
  const field = (name: string) => head.fields.get(name) ?? '';
  const original = originalEuid(head);
  const euid = view === VIEW.wiki || view === VIEW.notes ? original : '';
  if (view === VIEW.wiki) checkedPageName(euid);
  const answersTo = field('wefw')
    .split('|')
    .map((id) => ids.get(id) ?? id);
  const subject = field('subj').replaceAll('|', '=?UTF-8?Q?=7C?=');
  const posting = { ...PLAIN_POSTING, subject, author, euid, references: answersTo.join('!') };
  // a migrated message keeps its marks
  const marks = new Map(
    head.headers.filter(({ name }) => name.startsWith(MARK_PREFIX)).map(({ name, value }) => [name, value]),
  );
  marks.set(`${MARK_PREFIX}time`, String(timeOf(head)));
  if (euid === '') marks.set(EUID_MARK, encodeMark(original));
  // a wiki refuses a text that a page has had before, even after it was deleted
  if (view === VIEW.wiki) marks.set(`${MARK_PREFIX}moved`, randomUUID());
  const as = { posting, name: nameFrom(head.headers) ?? '', isKnownByUid: true, headers: [...marks] };
  return (await postCopy(message, there, as)).msgnum;
}

/** As MessageMethods.moveMany. */
export async function moveNumbers(context: RoomContext, numbers: readonly number[], target: string): Promise<void> {
  const { app, caller, room } = context;
  const { messages } = await serverOf(app.pool, caller.identity);
  const there = { ...context, room: { name: target, password: '' } };
  await messages.moveMany(accessTo(context), numbers, target, async (msgnum, to, options) => {
    const message = await unlessGone(openNamed(context, numberSegment(msgnum)));
    if (!message || !messages.isLostByReference(message.head, to)) return false;
    await carryObject(message, there, to, { isCopy: false, ...options });
    await app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, [msgnum]));
    return true;
  });
}

/** A message that is posted elsewhere is deleted here. Throws forbidden. */
export function requireMovable(from: EnteredRoom): void {
  if (!canDelete(from)) throw new AppError('forbidden', 'This account may not delete messages in this room.');
}

// A message posted anew in another place: under another name, or as it is where a room server that is not ours would
// lose it if it only put the number into another room (quirk Q66).

import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { EncodingScanner } from '../../mime/encoding-facts.ts';
import { isMediaType, parseParameters } from '../../mime/headers.ts';
import { EUID_MARK, encodeMark, MARK_PREFIX, nameFrom, originalEuidFrom } from '../../mime/stored-content.ts';
import { type EnteredRoom, LEVEL, REPLACING_VIEWS, VIEW } from '../../model.ts';
import { command, wholeLineCommand } from '../../protocol/fields.ts';
import { numberSegment } from '../../protocol/member-names.ts';
import { accountName } from '../../protocol/names.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import { serverOf } from '../../room-server/driver.ts';
import {
  hasMessage,
  type MessageHead,
  readFieldsOfMany,
  readLiveFields,
  SEEN_SET,
  seenFrom,
} from '../../room-server/messages.ts';
import { moveMany, moveToRoom, NO_TARGET } from '../../room-server/posting.ts';
import { canDelete } from '../rights.ts';
import { enteredRoom, type RoomContext } from '../room-context.ts';
import { contentForm, withContent } from './content.ts';
import { type OpenedMessage, openNamed } from './head.ts';
import { checkedPageName } from './name.ts';
import { PLAIN_POSTING, type ReceivedMessage } from './post-body.ts';
import { postReplacing, removeReplaced } from './replacement.ts';
import { timeOf } from './representation.ts';
import { unlessGone } from './unless-gone.ts';

export interface Copied {
  msgnum: number;
  isReplaced: boolean;
}

const readMarks = async ({ app, caller, room }: RoomContext): Promise<SequenceSet> =>
  seenFrom((await app.pool.readInRoom(caller.identity, room, [SEEN_SET])).answers[0]!);

/**
 * Does `move`, which brings messages to another room under the same numbers, and marks them there as the caller has
 * them marked here: a room server that is not ours does not. A mark that is refused does not undo the move. `isNew`:
 * nothing else is in that room. `numbers` ascend.
 */
export async function keepingMarks(
  context: RoomContext,
  numbers: readonly number[],
  there: RoomRef,
  move: () => Promise<void>,
  isNew = false,
): Promise<void> {
  const { app, caller } = context;
  if ((await serverOf(app.pool, caller.identity)).messages.movesWhole) return move();
  const seen = await readMarks(context);
  await move();
  const marks = markCommands(numbers, seen, isNew);
  const set = app.pool.withRoom(caller.identity, there, (connection) => connection.askAll(marks));
  await set.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

function markCommands(numbers: readonly number[], seen: SequenceSet, isNew: boolean): string[] {
  const mark = (msgnum: number) => command('SEEN', msgnum, seen.contains(msgnum) ? 1 : 0);
  if (!isNew) return numbers.map(mark);
  const read = numbers.filter((msgnum) => seen.contains(msgnum));
  const last = read.at(-1) ?? 0;
  const unread = numbers.filter((msgnum) => msgnum < last && !seen.contains(msgnum));
  // a single mark costs a real server some milliseconds where there are many
  return unread.length < read.length ? [wholeLineCommand('SLRP', String(last)), ...unread.map(mark)] : read.map(mark);
}

/**
 * Posts its content into the room of `there`, to be called and posted as `as` says, read where it is read here; then
 * deletes what it replaces there. Throws as postReplacing.
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
  await using body = await withContent(message, form, (bytes) => app.spools.take(account, bytes, see));
  const isKnown = isMediaType(parseParameters(form.contentType).value);
  const copy = {
    contentType: isKnown ? form.contentType : 'application/octet-stream',
    body,
    traits: scan.end(),
    attachments: [],
    name: '',
    ...as,
    posting: { ...PLAIN_POSTING, ...as.posting, isRead: (await readMarks(message)).contains(msgnum) },
  };
  return await app.pool.withRoom(identity, there.room, async (connection, entered) => {
    const { posted, isReplaced } = await postReplacing(there, connection, entered, copy, existing, !mayOverwrite);
    return { msgnum: posted.msgnum, isReplaced };
  });
}

type Facts = Pick<MessageHead, 'fields' | 'headers'>;

/** The euid that it has, or had before it came into a room that gave it another one, or none. */
const euidOf = ({ fields, headers }: Facts): string => originalEuidFrom(headers) || (fields.get('exti') ?? '');

/** A room server that is not ours would take it for the one that it replaces there, or not know its euid again. */
export function isLostByReference(head: Facts, there: Pick<EnteredRoom, 'defaultView'>): boolean {
  return REPLACING_VIEWS.has(there.defaultView) && euidOf(head) !== '';
}

/** Its author, where it is somebody else than `user`. */
function otherAuthor(fields: ReadonlyMap<string, string>, user: string): string | undefined {
  const author = decodeWords(fields.get('from') ?? '');
  return accountName(author) === accountName(user) ? undefined : author;
}

interface Carried {
  isCopy: boolean;
  /** ids that messages of before have got there, by those they had; its own is added */
  ids?: Map<string, string>;
  /** it goes by reference where the room server lets it, because others that answer it, or that it answers, have to */
  isReferred?: boolean;
}

/**
 * Puts it into the room `to`, where isLostByReference, and looks that it is there: then the other one may go. It is
 * posted anew. An entry of somebody else in a blog is copied by reference, where
 * only an administrator could post it under the name of its author. Throws as postReplacing, forbidden.
 */
export async function carryObject(
  message: OpenedMessage,
  there: RoomContext,
  to: EnteredRoom,
  { isCopy, ids = new Map<string, string>(), isReferred = false }: Carried,
): Promise<number> {
  const { app, caller, msgnum, head } = message;
  const { identity } = caller;
  // as a room server refuses it
  if (head.entered.name === to.name) throw new AppError(...NO_TARGET[STATUS.alreadyExists]!);
  if (!isCopy) requireMovable(head.entered);
  const { level, name: user } = await app.pool.identify(identity);
  const author = otherAuthor(head.fields, user);
  const isBound = author !== undefined && to.defaultView === VIEW.blog && level < LEVEL.admin;
  if ((isReferred || isBound) && !head.entered.isPersonal && (await isKeptByReference(message, there))) return msgnum;
  if (isBound) throw new AppError('forbidden', 'Only an administrator can bring back what somebody else has written.');
  const posted = await postAsItIs(message, there, to, (level >= LEVEL.admin && author) || '', ids);
  const kept = await unlessGone(readLiveFields(app.pool, identity, there.room, posted));
  if (!kept) throw new AppError('backend_protocol', 'The room server does not have the message that it has taken.');
  ids.set(head.fields.get('msgn') ?? '', kept.fields.get('msgn') ?? '');
  return posted;
}

/**
 * Copies it by reference, and answers whether the room has it then. A room server that takes it for what it replaces
 * would destroy it, unless another room has it (quirk Q66): meanwhile the caller's trash does.
 */
async function isKeptByReference(message: OpenedMessage, there: RoomContext): Promise<boolean> {
  const { app, caller, room, msgnum } = message;
  const trash = { name: OWN_ROOM.trash, password: '' };
  const within = <T>(place: RoomRef, use: (connection: Connection) => Promise<T>) =>
    app.pool.withRoom(caller.identity, place, use);
  const copyTo = (name: string) => within(room, (connection) => moveToRoom(connection, msgnum, name, true));
  const has = (connection: Connection) => hasMessage(connection, msgnum);
  const isInTrash = await within(trash, has);
  if (!isInTrash) await copyTo(trash.name);
  try {
    await keepingMarks(message, [msgnum], there.room, () => copyTo(there.room.name));
    return await within(there.room, has);
  } finally {
    if (!isInTrash) await within(trash, (connection) => removeReplaced(connection, [msgnum]));
  }
}

/** With its name, UID, subject and time; the euid that the room would not give it is kept in its header. */
async function postAsItIs(
  message: OpenedMessage,
  there: RoomContext,
  { defaultView: view }: EnteredRoom,
  author: string,
  ids: ReadonlyMap<string, string>,
): Promise<number> {
  const { head } = message;
  const field = (name: string) => head.fields.get(name) ?? '';
  const original = euidOf(head);
  const euid = view === VIEW.wiki || view === VIEW.notes ? original : '';
  if (view === VIEW.wiki) checkedPageName(euid);
  const answersTo = field('wefw')
    .split('|')
    .map((id) => ids.get(id) ?? id);
  const subject = field('subj').replaceAll('|', '=?UTF-8?Q?=7C?=');
  const posting = { ...PLAIN_POSTING, subject, author, euid, references: answersTo.join('!') };
  // what has been copied from another room server keeps the marks that it has
  const marks = new Map(
    head.headers.filter(({ name }) => name.startsWith(MARK_PREFIX)).map(({ name, value }) => [name, value]),
  );
  marks.set(`${MARK_PREFIX}time`, String(timeOf(head)));
  if (euid === '') marks.set(EUID_MARK, encodeMark(original));
  // a wiki refuses what it has had under this name, word for word, be it that it is there no longer
  if (view === VIEW.wiki) marks.set(`${MARK_PREFIX}moved`, randomUUID());
  const as = { posting, name: nameFrom(head.headers) ?? '', isKnownByUid: true, headers: [...marks] };
  return (await postCopy(message, there, as)).msgnum;
}

/**
 * Moves messages to another room; those that are gone are passed over. Throws not_found where none is there, conflict
 * where there is no such room, forbidden; as carryObject.
 */
export async function moveNumbers(context: RoomContext, numbers: readonly number[], target: string): Promise<void> {
  const { app, caller, room } = context;
  const { identity } = caller;
  const move = (list: readonly number[]) =>
    app.pool.withRoom(identity, room, (connection) => moveMany(connection, list, target));
  if ((await serverOf(app.pool, identity)).messages.movesWhole) return move(numbers);
  const there = { ...context, room: { name: target, password: '' } };
  const to = await unlessGone(enteredRoom(there));
  const fields = await readFieldsOfMany(app.pool, identity, room, numbers);
  // a number that is not in the room a real server would list in the other one (quirk Q5b)
  const present = [...fields.keys()].sort((a, b) => a - b);
  if (present.length === 0) throw new AppError('not_found', 'No such message.');
  const { level, name: user } = await app.pool.identify(identity);
  const isReferred =
    to?.defaultView === VIEW.blog &&
    level < LEVEL.admin &&
    [...fields.values()].some((each) => otherAuthor(each, user) !== undefined);
  const isIndexed = to !== undefined && REPLACING_VIEWS.has(to.defaultView);
  const ids = new Map<string, string>();
  const others: number[] = [];
  for (const msgnum of present) {
    const message = isIndexed && (await unlessGone(openNamed(context, numberSegment(msgnum))));
    if (message && isLostByReference(message.head, to)) {
      await carryObject(message, there, to, { isCopy: false, ids, isReferred });
      await app.pool.withRoom(identity, room, (connection) => removeReplaced(connection, [msgnum]));
    } else others.push(msgnum);
  }
  if (others.length > 0) await keepingMarks(context, others, there.room, () => move(others));
}

/** What is posted elsewhere goes here. Throws forbidden. */
export function requireMovable(from: EnteredRoom): void {
  if (!canDelete(from)) throw new AppError('forbidden', 'This account may not delete messages in this room.');
}

// A message posted anew in another place: under another name, or as it is where a room server that is not ours would
// lose it if it only put the number into another room (quirk Q66).

import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { EncodingScanner } from '../../mime/encoding-facts.ts';
import { isMediaType, parseParameters } from '../../mime/headers.ts';
import { nameFrom } from '../../mime/stored-content.ts';
import { type EnteredRoom, LEVEL, REPLACING_VIEWS, VIEW } from '../../model.ts';
import { command } from '../../protocol/fields.ts';
import { numberSegment } from '../../protocol/member-names.ts';
import { accountName } from '../../protocol/names.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import { MARK_PREFIX } from '../../room-server/copied.ts';
import { moveMany } from '../../room-server/many-messages.ts';
import { readFieldsOfMany, readLiveFields } from '../../room-server/messages.ts';
import { NO_TARGET } from '../../room-server/posting.ts';
import { SEEN_SET, seenFrom } from '../../room-server/seen-set.ts';
import { isOwnServer } from '../../room-server/server.ts';
import { canDelete } from '../rights.ts';
import type { RoomContext } from '../room-context.ts';
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

/** What it is to be called and how it is to be posted, in the room that has been entered. */
type Fields = Partial<Pick<ReceivedMessage, 'posting' | 'name' | 'isKnownByUid' | 'headers'>>;

/** Posts it into the room of `there`, then deletes what it replaces there. Throws as postReplacing. */
export async function postCopy(
  message: OpenedMessage,
  there: RoomContext,
  name: string,
  existing: readonly number[],
  mayOverwrite: boolean,
): Promise<Copied> {
  const isRead = (await readMarks(message)).contains(message.msgnum);
  const posting = { ...PLAIN_POSTING, isRead: isRead || undefined };
  return postContent(message, there, existing, !mayOverwrite, () => ({ name, posting }));
}

const readMarks = async ({ app, caller, room }: RoomContext): Promise<SequenceSet> =>
  seenFrom((await app.pool.readInRoom(caller.identity, room, [SEEN_SET])).answers[0]!);

/**
 * Does `move`, which brings messages to another room under the same numbers, and marks them there as the caller has
 * them marked here: a room server that is not ours does not. A mark that is refused does not undo the move.
 */
export async function keepingMarks(
  context: RoomContext,
  numbers: readonly number[],
  there: RoomRef,
  move: () => Promise<void>,
): Promise<void> {
  const { app, caller } = context;
  if (await isOwnServer(app.pool, caller.identity)) return move();
  const seen = await readMarks(context);
  await move();
  const marks = numbers.map((msgnum) => command('SEEN', msgnum, seen.contains(msgnum) ? 1 : 0));
  const mark = app.pool.withRoom(caller.identity, there, (connection) => connection.askAll(marks));
  await mark.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function postContent(
  message: OpenedMessage,
  there: RoomContext,
  existing: readonly number[],
  isConditional: boolean,
  fields: (entered: EnteredRoom) => Fields,
): Promise<Copied> {
  const { app, caller } = message;
  const { identity } = caller;
  const form = contentForm(message.head);
  const scan = new EncodingScanner();
  const account = await app.pool.accountOf(identity);
  const see = (piece: Buffer) => scan.push(piece);
  await using body = await withContent(message, form, (bytes) => app.spools.take(account, bytes, see));
  const isKnown = isMediaType(parseParameters(form.contentType).value);
  const copy = {
    contentType: isKnown ? form.contentType : 'application/octet-stream',
    body,
    traits: scan.end(),
    posting: PLAIN_POSTING,
    attachments: [],
    name: '',
  };
  return await app.pool.withRoom(identity, there.room, async (connection, entered) => {
    const posted = { ...copy, ...fields(entered) };
    const { posted: put, isReplaced } = await postReplacing(
      there,
      connection,
      entered,
      posted,
      existing,
      isConditional,
    );
    return { msgnum: put.msgnum, isReplaced };
  });
}

/** A room server that is not ours would take a message with this euid for the one that it replaces there. */
export function isLostByReference(euid: string | undefined, there: Pick<EnteredRoom, 'defaultView'>): boolean {
  return euid !== undefined && euid !== '' && REPLACING_VIEWS.has(there.defaultView);
}

/**
 * Posts it with its name, UID, subject and time into a room where isLostByReference, and looks that it is there: then
 * the other one may go. `ids`: those that messages of before have got; its own is added. Throws as postReplacing,
 * forbidden where it is of somebody else, whose name the caller may not post under.
 */
export async function postAsItIs(
  message: OpenedMessage,
  there: RoomContext,
  ids = new Map<string, string>(),
): Promise<number> {
  const { app, caller, head } = message;
  const { level, name: user } = await app.pool.identify(caller.identity);
  const field = (name: string) => head.fields.get(name) ?? '';
  const from = decodeWords(field('from'));
  const isOthers = accountName(from) !== accountName(user);
  const name = nameFrom(head.headers);
  const answersTo = field('wefw')
    .split('|')
    .map((id) => ids.get(id) ?? id);
  const posting = {
    ...PLAIN_POSTING,
    subject: field('subj').replaceAll('|', '=?UTF-8?Q?=7C?='),
    author: isOthers && level >= LEVEL.admin ? from : '',
    references: answersTo.join('!'),
    isRead: (await readMarks(message)).contains(message.msgnum),
  };
  const { msgnum } = await postContent(message, there, [], false, ({ defaultView: view }) => {
    const euid = view === VIEW.wiki || view === VIEW.notes ? field('exti') : '';
    if (view === VIEW.wiki) checkedPageName(euid);
    if (view === VIEW.blog && isOthers && posting.author === '') {
      throw new AppError('forbidden', 'This account cannot post it under the name of its author.');
    }
    const headers: [string, string][] = [[`${MARK_PREFIX}time`, String(timeOf(head))]];
    // a wiki refuses what it has had under this name, word for word, be it that it is there no longer
    if (view === VIEW.wiki) headers.push([`${MARK_PREFIX}moved`, randomUUID()]);
    return { posting: { ...posting, euid }, name: name ?? '', isKnownByUid: true, headers };
  });
  const kept = await unlessGone(readLiveFields(app.pool, caller.identity, there.room, msgnum));
  if (!kept) throw new AppError('backend_protocol', 'The room server does not have the message that it has taken.');
  ids.set(field('msgn'), kept.fields.get('msgn') ?? '');
  return msgnum;
}

/**
 * Moves messages to another room; those that are gone are passed over. Throws not_found where none is there, conflict
 * where there is no such room, forbidden; as postAsItIs.
 */
export async function moveNumbers(context: RoomContext, numbers: readonly number[], target: string): Promise<void> {
  const { app, caller, room } = context;
  const { identity } = caller;
  const move = (list: readonly number[]) =>
    app.pool.withRoom(identity, room, (connection) => moveMany(connection, list, target));
  if (await isOwnServer(app.pool, identity)) return move(numbers);
  const there = { ...context, room: { name: target, password: '' } };
  const entered = (await unlessGone(app.pool.readInRoom(identity, there.room, [])))?.entered;
  const fields = await readFieldsOfMany(app.pool, identity, room, numbers);
  const isAnew = (msgnum: number) =>
    entered !== undefined && isLostByReference(fields.get(msgnum)?.get('exti'), entered);
  // a number that is not in the room a real server would list in the other one (quirk Q5b)
  const present = [...fields.keys()].sort((a, b) => a - b);
  if (present.length === 0) throw new AppError('not_found', 'No such message.');
  const others = present.filter((msgnum) => !isAnew(msgnum));
  if (others.length > 0) await keepingMarks(context, others, there.room, () => move(others));
  const ids = new Map<string, string>();
  for (const msgnum of present.filter(isAnew)) {
    const message = await unlessGone(openNamed(context, numberSegment(msgnum)));
    if (message) await moveAnew(message, there, entered!, ids);
  }
}

async function moveAnew(
  message: OpenedMessage,
  there: RoomContext,
  entered: EnteredRoom,
  ids: Map<string, string>,
): Promise<void> {
  const { app, caller, room, msgnum, head } = message;
  requireElsewhere(head.entered, entered);
  requireMovable(head.entered);
  await postAsItIs(message, there, ids);
  await app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, [msgnum]));
}

/** As a room server refuses it. Throws forbidden. */
export function requireElsewhere(from: EnteredRoom, to: EnteredRoom): void {
  if (from.name === to.name) throw new AppError(...NO_TARGET[STATUS.alreadyExists]!);
}

/** What is posted elsewhere goes here. Throws forbidden. */
export function requireMovable(from: EnteredRoom): void {
  if (!canDelete(from)) throw new AppError('forbidden', 'This account may not delete messages in this room.');
}

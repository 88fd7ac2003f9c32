// MOVE and COPY of a message (RFC 4918 sections 9.8 and 9.9), on its own or under another name. A message never
// changes: under another name its content is posted anew, and for a MOVE the old message deleted afterwards.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { findMembers, openMember } from '../gateway/collection/collection.ts';
import { type OpenedMessage, withNamed } from '../gateway/message/open-message.ts';
import { requireReplaceable } from '../gateway/message/posting.ts';
import { type Copied, carryObject, postCopy, requireMovable } from '../gateway/message/reposting.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import {
  baseName,
  checkedName,
  checkedPageName,
  checkedPath,
  encodedPath,
  messagePath,
  nameInRoomKey,
  roomPath,
} from '../gateway/paths.ts';
import { readIfConditions, removeLocks, requirePreconditions } from '../gateway/preconditions.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { accessTo } from '../gateway/room-context.ts';
import { holdsCalendar, isOwnCalendar, requireScheduleTag } from '../gateway/scheduling/conditions.ts';
import { bringScheduled, removeScheduled, type WithinChange } from '../gateway/scheduling/plan.ts';
import { findReplaced, placeConflict, requireObjectFits } from '../gateway/write-plan.ts';
import type { Exchange } from '../http/exchange.ts';
import { asStatuses } from '../http/problem.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { nameFrom } from '../mime/stored-content.ts';
import { collectionKind, EUID_VIEWS, hasNames, holdsObjects, isFolder, parentFolder, VIEW } from '../model.ts';
import { euidsOf, numberSegment, parseMessageNumber } from '../protocol/member-names.ts';
import { serverOf } from '../room-server/driver.ts';
import { hasMessage } from '../room-server/messages.ts';
import { isPageHistory } from '../room-server/page-history.ts';
import { moveToRoom, removeReplaced } from '../room-server/posting.ts';
import { type RoomServer, requireCapability } from '../room-server/server.ts';
import { type FolderSource, transferFolder } from './folder-moving.ts';
import {
  changesAt,
  clearPlace,
  placeAt,
  requireRoomFor,
  type TransferTarget,
  transferTarget,
} from './transfer-target.ts';

interface Transfer {
  message: OpenedMessage;
  /** its name in its room */
  own: string;
  isCopy: boolean;
  target: TransferTarget;
  /** cancels or declines an invitation that leaves the calendars, and sends one that arrives (RFC 6638) */
  within: WithinChange;
}

/** MOVE r/:room/:name → 201, or 204 if something was replaced. Throws as transferTarget and occupants; locked. */
export function moveMessage(exchange: Exchange, app: App): Promise<void> {
  return transfer(exchange, app, false);
}

/** COPY r/:room/:name, the same. */
export function copyMessage(exchange: Exchange, app: App): Promise<void> {
  return transfer(exchange, app, true);
}

async function transfer(exchange: Exchange, app: App, isCopy: boolean): Promise<void> {
  const context = await userInRoom(exchange, app);
  const asked = await transferTarget(context);
  const conditions = await readIfConditions(context);
  const { room } = asked.context;
  const done = await withNamed(context, exchange.params.name!, async (message) => {
    const { msgnum, head } = message;
    const { entered } = head;
    const { members } = await serverOf(app.pool, context.caller.identity);
    const own = await members.nameOf(accessTo(message), message);
    const target = await intoFolder(asked, own);
    const isTree = collectionKind(entered) === 'files' && isFolder({ name: own });
    const coming = isTree ? `${target.name}/` : target.name || own;
    const going = isCopy ? [] : [{ context, entered, name: own, isMembership: true }];
    const changes = [...going, ...changesAt(target, coming)];
    await requirePreconditions(context, conditions, { entered, name: own, etag: messageEtag(msgnum) }, changes);
    await requireScheduleTag(context, msgnum);
    const source = { context, entered, folder: { name: own, msgnum } };
    if (isTree) return source;
    const isLeaving = !isCopy && !holdsCalendar(target.entered);
    const isComing = isOwnCalendar(target.entered) && (isCopy || !isOwnCalendar(entered));
    const change = async (within: WithinChange) => {
      const copied = await transferFile({ message, own, isCopy, target, within });
      return { ...copied, path: placeOf({ message, target }, copied) };
    };
    const copied = await (isLeaving
      ? removeScheduled(context, msgnum, change)
      : isComing
        ? bringScheduled(target.context, message, change)
        : change((_, use) => use()));
    if (!isCopy) await removeLocks(context, entered, own);
    return copied;
  });
  // outside of withNamed, which retries if a message is gone: members of a folder may be, the folder is not
  if ('folder' in done) return transferTree(done, asked, isCopy);
  app.watches.posted(room.name, []);
  await sendEmpty(exchange, done.isReplaced ? 204 : 201, { Location: done.path });
}

/** The address under the name in the Destination (RFC 4918 sections 9.8.5 and 9.9.4). */
function placeOf(wanted: Pick<Transfer, 'message' | 'target'>, { msgnum }: Copied): string {
  const { context, entered, name } = wanted.target;
  const { app, room } = context;
  const isNamed = name !== '' && !name.startsWith('|') && !isItsNumber(wanted);
  if (isNamed) return `${roomPath(app, room.name)}${encodedPath(name)}`;
  // it may have a new number
  return messagePath(app, room.name, hasNames(entered) ? numberSegment(msgnum) : msgnum);
}

/** The Destination names it by its own number. */
function isItsNumber({ message, target }: Pick<Transfer, 'message' | 'target'>): boolean {
  return !target.isFiles && parseMessageNumber(target.name) === message.msgnum;
}

/** Into a files room without a new name, a file keeps the last segment of its path, and replaces nothing. */
async function intoFolder(target: TransferTarget, own: string): Promise<TransferTarget> {
  if (!target.isFiles || target.name !== '' || parentFolder(own) === '') return target;
  return { ...(await placeAt(target, baseName(own))), mayOverwrite: false };
}

async function transferTree(source: FolderSource, target: TransferTarget, isCopy: boolean): Promise<void> {
  const { exchange, app } = source.context;
  const { isReplaced, failed } = await transferFolder(source, target, isCopy);
  if (!isCopy && failed.length === 0) await removeLocks(source.context, source.entered, source.folder.name);
  app.watches.posted(target.context.room.name, []);
  if (failed.length > 0) return send(exchange, 207, asStatuses(failed));
  const path = `${roomPath(app, target.context.room.name)}${encodedPath(target.name)}/`;
  await sendEmpty(exchange, isReplaced ? 204 : 201, { Location: path });
}

/** Transfers a message or file. A folder in its place is deleted first (RFC 4918 section 9.9.3). */
async function transferFile(wanted: Transfer): Promise<Copied> {
  const { message, own, target } = wanted;
  const { app, room } = message;
  const { name } = target;
  requirePageName(wanted);
  const server = await serverOf(app.pool, message.caller.identity);
  const keepsNames = !server.lacks.memberNames;
  // the embedded room server replaces a folder by a file in one step, by name only
  const isAsIs = isCalledSo(wanted) && !(keepsNames && target.folder);
  const isObject = keepsNames && isNamedObject(wanted);
  const run = () =>
    isObject ? transferObject(wanted) : isAsIs ? transferAsIs(wanted) : transferRenamed(wanted, server);
  if (name === '') return run();
  return app.serialQueue.run(
    nameInRoomKey(target.context.room.name, name),
    async () => {
      if (target.isFiles) {
        if (room.name === target.context.room.name && target.folder && own.startsWith(target.folder.name)) {
          throw new AppError('forbidden', 'A file cannot replace the folder that contains it.');
        }
        await requireRoomFor(target, name);
        if (!keepsNames) await clearPlace(target, false);
      }
      const copied = await run();
      return target.folder ? { ...copied, isReplaced: true } : copied;
    },
    message.exchange.gone,
  );
}

/** Throws bad_request for a UID from another room that a wiki would take for the history of a page. */
function requirePageName({ message, target }: Transfer): void {
  const euid = message.head.fields.get('exti') ?? '';
  if (!isPageHistory(euid)) return;
  if (target.entered.defaultView === VIEW.wiki) checkedPageName(euid);
}

/** Whether the Destination is the room only, its number, its UID, or its present name. */
function isCalledSo(wanted: Transfer): boolean {
  const { name } = wanted.target;
  if (name === '' || name === wanted.own || isItsNumber(wanted)) return true;
  const euid = wanted.message.head.fields.get('exti');
  return euid !== undefined && euidsOf(name).includes(euid);
}

/** Whether it gets a name in a room of calendar objects or cards. */
function isNamedObject(wanted: Transfer): boolean {
  const { name, entered } = wanted.target;
  if (name === '' || name.startsWith('|') || isItsNumber(wanted)) return false;
  return holdsObjects(collectionKind(entered));
}

/** Transfers a calendar object or card, which the embedded room server knows by UID and by name. */
async function transferObject(wanted: Transfer): Promise<Copied> {
  const { message, target } = wanted;
  const { room, msgnum } = message;
  const { context: there, entered, mayOverwrite } = target;
  checkedName(target.name, true);
  const member = await openMember(message, numberSegment(msgnum), false);
  const [existing] = await findMembers(there, [target.name]);
  const isItself = there.room.name === room.name && existing?.msgnum === msgnum;
  const replaced = isItself ? undefined : existing;
  if (replaced && !mayOverwrite) throw occupied();
  await requireObjectFits(there, entered, member, replaced);
  requireReplaceable(entered, replaced ? [replaced.msgnum] : []);
  // the same UID under another of its names
  const name = replaced?.name ?? target.name;
  const number = await placeAs(wanted, name).catch((error: unknown) => placeConflict(there, entered, error));
  return { msgnum: number, isReplaced: replaced !== undefined };
}

/** On a server with names; returns the number at the destination. Throws as MemberMethods.place. */
async function placeAs({ message, isCopy, target, within }: Transfer, name: string): Promise<number> {
  const { app, caller, room, msgnum } = message;
  const there = target.context.room.name;
  const options = { isCopy, room: there === room.name ? '' : there, mayReplace: target.mayOverwrite };
  const { members } = await serverOf(app.pool, caller.identity);
  const numbers = await app.pool.withRoom(caller.identity, room, (connection) =>
    within(connection, () => members.place(connection, [{ msgnum, name }], options)),
  );
  return numbers[0]!;
}

async function transferAsIs(wanted: Transfer): Promise<Copied> {
  const { message, isCopy, target } = wanted;
  const { app, caller, room, msgnum, head } = message;
  const { name, mayOverwrite, context: there } = target;
  // a number can only replace itself
  const isUnasked = name === '' || (isItsNumber(wanted) && mayOverwrite);
  const existing = isUnasked ? [] : await occupants(wanted);
  const { messages } = await serverOf(app.pool, caller.identity);
  if (messages.isLostByReference(head, target.entered)) {
    const posted = await carryObject(message, there, target.entered, { isCopy });
    if (!isCopy) await removeMoved(wanted);
    return { msgnum: posted, isReplaced: existing.length > 0 };
  }
  const move = () =>
    app.pool.withRoom(caller.identity, room, async (connection) => {
      if (!(await hasMessage(connection, msgnum))) throw new AppError('not_found', 'No such message.');
      await wanted.within(connection, () => moveToRoom(connection, msgnum, there.room.name, isCopy));
    });
  await messages.keepingMarks(accessTo(message), [msgnum], there.room, move);
  const replaced = existing.filter((number) => number !== msgnum);
  if (mayOverwrite && replaced.length > 0) {
    await app.pool.withRoom(caller.identity, there.room, (connection) => removeReplaced(connection, replaced));
  }
  return { msgnum, isReplaced: existing.length > 0 };
}

async function transferRenamed(wanted: Transfer, server: RoomServer): Promise<Copied> {
  const { message, isCopy, target } = wanted;
  const { head } = message;
  const { name } = target;
  if (target.isFiles) checkedPath(name);
  else checkedName(name, hasNames(target.entered));
  if (!isCopy) {
    // posted anew it would lose its author, date and recipients
    if (nameFrom(head.headers) === undefined) requireCapability(server, 'memberNames');
    requireMovable(head.entered);
  }
  const existing = await occupants(wanted);
  const { context: there, mayOverwrite } = target;
  if (!server.lacks.memberNames) {
    return { msgnum: await placeAs(wanted, name), isReplaced: existing.length > 0 };
  }
  const copied = await postCopy(message, there, { name }, existing, mayOverwrite);
  if (!isCopy) await removeMoved(wanted);
  return copied;
}

/** Deletes a message that was posted elsewhere. If it was replaced since, the message that was read is deleted. */
async function removeMoved({ message, within }: Transfer): Promise<void> {
  const { app, caller, room, msgnum } = message;
  await app.pool.withRoom(caller.identity, room, (connection) =>
    within(connection, () => removeReplaced(connection, [msgnum])),
  );
}

/**
 * The messages at the destination that would be replaced. Throws precondition_failed if there are any and `Overwrite:
 * F` was sent, forbidden if the caller may not delete them.
 */
async function occupants(wanted: Transfer): Promise<number[]> {
  const { message, target } = wanted;
  const { app, caller, msgnum, head } = message;
  const { name, mayOverwrite, context: there } = target;
  return app.pool.visitRoom(caller.identity, there.room, async (connection, entered) => {
    const isNamedByEuid = EUID_VIEWS.has(entered.defaultView);
    const euid = head.fields.get('exti') ?? '';
    const isNumber = isItsNumber(wanted);
    if (!isNumber && isNamedByEuid && !euidsOf(name).includes(euid)) {
      throw new AppError('forbidden', 'In this room, the name of a message is its UID.');
    }
    const existing = !isNumber
      ? await findReplaced(there, connection, entered, { name, euids: [euid] })
      : (await hasMessage(connection, msgnum))
        ? [msgnum]
        : [];
    if (existing.length > 0 && !mayOverwrite) throw occupied();
    if (!isNumber && !isNamedByEuid) requireReplaceable(entered, existing);
    return existing;
  });
}

function occupied(): AppError {
  return new AppError('precondition_failed', 'The Destination exists already.');
}

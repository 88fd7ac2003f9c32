// MOVE and COPY of a message (RFC 4918 sections 9.8 and 9.9), on its own or under another name. A message never changes:
// under another name its content is posted anew, and for a MOVE the old message deleted afterwards.

import type { RoomRef } from '../client/connection/goto.ts';
import { findByEuid, hasMessage, type MessageHead } from '../client/messages.ts';
import { moveToRoom } from '../client/posting.ts';
import { isPageHistory } from '../client/wiki.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type Caller, userOf } from '../gateway/caller.ts';
import { messageEtag } from '../gateway/message/facts.ts';
import { unlessGone, withNamed } from '../gateway/message/head.ts';
import { checkedName, findNamed, nameFrom, nameInRoomKey, pageName, UID_VIEWS } from '../gateway/message/name.ts';
import { removeReplaced, requireReplaceable } from '../gateway/message/post-body.ts';
import { messagePath, parseMessageNumber, roomOf, uidsOf } from '../gateway/paths.ts';
import { canDelete } from '../gateway/rights.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { VIEW } from '../model.ts';
import { mayOverwrite, parseDestination } from './destination.ts';
import { type Copied, postCopy } from './renaming.ts';

interface Transfer {
  app: App;
  caller: Caller;
  isCopy: boolean;
  /** `Overwrite: F` was not sent */
  mayOverwrite: boolean;
  room: RoomRef;
  msgnum: number;
  head: MessageHead;
  target: RoomRef;
  /** empty where the client names the target room only: then nothing there is replaced */
  name: string;
}

export function moveMessage(x: Exchange, app: App): Promise<void> {
  return transfer(x, app, false);
}

export function copyMessage(x: Exchange, app: App): Promise<void> {
  return transfer(x, app, true);
}

async function transfer(x: Exchange, app: App, isCopy: boolean): Promise<void> {
  const caller = await userOf(x, app);
  const room = await roomOf(x, app, caller);
  const { room: targetRoom, name } = parseDestination(x, app);
  const target = { name: targetRoom, password: '' };
  const done = await withNamed(app, caller, room, x.params.name!, async (msgnum, head) => {
    if (evaluate(x, { etag: messageEtag(msgnum) }) === 'precondition_failed') {
      throw new AppError('precondition_failed', 'The message is another one.');
    }
    const wanted: Transfer = { app, caller, isCopy, mayOverwrite: mayOverwrite(x), room, msgnum, head, target, name };
    await requirePageName(wanted);
    const run = () => (isOwnName(wanted) ? transferAsIs(wanted) : transferRenamed(wanted));
    return name === '' ? run() : app.serialQueue.run(nameInRoomKey(targetRoom, name), run);
  });
  app.watches.posted(targetRoom, []);
  await sendEmpty(x, done.isReplaced ? 204 : 201, { Location: messagePath(app, targetRoom, done.msgnum) });
}

/** Throws bad_request for what a wiki would take for the history of a page, by its UID from another room. */
async function requirePageName({ app, caller, head, target }: Transfer): Promise<void> {
  const uid = head.fields.get('exti') ?? '';
  if (!isPageHistory(uid)) return;
  const there = await unlessGone(app.pool.readInRoom(caller.identity, target, []));
  if (there?.entered.defaultView === VIEW.wiki) pageName(uid);
}

/** The room only, its number, its UID, or the name that it has already. */
function isOwnName({ name, msgnum, head }: Transfer): boolean {
  if (name === '' || name === String(msgnum) || name === nameFrom(head.headers)) return true;
  const euid = head.fields.get('exti');
  return euid !== undefined && uidsOf(name).includes(euid);
}

async function transferAsIs(wanted: Transfer): Promise<Copied> {
  const { app, caller, isCopy, mayOverwrite, room, msgnum, target, name } = wanted;
  // a number is only ever in the way of itself
  const isUnasked = name === '' || (name === String(msgnum) && mayOverwrite);
  const existing = isUnasked ? [] : await occupants(wanted);
  await app.pool.withRoom(caller.identity, room, async (connection) => {
    if (!(await hasMessage(connection, msgnum))) throw new AppError('not_found', 'No such message.');
    await moveToRoom(connection, msgnum, target.name, isCopy);
  });
  const replaced = existing.filter((number) => number !== msgnum);
  if (mayOverwrite && replaced.length > 0) {
    await app.pool.withRoom(caller.identity, target, (connection) => removeReplaced(connection, replaced));
  }
  return { msgnum, isReplaced: existing.length > 0 };
}

async function transferRenamed(wanted: Transfer): Promise<Copied> {
  const { app, caller, isCopy, room, msgnum, head, name } = wanted;
  if (parseMessageNumber(name) !== undefined) throw new AppError('conflict', 'The room server gives the numbers.');
  checkedName(name);
  if (!isCopy) {
    // its author, its date and whom it was sent to would be lost with it
    if (nameFrom(head.headers) === undefined) {
      throw new AppError('forbidden', 'Only a message that was PUT under a name can get another one.');
    }
    if (!canDelete(head.entered)) throw new AppError('forbidden', 'This account may not delete messages in this room.');
  }
  const existing = await occupants(wanted);
  const source = { room, msgnum, head };
  const copied = await postCopy(app, caller.identity, source, wanted.target, name, existing, wanted.mayOverwrite);
  // it may have been replaced since: then what was read has moved
  if (!isCopy) await app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, [msgnum]));
  return copied;
}

/**
 * The messages at the destination that would be replaced. Throws precondition_failed where there are some and `Overwrite:
 * F` was sent, forbidden where the caller may not delete them, conflict where there is no such room.
 */
async function occupants({ app, caller, mayOverwrite, msgnum, head, target, name }: Transfer): Promise<number[]> {
  const look = app.pool.visitRoom(caller.identity, target, async (connection, entered) => {
    if (name === String(msgnum)) return (await hasMessage(connection, msgnum)) ? [msgnum] : [];
    if (UID_VIEWS.has(entered.defaultView)) {
      const euid = head.fields.get('exti');
      if (euid === undefined || !uidsOf(name).includes(euid)) {
        throw new AppError('forbidden', 'In this room messages are named by their UID.');
      }
      const existing = await findByEuid(connection, euid);
      return existing === undefined ? [] : [existing];
    }
    const existing = await findNamed(connection, entered, name);
    if (existing.length > 0 && !mayOverwrite) throw occupied();
    requireReplaceable(entered, existing);
    return existing;
  });
  const existing = await look.catch((error: unknown) => {
    const isNoRoom = error instanceof AppError && error.code === 'not_found';
    throw isNoRoom ? new AppError('conflict', 'There is no such room to put the message into.') : error;
  });
  if (existing.length > 0 && !mayOverwrite) throw occupied();
  return existing;
}

function occupied(): AppError {
  return new AppError('precondition_failed', 'The Destination exists already.');
}

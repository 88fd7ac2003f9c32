// MOVE and COPY of a message to another room (RFC 4918 sections 9.8 and 9.9).

import { hasMessage } from '../client/messages.ts';
import { move } from '../client/posting.ts';
import { AppError } from '../errors.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { decodePercent } from '../http/percent.ts';
import { sendEmpty } from '../http/respond.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { type Caller, userOf } from './caller.ts';
import { messageEtag } from './messages.ts';
import { messageNumberOf, messagePath, parseMessageNumber, realName, roomOf } from './paths.ts';

export function moveMessage(x: Exchange, app: App): Promise<void> {
  return transfer(x, app, false);
}

export function copyMessage(x: Exchange, app: App): Promise<void> {
  return transfer(x, app, true);
}

async function transfer(x: Exchange, app: App, isCopy: boolean): Promise<void> {
  const caller = await userOf(x, app);
  const room = roomOf(x);
  const destination = parseDestination(x, app);
  const msgnum = await messageNumberOf(app, caller, room, x.params.name!);
  if (evaluate(x, { etag: messageEtag(msgnum) }) === 'precondition_failed') {
    throw new AppError('precondition_failed', 'The message is another one.');
  }
  if (x.header('overwrite')?.trim().toUpperCase() === 'F') await refuseOccupied(app, caller, destination);
  await app.pool.withRoom(caller.identity, room, async (connection) => {
    if (!(await hasMessage(connection, msgnum))) throw new AppError('not_found', 'No such message.');
    await move(connection, msgnum, destination.room, isCopy);
  });
  await sendEmpty(x, 201, { Location: messagePath(app, destination.room, msgnum) });
}

interface Destination {
  room: string;
  /** what the client wants the message to be called there; a message keeps its number */
  name: string;
}

/**
 * `Destination: http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request for none or an unreadable one,
 * wrong_destination for another host. The scheme is not compared: a proxy may end TLS.
 */
function parseDestination(x: Exchange, app: App): Destination {
  const text = x.header('destination')?.trim();
  if (!text) throw new AppError('bad_request', 'A Destination header is needed.');
  const match = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)$/i.exec(text);
  if (!match) throw new AppError('bad_request', 'The Destination cannot be read.');
  const [, host, path] = match;
  if (host !== undefined && !isOwnHost(x, app, host)) {
    throw new AppError('wrong_destination', 'The Destination is on another server.');
  }
  const prefix = `${app.prefix}r/`;
  if (!path!.startsWith(prefix)) throw new AppError('bad_request', 'The Destination is no room.');
  const [room = '', ...names] = path!.slice(prefix.length).split('/').map(decodePercent);
  if (room === '' || !isFieldSafe(room) || names.length > 1) {
    throw new AppError('bad_request', 'The Destination is no room.');
  }
  return { room: realName(room), name: names[0] ?? '' };
}

function isOwnHost(x: Exchange, app: App, host: string): boolean {
  const forwarded = app.isProxyTrusted ? x.header('x-forwarded-host') : undefined;
  const own = [x.header('host'), forwarded?.split(',')[0]?.trim()];
  return own.some((name) => name?.toLowerCase() === host.toLowerCase());
}

/** Overwrite: F and the destination names a message that is there already. */
async function refuseOccupied(app: App, caller: Caller, destination: Destination): Promise<void> {
  const msgnum = parseMessageNumber(destination.name);
  if (msgnum === undefined) return;
  const target = { name: destination.room, password: '' };
  const isThere = await app.pool.visitRoom(caller.identity, target, (connection) => hasMessage(connection, msgnum));
  if (isThere) throw new AppError('precondition_failed', 'The Destination exists already.');
}

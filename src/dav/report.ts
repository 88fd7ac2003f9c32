// REPORT (RFC 3253 section 3.6) on the room list, a room, a message: there is none yet, and each is refused as one that
// is not supported, so that a client falls back to PROPFIND.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { openNamed } from '../gateway/message/head.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Sent } from '../http/answer-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendCondition } from './multistatus.ts';
import { readXmlBody } from './propfind-body.ts';
import { element } from './xml-write.ts';

/** REPORT r/ */
export async function reportRoomList(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  return refuseReport(exchange);
}

/** REPORT r/:room/; throws not_found. */
export async function reportRoom(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await app.pool.readInRoom(caller.identity, room, []);
  return refuseReport(exchange);
}

/** REPORT r/:room/:name; throws not_found. */
export async function reportMessage(exchange: Exchange, app: App): Promise<void> {
  await openNamed(await userInRoom(exchange, app), exchange.params.name!);
  return refuseReport(exchange);
}

/** Throws bad_request for what is no XML: a report is named by the root of the body. */
async function refuseReport(exchange: Exchange): Promise<Sent> {
  if (!(await readXmlBody(exchange))) throw new AppError('bad_request', 'A report is named by the body.');
  return sendCondition(exchange, 403, element('D:supported-report'));
}

// PROPPATCH (RFC 4918 section 9.2): every change is refused, each by name. A message cannot be changed, and the room
// server keeps no properties of a client's own.

import type { App } from '../gateway/app.ts';
import { openNamed } from '../gateway/message/head.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { propertiesResponse, sendMultistatus } from './multistatus.ts';
import { isLive } from './properties/registry.ts';
import { parseProppatch, readXmlBody } from './propfind-body.ts';
import type { PropertyName } from './resource.ts';
import { element, emptyElement, type Markup } from './xml-write.ts';

/** PROPPATCH r/:room/. Throws not_found, bad_request. */
export async function proppatchRoom(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  const names = parseProppatch(await readXmlBody(exchange));
  await app.pool.readInRoom(caller.identity, room, []);
  return sendMultistatus(exchange, refusals(roomPath(app, exchange.params.room!), names));
}

/** PROPPATCH r/:room/:name. Throws not_found, bad_request. */
export async function proppatchMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const names = parseProppatch(await readXmlBody(exchange));
  const name = exchange.params.name!;
  await openNamed(context, name);
  return sendMultistatus(exchange, refusals(messagePath(app, exchange.params.room!, name), names));
}

async function* refusals(href: string, names: readonly PropertyName[]): AsyncGenerator<[Markup]> {
  const elements = (kept: readonly PropertyName[]) => kept.map(({ namespace, name }) => emptyElement(namespace, name));
  const response = propertiesResponse(href, [
    {
      status: 403,
      properties: elements(names.filter(isLive)),
      error: element('D:cannot-modify-protected-property'),
    },
    { status: 403, properties: elements(names.filter((name) => !isLive(name))) },
  ]);
  yield [response];
}

// The history of a wiki page: its versions, and each as it was. The page is named by its name, even after it was
// deleted, or by the number of its message.

import { AppError, unlessGone } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { openNamed } from '../gateway/message/open-message.ts';
import { FOREIGN_CONTENT, foreignType } from '../gateway/message/representation.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendRepresentation } from '../http/representation.ts';
import { asJson, JSON_TYPE, send } from '../http/respond.ts';
import { decoderFor, transform } from '../mime/coding/transfer.ts';
import { headerValue } from '../mime/headers.ts';
import { asLines, bodyOfRfc822 } from '../mime/stored-text.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { parseMessageNumber } from '../protocol/member-names.ts';
import type { RenderJob } from '../render/job.ts';
import { serverOf } from '../room-server/driver.ts';
import { contentForm } from '../room-server/message-content.ts';
import { listVersions, type VersionHead, withVersion } from '../room-server/page-history.ts';
import { slice } from '../system/bytes.ts';
import { firstBytes, messageJob, wantedOf } from './rendered-message.ts';

/** GET r/:room/:name/history */
export async function getHistory(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  const { caller, room } = context;
  const { entered, versions } = await listVersions(app.pool, caller.identity, room, await pageOf(context));
  const { messages } = await serverOf(app.pool, caller.identity);
  const shown = messages.hiddenVersions(entered, versions);
  await send(exchange, 200, asJson(shown.map(({ uuid, time, author }) => ({ version: uuid, time, from: author }))));
}

/** GET r/:room/:name/history/:version: the content as it was PUT */
export async function getVersion(exchange: Exchange, app: App): Promise<void> {
  const uuid = versionOf(exchange);
  const context = await callerInRoom(exchange, app);
  const { caller, room } = context;
  return withVersion(app.pool, caller.identity, room, await pageOf(context), uuid, async (head, bytes) => {
    const { contentType, lines } = contentForm(head);
    const text = bodyOfRfc822(bytes, lines ?? { ending: 'lf', length: undefined });
    const decoder = lines ? undefined : decoderFor(headerValue(head.headers, 'content-transfer-encoding') ?? '');
    return sendRepresentation(exchange, {
      etag: `"${head.uuid}"`,
      headers: FOREIGN_CONTENT,
      contentType: foreignType(exchange, contentType),
      ...(lines?.length !== undefined && { size: lines.length }),
      ...(head.time > 0 && { lastModified: head.time }),
      open: (start, end) => slice(decoder ? transform(text, decoder) : text, start, end),
    });
  });
}

/** GET r/:room/:name/history/:version/json: the same for a page to show */
export async function getVersionJson(exchange: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(exchange);
  const uuid = versionOf(exchange);
  const context = await callerInRoom(exchange, app);
  const { caller, room } = context;
  const { identity } = caller;
  const page = await pageOf(context);
  // whether the caller may see the page is checked each time, even if the version is cached
  await listVersions(app.pool, identity, room, page);
  const jobOf = async (head: VersionHead, bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<RenderJob> => {
    const message = { ...head, seen: false };
    const source = await firstBytes(asLines(bytes), maxBytes);
    const { contentType } = contentForm(message);
    const { messages } = await serverOf(app.pool, context.caller.identity);
    const [{ author } = head] = messages.hiddenVersions(head.entered, [head]);
    const fields = { version: head.uuid, time: head.time, from: author, content_type: contentType };
    return { ...messageJob(app, source, message, wanted, undefined), fields };
  };
  const json = await app.rendered.get({
    key: ['version', exchange.asker.turnKey, room.name, page, uuid, JSON.stringify(wanted)].join('\0'),
    isSmall: false,
    fetch: (maxBytes) =>
      withVersion(app.pool, identity, room, page, uuid, (head, bytes) => jobOf(head, bytes, maxBytes)),
  });
  await send(exchange, 200, { type: JSON_TYPE, body: json! });
}

/** Throws not_found. */
function versionOf(exchange: Exchange): string {
  const version = exchange.params.version!;
  if (!isFieldSafe(version)) throw noSuchPage();
  return version;
}

/** Throws not_found. */
async function pageOf(context: RoomContext): Promise<string> {
  const name = context.exchange.params.name!;
  const opened = parseMessageNumber(name) === undefined ? undefined : await unlessGone(openNamed(context, name));
  // a deleted page still has its history
  const page = opened ? opened.head.fields.get('exti') : name;
  if (page === undefined || !isFieldSafe(page)) throw noSuchPage();
  return page;
}

function noSuchPage(): AppError {
  return new AppError('not_found', 'There is no page of this name.');
}

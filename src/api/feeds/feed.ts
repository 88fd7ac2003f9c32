// GET r/:room/feed: the newest messages of a room for feed readers (RFC 4287). Its address may hold a password of its
// own, for this one room (gateway/caller.ts): few readers send any other.

import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type OpenedMessage, openNamed } from '../../gateway/message/head.ts';
import { FOREIGN_CONTENT } from '../../gateway/message/representation.ts';
import { unlessGone } from '../../gateway/message/unless-gone.ts';
import { messagePath, numberPath } from '../../gateway/paths.ts';
import { callerInRoom } from '../../gateway/request-room.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import { sendRepresentation } from '../../http/representation.ts';
import { FEED_ENTRIES, MAX_FEED_TEXT_BYTES, REQUEST_TURN_MS } from '../../limits/http.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { hasNames } from '../../model.ts';
import { numberSegment } from '../../protocol/member-names.ts';
import type { ListedRow, RoomRows } from '../../room-server/server.ts';
import { requestTurns } from '../../system/turn-queue.ts';
import { readPage } from '../mailbox.ts';
import { textOfMessage } from '../message-reading.ts';
import { ATOM_END, ATOM_TYPE, atomEntry, atomStart } from './atom.ts';

const NEWEST = { above: 0, below: 0, limit: FEED_ENTRIES, isFromEnd: true, isUnreadOnly: false, isDetailed: true };
const WANTED = { isPlain: false, isRemoteLoaded: false };

/** GET r/:room/feed → the newest FEED_ENTRIES messages, the latest first; 304 where nothing has changed */
export async function getFeed(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  const page = await readPage(context, NEWEST);
  const base = baseOf(exchange);
  // what a message says never changes: the same rows are the same feed, to whom they look alike
  const shown = page.rows.map(({ seen: _, ...row }) => row);
  await sendRepresentation(exchange, {
    contentType: ATOM_TYPE,
    etag: `W/"${hash('sha256', JSON.stringify([base, page.entered.name, shown]), 'base64url').slice(0, 27)}"`,
    lastModified: page.entered.mtime || undefined,
    headers: FOREIGN_CONTENT,
    size: undefined,
    open: () => document(context, page, base),
  });
}

/** One entry after the other, as fast as the reader takes them. */
async function* document(context: RoomContext, { entered, rows }: RoomRows, base: string): AsyncGenerator<Buffer> {
  const { app } = context;
  const { name } = entered;
  const page = `${base}${app.prefix}a/landing.html#/r/${encodeURIComponent(name)}`;
  const start = {
    id: idOf(`room ${name}`),
    title: name,
    updated: rows.reduce((latest, { time }) => Math.max(latest, time), 0),
    // the plain form may be a file, or a page
    self: `${base}${messagePath(app, name, hasNames(entered) ? '|feed' : 'feed')}`,
    alternate: page,
  };
  yield Buffer.from(atomStart(start));
  const turn = requestTurns.begin(REQUEST_TURN_MS);
  for (const row of rows.toReversed()) {
    if (turn.isOver) await turn.next();
    const message = await unlessGone(openNamed(context, numberSegment(row.msgnum)));
    if (!message) continue;
    const { fields } = message.head;
    const html = await htmlOf(message);
    const entry = {
      // of a page that was written anew the same as before
      id: idOf(fields.get('exti') || fields.get('msgn') || `${name} ${row.msgnum}`),
      title: titleOf(row),
      author: decodeWords(row.from) || 'anonymous',
      updated: row.time,
      alternate: `${page}/${row.msgnum}`,
      content: html === undefined ? undefined : { html, base: `${base}${numberPath(app, entered, row.msgnum)}` },
    };
    yield Buffer.from(atomEntry(entry));
  }
  yield Buffer.from(ATOM_END);
}

/** undefined for what is too long, or cannot be made ready for reading. */
async function htmlOf(message: OpenedMessage): Promise<string | undefined> {
  try {
    return await textOfMessage(message, WANTED, MAX_FEED_TEXT_BYTES);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_rendered' || error.code === 'not_found')) return undefined;
    throw error;
  }
}

function titleOf({ subject, details, msgnum }: ListedRow): string {
  return decodeWords(subject).trim() || details?.firstWords.trim() || String(msgnum);
}

/** `http://host:port`, as the client has asked for it; what it says is shown to itself alone. */
function baseOf(exchange: Exchange): string {
  const host = exchange.authority ?? 'localhost';
  return `${exchange.secure ? 'https' : 'http'}://${host}`;
}

/** A URN that says nothing but that it is the same (RFC 9562 section 5.8). */
function idOf(text: string): string {
  const digits = [...hash('sha256', text, 'hex').slice(0, 32)];
  digits[12] = '8';
  digits[16] = '8';
  return `urn:uuid:${digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

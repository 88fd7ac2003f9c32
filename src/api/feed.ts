// GET r/:room/feed: the newest messages of a room as Atom (RFC 4287). The address may hold a password for this one room
// (gateway/caller.ts), since few feed readers can log in. All text is escaped by xmlText.

import { hash } from 'node:crypto';
import { AppError, unlessGone } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type OpenedMessage, openNamed } from '../gateway/message/open-message.ts';
import { FOREIGN_CONTENT } from '../gateway/message/representation.ts';
import { messagePath, numberPath } from '../gateway/paths.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { escapeHtml } from '../html/escape.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendRepresentation } from '../http/representation.ts';
import { FEED_ENTRIES, MAX_FEED_TEXT_BYTES, REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { hasNames } from '../model.ts';
import { numberSegment } from '../protocol/member-names.ts';
import type { ListedRow, RoomRows } from '../room-server/server.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { readPage } from './mailbox.ts';
import { textOfMessage } from './rendered-message.ts';

const NEWEST = { above: 0, below: 0, limit: FEED_ENTRIES, isFromEnd: true, isUnreadOnly: false, isDetailed: true };
const WANTED = { isPlain: false, isRemoteLoaded: false };

/** GET r/:room/feed → the newest FEED_ENTRIES messages, the latest first; 304 where nothing has changed */
export async function getFeed(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  const page = await readPage(context, NEWEST);
  const base = baseOf(exchange);
  // messages never change, so the same rows make the same feed
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

/** One entry after another, as fast as the client reads. */
async function* document(context: RoomContext, { entered, rows }: RoomRows, base: string): AsyncGenerator<Buffer> {
  const { app } = context;
  const { name } = entered;
  const page = `${base}${app.prefix}a/landing.html#/r/${encodeURIComponent(name)}`;
  const start = {
    id: idOf(`room ${name}`),
    title: name,
    updated: rows.reduce((latest, { time }) => Math.max(latest, time), 0),
    // the form without a bar may be a file or a page
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
      // an edited page keeps its id
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

/** Undefined if it is too long or cannot be rendered. */
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

/** `http://host:port` of the request; a false one is shown to that client only. */
function baseOf(exchange: Exchange): string {
  const host = exchange.authority ?? 'localhost';
  return `${exchange.secure ? 'https' : 'http'}://${host}`;
}

/** A URN made of a hash (RFC 9562 section 5.8). */
function idOf(text: string): string {
  const digits = [...hash('sha256', text, 'hex').slice(0, 32)];
  digits[12] = '8';
  digits[16] = '8';
  return `urn:uuid:${digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** Metadata of a feed. Addresses are absolute. */
interface AtomFeed {
  /** an IRI that never changes */
  id: string;
  title: string;
  /** Unix seconds */
  updated: number;
  /** of the feed itself, without any secret */
  self: string;
  /** of the page that shows the same */
  alternate: string;
}

interface AtomEntry {
  id: string;
  title: string;
  author: string;
  updated: number;
  alternate: string;
  /** safe HTML with its base address; undefined: the entry only links to its page */
  content: { html: string; base: string } | undefined;
}

const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** The beginning of the document; entries and ATOM_END follow. */
export function atomStart({ id, title, updated, self, alternate }: AtomFeed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xmlText(id)}</id>
<title>${xmlText(title)}</title>
<updated>${atomTime(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>
<link rel="alternate" type="text/html" href="${xmlText(alternate)}"/>
<generator>Vestibule</generator>
`;
}

export const ATOM_END = '</feed>\n';

export function atomEntry({ id, title, author, updated, alternate, content }: AtomEntry): string {
  const body = content
    ? `<content type="html" xml:base="${xmlText(content.base)}">${xmlText(content.html)}</content>\n`
    : '';
  return `<entry>
<id>${xmlText(id)}</id>
<title>${xmlText(title)}</title>
<author><name>${xmlText(author)}</name></author>
<updated>${atomTime(updated)}</updated>
<link rel="alternate" type="text/html" href="${xmlText(alternate)}"/>
${body}</entry>
`;
}

/** For element content and attribute values. XML 1.0 has no lone surrogates, U+FFFE and U+FFFF. */
function xmlText(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\ufffe\uffff]/g, '\ufffd'));
}

/** RFC 3339; an impossible time becomes 1970. */
function atomTime(seconds: number): string {
  const isTime = seconds >= 0 && seconds < LAST_SECOND;
  return new Date(isTime ? seconds * 1000 : 0).toISOString().replace('.000Z', 'Z');
}

/** end of the year 9999 */
const LAST_SECOND = 253_402_300_800;

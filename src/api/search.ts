// Finding messages and people: a/search, a/complete.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { withHiddenAuthors } from '../gateway/message/anonymity.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { suggestRecipients } from '../room-server/recipients.ts';
import { type Found, searchRooms } from '../room-server/search.ts';
import { requestTurns } from '../system/turn-queue.ts';

/** GET a/search?q=words: messages of all rooms that the caller knows, latest first */
export async function search(exchange: Exchange, app: App): Promise<void> {
  const words = questionOf(exchange);
  const caller = await userOf(exchange, app);
  const { found, from } = await searchRooms(app.pool, caller.identity, words);
  const shown = await shownHits({ exchange, app, caller }, found);
  await sendJson(
    exchange,
    200,
    await requestTurns.map(shown, REQUEST_TURN_MS, (row) => foundEntry(app, row)),
    searchedField(from),
  );
}

/** With the names of authors as the caller may see them, the latest first. */
export async function shownHits<R extends Found>(
  context: Omit<RoomContext, 'room'>,
  found: readonly R[],
): Promise<readonly R[]> {
  const shown = await Promise.all(
    [...Map.groupBy(found, ({ room }) => room).entries()].map(([name, rows]) =>
      withHiddenAuthors({ ...context, room: { name, password: '' } }, rows),
    ),
  );
  return shown.flat().sort((a, b) => b.msgnum - a.msgnum);
}

/**
 * The header field that says how far a search has gone: `all`, or `from=N`, all from message number N on, and of those
 * below it what the index of the room server has.
 */
export function searchedField(from: number | undefined): { Searched: string } {
  return { Searched: from === undefined ? 'all' : `from=${from}` };
}

/** A hit as a/search lists it. */
export function foundEntry(app: App, row: Found) {
  const { room, msgnum, from, address, subject } = row;
  const time = app.originalTimes.of(row);
  return { room, msgnum, time, author: decodeWords(from), addr: address, subject: decodeWords(subject) };
}

/** GET a/complete?q=text: suggestions for a recipient that is being typed */
export async function complete(exchange: Exchange, app: App): Promise<void> {
  const text = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const people = await suggestRecipients(app.pool, identity, text);
  await sendJson(
    exchange,
    200,
    people.map(({ name, address, recipient }) => ({ name, addr: address, recipient })),
  );
}

/** What is looked for; a bar parts words like any other sign. Throws bad_request. */
export function questionOf(exchange: Exchange): string {
  const text = (exchange.query.get('q') ?? '').replaceAll('|', ' ').trim();
  if (text === '') throw new AppError('bad_request', 'q takes what to look for.');
  return text;
}

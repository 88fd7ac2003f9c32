// Finding messages and people: a/search, a/complete.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { serverOf } from '../room-server/driver.ts';
import type { Found } from '../room-server/server.ts';
import { requestTurns } from '../system/turn-queue.ts';

/** GET a/search?q=words: messages of all rooms that the caller knows, latest first */
export async function search(exchange: Exchange, app: App): Promise<void> {
  const words = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const server = await serverOf(app.pool, identity);
  const { found, from } = await server.search.everywhere(app.pool, identity, words);
  await send(
    exchange,
    200,
    asJson(await requestTurns.map(found, REQUEST_TURN_MS, (row) => foundEntry(app, row))),
    searchedField(from),
  );
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
  const { accounts } = await serverOf(app.pool, identity);
  const people = await accounts.suggest(app.pool, identity, text);
  await send(exchange, 200, asJson(people.map(({ name, address, recipient }) => ({ name, addr: address, recipient }))));
}

/** What is looked for; a bar parts words like any other sign. Throws bad_request. */
export function questionOf(exchange: Exchange): string {
  const text = (exchange.query.get('q') ?? '').replaceAll('|', ' ').trim();
  if (text === '') throw new AppError('bad_request', 'q takes what to look for.');
  return text;
}

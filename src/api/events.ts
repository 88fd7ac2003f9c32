// GET a/events: what changes for the caller, as Server-Sent Events (HTML section 9.2). The stream is pulled: a slow
// reader gets what has changed when it takes more, and one that takes nothing is dropped by http/respond.ts after
// STALL_TIMEOUT_MS.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type Caller, requireAccount, userOf } from '../gateway/caller.ts';
import { roomOf } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendStream } from '../http/respond.ts';
import { EVENTS_KEEP_ALIVE_MS, EVENTS_RECONNECT_MS, EVENTS_SPREAD_MS } from '../limits/http.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';
import type { Change, Follower, Position } from '../room-server/watch/follower.ts';

/** X-Accel-Buffering: nginx would wait for more */
const HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/**
 * `?room=` adds the new messages of a room, `?after=` those above this number. `Last-Event-ID`, or `?last_event_id=`
 * for clients that cannot send headers, goes on where an earlier stream has ended; an unknown one counts as none. So
 * does `?account=` what X-Account does.
 */
export async function getEvents(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const account = exchange.query.get('account');
  if (account !== undefined) await requireAccount(app, caller, account);
  const name = exchange.query.get('room') || undefined;
  const follower = await app.watches.follow(caller.identity, {
    room: name === undefined ? undefined : await roomOf(exchange, app, caller, name),
    after: numberOf(exchange.query.get('after')),
    from: parsePosition(exchange.header('last-event-id') || exchange.query.get('last_event_id') || ''),
  });
  try {
    const wasReplaced = isReplaced(app, caller);
    const body = eventPieces(follower, () => isReplaced(app, caller) !== wasReplaced || hasSessionEnded(app, caller));
    await sendStream(exchange, { contentType: 'text/event-stream', headers: HEADERS, body });
  } finally {
    follower.close();
  }
}

/** The browser has another cookie for it. */
function isReplaced({ replacedSessions }: App, { session }: Caller): boolean {
  return session !== undefined && replacedSessions.get(session.id) === true;
}

/** Logged out, or expired; Basic credentials are looked at by the room server. */
function hasSessionEnded({ fleet }: App, { session }: Caller): boolean | Promise<boolean> {
  if (!session) return false;
  return session.expires <= Date.now() / 1000 || fleet.revocations.isRevoked(session.id);
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('bad_request', 'after takes the number of a message.');
  return Number(text);
}

/** Pieces of the stream, pulled one at a time. return() ends a pull that waits: a generator could not. */
export function eventPieces(
  follower: Follower,
  isOver: () => boolean | Promise<boolean>,
  keepAliveMs = EVENTS_KEEP_ALIVE_MS,
): AsyncIterableIterator<Buffer> {
  // an id before the first event: a client that loses the connection before that can go on, too
  const greeting = `retry: ${EVENTS_RECONNECT_MS}\nid: ${positionId(follower.position)}\n\n`;
  let isGreeted = false;
  let isTold = false;
  let isLeft = false;
  /** not sent yet; made text when it is taken, so that a slow reader costs little */
  let waiting: Change[] = [];

  async function piece(): Promise<string | undefined> {
    if (!isGreeted) {
      isGreeted = true;
      return greeting;
    }
    const due = performance.now() + keepAliveMs;
    while (waiting.length === 0) {
      const isWoken = await follower.wait(Math.max(0, due - performance.now()));
      if (follower.isEnded) return farewell();
      if (await isOver()) return undefined;
      waiting = await follower.changes();
      if (waiting.length === 0 && !isWoken) return ': still here\n\n';
    }
    let text = '';
    let count = 0;
    while (count < waiting.length && text.length < STREAM_CHUNK_BYTES) text += eventText(waiting[count++]!);
    waiting = waiting.slice(count);
    return text;
  }

  /** The server ends the stream, and may be away for a moment: when the client shall connect again. */
  async function farewell(): Promise<string | undefined> {
    if (isTold || isLeft || (await isOver())) return undefined;
    isTold = true;
    return `retry: ${Math.round(EVENTS_RECONNECT_MS + Math.random() * EVENTS_SPREAD_MS)}\n\n`;
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const text = await (follower.isEnded ? farewell() : piece());
      return text === undefined ? { done: true, value: undefined } : { done: false, value: Buffer.from(text) };
    },
    async return() {
      isLeft = true;
      follower.close();
      return { done: true, value: undefined };
    },
  };
}

function eventText(change: Change): string {
  const { name, data } = nameAndData(change);
  return `id: ${positionId(change.position)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function nameAndData(change: Change): { name: string; data: unknown } {
  if (change.kind === 'mail') return { name: 'biff', data: { new: change.count } };
  if (change.kind === 'instant') return { name: 'im', data: { waiting: true } };
  if (change.kind === 'messages') return { name: 'message', data: { room: change.room, msgs: change.numbers } };
  const { name, mtime, isGone } = change;
  return { name: 'room', data: isGone ? { name, mtime, is_gone: true } : { name, mtime } };
}

/** `'47-1795221150-46-Town%20Square'` */
export function positionId({ inbox, mtime, highest, room }: Position): string {
  return `${inbox}-${mtime}-${highest}-${encodeURIComponent(room)}`;
}

function parsePosition(id: string): Position | undefined {
  const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-([^/]*)$/.exec(id);
  if (!match) return undefined;
  try {
    const [, inbox, mtime, highest, room] = match;
    return { inbox: Number(inbox), mtime: Number(mtime), highest: Number(highest), room: decodeURIComponent(room!) };
  } catch {
    return undefined; // what cannot be decoded is none of ours
  }
}

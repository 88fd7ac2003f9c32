// Request bodies (RFC 9112 section 6): pulled in chunks, always bounded. A slow client cannot hold a connection: it has
// a budget of waiting time, which pauses consume and received bytes replenish. Only time in which we wanted to read and
// nothing had arrived counts, so our own slow disk or room server does not.

import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import {
  ANONYMOUS_BODY_WAIT_MS,
  BODY_WAIT_MS,
  LINGER_TIMEOUT_MS,
  MAX_DISCARD_BYTES,
  MAX_SMALL_BODY_BYTES,
  MIN_BODY_BYTES_PER_SECOND,
} from '../limits/http.ts';
import { BODY_TURN_MS, BULK_TURN_BYTES } from '../limits/protocol.ts';
import { requestTurns } from '../system/turn-queue.ts';
import type { Exchange } from './exchange.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The header fields announce a body, be it read already or not. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * The body in the pieces in which it comes; the client is asked for more only when the consumer pulls, and what is long
 * rests while others ask. Throws, at a pull: unsupported_media_type (a Content-Encoding), too_large, request_timeout
 * (it comes too slowly), bad_request (the client broke off).
 */
export async function* bodyStream(
  exchange: Exchange,
  maxBytes: number,
  wait = new BodyWait(waitingTimeFor(exchange)),
): AsyncGenerator<Buffer, void, void> {
  const { request } = exchange;
  if (!hasBody(request)) return;
  const coding = exchange.header('content-encoding');
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'Request bodies with a Content-Encoding are not accepted');
  }
  // in characters first: '99999999999999999999' is no safe integer, but too large all the same
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (exchange.awaitsContinue) {
    exchange.awaitsContinue = false;
    exchange.response.writeContinue();
  }
  /** since others had their turn */
  let turnBytes = 0;
  let wake: (() => void) | undefined;
  const onEvent = () => wake?.();
  let state: 'new' | 'expecting' | 'listening' = 'new';
  try {
    for (;;) {
      const piece = request.read() as Buffer | null;
      if (piece !== null) {
        exchange.receivedBytes += piece.length;
        if (exchange.receivedBytes > maxBytes) throw tooLarge(maxBytes);
        wait.received(piece.length);
        if (turnBytes >= BULK_TURN_BYTES) {
          turnBytes = 0;
          await requestTurns.nextOfBulk(BODY_TURN_MS);
        }
        turnBytes += piece.length;
        yield piece;
      } else if (request.readableEnded || (request.complete && request.readableLength === 0)) {
        return;
      } else if (request.destroyed) {
        throw new AppError('bad_request', 'The request body ended early');
      } else if (state === 'new') {
        // node hands over what has come with the head as soon as it gets back from telling us of the request
        state = 'expecting';
        await undefined;
      } else {
        if (state === 'expecting') for (const event of BODY_EVENTS) request.on(event, onEvent);
        state = 'listening';
        if (await wait.until((resume) => (wake = resume))) continue;
        exchange.response.shouldKeepAlive = false;
        throw new AppError('request_timeout', 'The request body comes too slowly');
      }
    }
  } finally {
    if (state === 'listening') for (const event of BODY_EVENTS) request.off(event, onEvent);
  }
}

const BODY_EVENTS = ['readable', 'end', 'close', 'error'] as const;

/** The whole body in memory. Throws as bodyStream. */
export async function readBody(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bodyStream(exchange, maxBytes)) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Throws as bodyStream, and bad_request for what is not UTF-8 or not JSON. */
export async function readJson(exchange: Exchange, maxBytes = MAX_SMALL_BODY_BYTES): Promise<unknown> {
  const bytes = await readBody(exchange, maxBytes);
  try {
    return JSON.parse(utf8Of(bytes));
  } catch (cause) {
    throw new AppError('bad_request', 'The request body is not JSON', { cause });
  }
}

/** Throws bad_request for what is not UTF-8. */
export function utf8Of(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('bad_request', 'The text is not UTF-8.', { cause });
  }
}

/** What was not read is small and of known length: the connection can be kept after discarding it. */
export function isCheapToDiscard(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_DISCARD_BYTES;
}

/**
 * Takes what the client still sends of a body that is not read, up to MAX_DISCARD_BYTES, then lets it wait: closing at
 * once would reset the connection and could destroy the answer before the client has read it. Resolves when the body is
 * at its end, when the client has gone, or after LINGER_TIMEOUT_MS.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const onData = (piece: Buffer) => {
      count += piece.length;
      if (count > MAX_DISCARD_BYTES) request.pause();
    };
    const done = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done);
      resolve();
    };
    const timer = setTimeout(done, LINGER_TIMEOUT_MS);
    if (request.readableEnded || request.destroyed) return done();
    request
      .on('data', onData)
      .on('end', done)
      .on('close', done)
      .on('error', () => {});
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The request body is larger than ${maxBytes} bytes`);
}

interface WaitingTime {
  /** time that may be waited at a stretch, or in all where nothing gives it back */
  maxMs: number;
  /** time that each byte gives back */
  msPerByte: number;
}

/** As long as the credentials have not been checked a client has less: all that it may send is a log-in. */
export function waitingTimeFor({ isLoggedIn }: Exchange): WaitingTime {
  return isLoggedIn
    ? { maxMs: BODY_WAIT_MS, msPerByte: 1000 / MIN_BODY_BYTES_PER_SECOND }
    : { maxMs: ANONYMOUS_BODY_WAIT_MS, msPerByte: 0 };
}

export class BodyWait {
  readonly #waiting: WaitingTime;
  #leftMs: number;

  constructor(waiting: WaitingTime) {
    this.#waiting = waiting;
    this.#leftMs = waiting.maxMs;
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  waited(ms: number): void {
    this.#leftMs -= ms;
  }

  received(bytes: number): void {
    this.#leftMs = Math.min(this.#waiting.maxMs, this.#leftMs + bytes * this.#waiting.msPerByte);
  }

  /** Waits until the function that `arm` gets is called; false: the time was used up before. */
  until(arm: (resume: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const started = performance.now();
      let isOver = false;
      const end = (isAwake: boolean) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.waited(performance.now() - started);
        resolve(isAwake);
      };
      // after a busy time node runs timers first, and only then reads what has come meanwhile
      const timer = setTimeout(() => setImmediate(end, false), Math.max(0, this.#leftMs));
      arm(() => end(true));
    });
  }
}

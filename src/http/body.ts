// Request bodies (RFC 9112 section 6), pulled in chunks with a limit. A client has a budget of waiting time: pauses
// consume it, received bytes replenish it. Only time in which we waited for the client counts.

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

/** Whether the header announces a body, read or not. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * The body in the pieces received. Reads on only when the consumer pulls; long bodies yield to other requests. Throws
 * unsupported_media_type (Content-Encoding), too_large, request_timeout (too slow), bad_request (aborted).
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
    throw new AppError('unsupported_media_type', 'Request bodies with a Content-Encoding are not accepted.');
  }
  // '99999999999999999999' is not a safe integer, but still too large
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (exchange.awaitsContinue) {
    exchange.awaitsContinue = false;
    exchange.response.writeContinue();
  }
  /** bytes since the last yield to other requests */
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
        throw new AppError('bad_request', 'The request body is incomplete.');
      } else if (state === 'new') {
        // node delivers a body that arrived with the head right after this handler returns
        state = 'expecting';
        await undefined;
      } else {
        if (state === 'expecting') for (const event of BODY_EVENTS) request.on(event, onEvent);
        state = 'listening';
        if (await wait.until((resume) => (wake = resume))) continue;
        exchange.response.shouldKeepAlive = false;
        throw new AppError('request_timeout', 'The request body arrives too slowly.');
      }
    }
  } finally {
    if (state === 'listening') for (const event of BODY_EVENTS) request.off(event, onEvent);
  }
}

const BODY_EVENTS = ['readable', 'end', 'close', 'error'] as const;

/** The whole body. Throws like bodyStream. */
export async function readBody(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bodyStream(exchange, maxBytes)) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Throws like bodyStream, and bad_request for invalid UTF-8 or JSON. */
export async function readJson(exchange: Exchange, maxBytes = MAX_SMALL_BODY_BYTES): Promise<unknown> {
  const bytes = await readBody(exchange, maxBytes);
  try {
    return JSON.parse(utf8Of(bytes));
  } catch (cause) {
    throw new AppError('bad_request', 'The request body is not valid JSON.', { cause });
  }
}

/** Throws bad_request for invalid UTF-8. */
export function utf8Of(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('bad_request', 'The text is not UTF-8.', { cause });
  }
}

/** The unread body is small and of known length, so the connection can be reused after discarding it. */
export function isCheapToDiscard(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_DISCARD_BYTES;
}

/**
 * Discards up to MAX_DISCARD_BYTES of an unread body, then stops reading: closing at once would reset the connection
 * and could destroy the response before the client reads it. Resolves at the end of the body, when the client
 * disconnects, or after LINGER_TIMEOUT_MS.
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
  return new AppError('too_large', `The request body is larger than ${maxBytes} bytes.`);
}

interface WaitingTime {
  /** budget, and its maximum */
  maxMs: number;
  /** time that each byte adds to the budget */
  msPerByte: number;
}

/** Less before the credentials are verified, when only a log-in can be sent. */
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

  /** Waits until the callback passed to `arm` is called. False: the budget ran out. */
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
      // after a busy period node runs timers before it reads what has arrived
      const timer = setTimeout(() => setImmediate(end, false), Math.max(0, this.#leftMs));
      arm(() => end(true));
    });
  }
}

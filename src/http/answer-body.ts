// Writes a response body at the client's pace and ends the response once the request body is out of the way
// (RFC 9112 section 9.3). A client that stalls is dropped.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_RESPONSES_TOGETHER, OUTGOING_PIECE_BYTES, STALL_TIMEOUT_MS } from '../limits/http.ts';
import { BULK_TURN_BYTES } from '../limits/protocol.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { isBodyPending } from './answer-head.ts';
import { discardBody } from './body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Writes them piece by piece; stops when the client has gone. What is longer than a piece waits for a turn before each,
 * and rests while others ask: it is at hand, and clients that take it fast, or many that begin, would have the whole
 * thread.
 */
export async function writePieces(exchange: Exchange, pieces: readonly Uint8Array[]): Promise<void> {
  const isLong = pieces.reduce((sum, { length }) => sum + length, 0) > OUTGOING_PIECE_BYTES;
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += OUTGOING_PIECE_BYTES) {
      if (isLong) await turnOfLong();
      if (exchange.gone.aborted) return;
      const isTaken = writePiece(exchange, bytes.subarray(at, at + OUTGOING_PIECE_BYTES), isLong);
      if (!isTaken) await drained(exchange);
    }
  }
}

/** for which long answers have been written since one of them had its turn */
let unrestedMs = 0;
/** performance.now(): when the stretch began that writes of them now */
let writingSince: number | undefined;

async function turnOfLong(): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve)); // what was written is noted by then
  const worked = unrestedMs;
  unrestedMs = 0;
  await requestTurns.nextOfBulk(worked);
}

/** Answers whether the client takes more. */
function writePiece(exchange: Exchange, piece: Uint8Array, isLong: boolean): boolean {
  exchange.sentBytes += piece.length;
  const began = performance.now();
  const isTaken = exchange.response.write(piece);
  if (isLong && writingSince === undefined) {
    writingSince = began;
    // node gathers what is written at a stretch, and hands it to the system behind that
    process.nextTick(noteWriting);
  }
  return isTaken;
}

function noteWriting(): void {
  unrestedMs += performance.now() - writingSince!;
  writingSince = undefined;
}

/**
 * What a body writes, no faster than the client takes it. What is long waits for a turn now and then, and rests while
 * others ask: a system may take megabytes at once, and is busy with them for as long as with many requests.
 */
export class WritingPace {
  readonly #exchange: Exchange;
  /** since others had their turn */
  #written = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** A promise where the next piece has to wait. */
  write(piece: Uint8Array): Promise<void> | undefined {
    this.#written += piece.length;
    const exchange = this.#exchange;
    const isTaken = writePiece(exchange, piece, exchange.sentBytes >= BULK_TURN_BYTES);
    if (this.#written < BULK_TURN_BYTES) return isTaken ? undefined : drained(exchange);
    this.#written = 0;
    return isTaken ? turnOfLong() : drained(exchange).then(turnOfLong);
  }
}

/**
 * Resolves when more can be written, or the connection has ended. Node closes it when the client has taken nothing of
 * what waits for it for STALL_TIMEOUT_MS.
 */
function drained(exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const { socket } = exchange.request;
  return new Promise((resolve) => {
    const isInLine = response.socket === null;
    const { gone } = exchange;
    let isTimed = false;
    const time = () => {
      isTimed = true;
      waitsOf.set(socket, (waitsOf.get(socket) ?? 0) + 1);
      socket.setTimeout(STALL_TIMEOUT_MS);
    };
    const done = () => {
      if (isTimed) {
        const left = waitsOf.get(socket)! - 1;
        waitsOf.set(socket, left);
        if (left === 0) socket.setTimeout(0);
      }
      response.off('drain', done).off('close', done);
      if (isInLine) response.off('socket', time);
      if (isInLine) gone.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (isInLine) {
      // of an answer that waits for the one before it nothing is at the client yet
      response.once('socket', time);
      // nor does it get an event when its connection ends
      gone.addEventListener('abort', done);
    } else {
      time();
    }
    if (response.destroyed || (isInLine && gone.aborted)) done();
  });
}

/** Answers of a connection that wait for its client: the time runs as long as there are any. */
const waitsOf = new WeakMap<Socket, number>();

/** Ends the response; `body`: its last bytes, ignored for HEAD. */
export async function finish(exchange: Exchange, body?: Buffer): Promise<void> {
  const content = exchange.method === 'HEAD' ? undefined : body;
  if (content) exchange.sentBytes += content.length;
  if (isBodyPending(exchange)) return finishAfterDiscarding(exchange, content);
  exchange.isAnswered = true;
  if (due.length === 0) setImmediate(endDue);
  due.push({ response: exchange.response, content });
  if (due.length >= MAX_RESPONSES_TOGETHER) endDue();
}

/** The same bytes in memory of their own, for a cache: a slice would retain the whole buffer that it is part of. */
export function unshared(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

interface Due {
  response: ServerResponse;
  content: Buffer | undefined;
}

/**
 * Complete responses, ended in one go once all requests that arrived together have been handled. The first write wakes
 * the client (or the proxy), which costs as much as making a response; the others find it awake.
 */
const due: Due[] = [];

function endDue(): void {
  for (const { response, content } of due.splice(0)) {
    response.end(content);
    if (response.writableLength > 0) response.socket?.setTimeout(STALL_TIMEOUT_MS);
  }
}

// The client sees the whole answer first, then its unread body is discarded, and only then the connection is used again
// or closed; in the other order a client that is still sending would lose the answer to a reset.
async function finishAfterDiscarding(exchange: Exchange, content: Buffer | undefined): Promise<void> {
  const { request, response } = exchange;
  const { socket } = request;
  if (content === undefined) response.flushHeaders();
  else response.write(content);
  await discardBody(request);
  exchange.isAnswered = true;
  response.end();
  if (request.complete) return;
  if (response.writableFinished) socket.destroySoon();
  else response.once('finish', () => socket.destroySoon());
}

// The body of an answer on its way to a client that may be slow: written as fast as the client takes it, ended when the
// request's own body is out of the way (RFC 9112 section 9.3). A client that takes nothing in time is dropped.

import type { ServerResponse } from 'node:http';
import { MAX_ANSWERS_TOGETHER, OUTGOING_PIECE_BYTES, STALL_TIMEOUT_MS } from '../limits/http.ts';
import { isBodyPending } from './answer-head.ts';
import { discardBody } from './body.ts';
import type { Exchange } from './exchange.ts';

/** A promise only where the answer has to be packed or waited for: `return` it from the handler. */
export type Sent = Promise<void> | undefined;

/** Writes them piece by piece; stops when the client has gone. */
export async function writePieces(exchange: Exchange, pieces: readonly Uint8Array[]): Promise<void> {
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length && !exchange.gone.aborted; at += OUTGOING_PIECE_BYTES) {
      const piece = bytes.subarray(at, at + OUTGOING_PIECE_BYTES);
      exchange.sentBytes += piece.length;
      if (!exchange.response.write(piece)) await drainedOrGone(exchange);
    }
  }
}

// `gone`, because an answer that waits for the one before it gets no event when its connection ends
function drainedOrGone({ request, response, gone }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => request.socket.destroy(), STALL_TIMEOUT_MS);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    gone.addEventListener('abort', done);
    if (gone.aborted) done();
  });
}

/**
 * Resolves when more can be written, or the connection has ended. The time runs on the socket only while something
 * waits there: node closes the connection when it has passed without any progress.
 */
export function drained({ response }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    response.socket?.setTimeout(STALL_TIMEOUT_MS);
    const done = () => {
      response.socket?.setTimeout(0);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}

/** Ends the answer, with `body`, of `size` bytes, as its last ones; a HEAD has none. */
export function finish(exchange: Exchange, body?: string | Uint8Array, size = 0): Sent {
  const { response } = exchange;
  const content = exchange.method === 'HEAD' ? undefined : body;
  if (content !== undefined) exchange.sentBytes += size;
  if (!isBodyPending(exchange)) {
    exchange.isAnswered = true;
    endTogether(response, content);
    return undefined;
  }
  return finishAfterDiscarding(exchange, content);
}

/** Whole answers that are not handed to the system yet. */
const due: { response: ServerResponse; content: string | Uint8Array | undefined }[] = [];

/**
 * Answers to requests that came together go out together, when all of these have been looked at: a write that wakes the
 * client, or the proxy that they all came through, costs as much as making an answer, and while it is awake the others
 * cost less.
 */
function endTogether(response: ServerResponse, content: string | Uint8Array | undefined): void {
  if (due.length === 0) setImmediate(endAll);
  due.push({ response, content });
  if (due.length >= MAX_ANSWERS_TOGETHER) endAll();
}

function endAll(): void {
  for (const { response, content } of due.splice(0)) {
    response.end(content);
    if (response.writableLength > 0) response.socket?.setTimeout(STALL_TIMEOUT_MS);
  }
}

// The client sees the whole answer first, then its unread body is discarded, and only then the connection is used again
// or closed; in the other order a client that is still sending would lose the answer to a reset.
async function finishAfterDiscarding(exchange: Exchange, content: string | Uint8Array | undefined): Promise<void> {
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

// A minimal LMTP client (RFC 2033) on a unix socket: one message to one recipient at a time. Undeliverable messages are
// posted in another way, so it throws only if the outcome is unknown.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { LMTP_TIMEOUT_MS, MAX_LMTP_REPLY_BYTES } from '../../limits/backend.ts';

const LF = 10;
/** reply codes (RFC 5321 section 4.2.3); NONE: no reply */
const READY = 220;
const DONE = 250;
const START_INPUT = 354;
const NONE = 0;

export interface Lmtp {
  /** Whether it accepts messages, as far as known. */
  isOpen(): boolean;
  /**
   * `message`: LF line ends, no CR. False: not delivered. Throws backend_lost if the connection ends between the end of
   * the message and the reply.
   */
  deliver(from: string, to: string, message: AsyncIterable<Buffer>): Promise<boolean>;
  close(): void;
}

/** undefined: nobody listens. */
export async function openLmtp(path: string): Promise<Lmtp | undefined> {
  const socket = connect({ path });
  socket.on('error', () => {}); // readers and writers notice that it is closed
  socket.setTimeout(LMTP_TIMEOUT_MS, () => socket.destroy());
  const replies = new Replies(socket);
  const say = async (line: string): Promise<number> => {
    socket.write(`${line}\r\n`);
    return replies.next();
  };
  if ((await replies.next()) !== READY || (await say('LHLO localhost')) !== DONE) {
    socket.destroy();
    return undefined;
  }
  return {
    isOpen: () => !socket.destroyed,
    async deliver(from, to, message) {
      const isReady =
        (await say(`MAIL FROM:<${from}>`)) === DONE &&
        (await say(`RCPT TO:<${to}>`)) === DONE &&
        (await say('DATA')) === START_INPUT;
      if (!isReady) {
        if (!socket.destroyed && (await say('RSET')) !== DONE) socket.destroy();
        return false;
      }
      try {
        for await (const piece of asData(message)) {
          if (!socket.destroyed && !socket.write(piece)) await Promise.race([drained(socket), replies.ended]);
          if (socket.destroyed) return false;
        }
      } catch (error) {
        socket.destroy(); // an incomplete message is discarded
        throw error;
      }
      const code = await say('.');
      if (code === NONE) throw new AppError('backend_lost', 'The mail connection ended in the middle of a message.');
      return code === DONE;
    },
    close: () => socket.destroy(),
  };
}

async function drained(socket: Socket): Promise<void> {
  await once(socket, 'drain').catch(() => {});
}

/** Reads reply codes; NONE: the connection ended, or the reply is invalid. */
class Replies {
  readonly ended: Promise<unknown>;
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes) => {
      this.#text += bytes.toString('latin1');
      if (this.#text.length > MAX_LMTP_REPLY_BYTES) {
        this.#text = '';
        socket.destroy();
      }
      this.#wake();
    });
    socket.once('close', () => this.#wake());
  }

  /** The code of the next reply, which may have several lines (RFC 5321 section 4.2.1). */
  async next(): Promise<number> {
    for (;;) {
      const [reply, code] = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?!-)[^\n]*\n/.exec(this.#text) ?? [];
      if (reply !== undefined) {
        this.#text = this.#text.slice(reply.length);
        return Number(code);
      }
      if (this.#socket.destroyed) return NONE;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** CR LF line ends, a terminated last line, and dot stuffing (RFC 5321 section 4.5.2). */
async function* asData(message: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last = LF;
  for await (const piece of message) {
    if (piece.length === 0) continue;
    const text = `${last === LF ? '\n' : 'x'}${piece.toString('latin1')}`;
    const stuffed = text.replace(/\n\./g, '\n..').slice(1).replace(/\n/g, '\r\n');
    last = piece.at(-1)!;
    yield Buffer.from(stuffed, 'latin1');
  }
  if (last !== LF) yield Buffer.from('\r\n');
}

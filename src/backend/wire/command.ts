// Command lines (protocol section 2): takes them off the received bytes, and runs the verb for those who may use it.

import { MAX_COMMAND_BYTES } from '../../limits/protocol.ts';
import type { ByteQueue } from '../../protocol/lines.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { refuseAppPassword, requireWho } from '../session/access.ts';
import { decodeWireText } from '../session/collect.ts';
import { type Reply, statusLine } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { VERBS } from '../verbs/table.ts';

const NUL = 0;

/** sent by clients without their user: RWHO does not count them as activity */
const UNNOTICED_VERBS = new Set(['NOOP', 'QNOP', 'TIME', 'RWHO', 'GEXP']);

/**
 * The reply of the verb that the line names. Throws Refusal 520, 530 or 550 before it runs, and what the verb throws.
 */
export function runCommand(session: Session, bytes: Buffer): Reply | Promise<Reply> {
  const nul = bytes.indexOf(NUL);
  const line = decodeWireText(nul < 0 ? bytes : bytes.subarray(0, nul));
  const word = line.slice(0, 4).toUpperCase();
  const verb = VERBS.get(word);
  if (!verb) throw new Refusal('unsupported', 'Unrecognized or unsupported command.');
  if (!UNNOTICED_VERBS.has(word)) {
    session.lastCommand = word;
    session.lastActivity = now();
  }
  requireWho(session, verb.who);
  // An app password on an administrator's phone must not be able to delete accounts.
  if (verb.who === 'admin') refuseAppPassword(session);
  return verb.run(session, line.slice(5));
}

/** The reply for an error that a verb has thrown: a refusal, or 510 for an internal error, which is logged. */
export function refusalLine({ store, server }: Session, error: unknown): string {
  const refusal = error instanceof Refusal ? error : store.storageRefusal(error);
  if (refusal) return statusLine(refusal.code, refusal.message);
  server.onFault(error);
  return statusLine(STATUS.internal, 'Internal error.');
}

const CR = 13;

/**
 * Takes command lines off a queue that others read, too. A line is cut at MAX_COMMAND_BYTES, as a real server does, and
 * never held beyond that.
 */
export class CommandReader {
  readonly #queue: ByteQueue;
  /** the start of a line that is too long; the rest is skipped as it arrives */
  #cutLine: Buffer | undefined;

  constructor(queue: ByteQueue) {
    this.#queue = queue;
  }

  /** The next line without its end; undefined until it has arrived. */
  next(): Buffer | undefined {
    if (this.#cutLine) return this.#skipToEnd(this.#cutLine);
    const line = this.#queue.line();
    if (line) {
      const whole = line.at(-1) === CR ? line.subarray(0, -1) : line;
      return whole.subarray(0, MAX_COMMAND_BYTES);
    }
    // One more than the bound, because a CR before the LF does not count.
    if (this.#queue.length <= MAX_COMMAND_BYTES + 1) return undefined;
    return this.#skipToEnd(Buffer.from(this.#queue.take(MAX_COMMAND_BYTES)));
  }

  #skipToEnd(line: Buffer): Buffer | undefined {
    for (let piece = this.#queue.piece(); piece; piece = this.#queue.piece()) {
      if (!piece.ended) continue;
      this.#cutLine = undefined;
      return line;
    }
    this.#cutLine = line;
    return undefined;
  }
}

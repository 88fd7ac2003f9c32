// Runs one command line of a session (protocol section 2): the verb, the right to use it, and its reply.

import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { refuseAppPassword, requireWho } from '../session/access.ts';
import { decodeWireText } from '../session/collect.ts';
import { type Reply, statusLine } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { VERBS } from '../verbs/table.ts';

const NUL = 0;
/** what clients send by themselves is no activity to others */
const UNNOTICED_VERBS = new Set(['NOOP', 'QNOP', 'TIME', 'RWHO', 'GEXP']);

/**
 * The reply of the verb that the line names. Throws Refusal 520, 530 or 550 before it runs, and what the verb throws.
 */
export function runCommand(session: Session, bytes: Buffer): Reply | Promise<Reply> {
  const nul = bytes.indexOf(NUL);
  const line = decodeWireText(nul < 0 ? bytes : bytes.subarray(0, nul));
  const word = line.slice(0, 4).toUpperCase();
  const verb = VERBS.get(word);
  if (!verb) throw new Refusal(STATUS.unsupported, 'Unrecognized or unsupported command.');
  if (!UNNOTICED_VERBS.has(word)) {
    session.lastCommand = word;
    session.lastActivity = now();
  }
  requireWho(session, verb.who);
  // an administrator's phone need not be able to delete accounts
  if (verb.who === 'admin') refuseAppPassword(session);
  return verb.run(session, line.slice(5));
}

/**
 * The reply in place of the one that a verb has failed to give: a refusal, or 510 for a fault of ours, which is logged.
 */
export function refusalLine({ store, server }: Session, error: unknown): string {
  const refusal = error instanceof Refusal ? error : store.storageRefusal(error);
  if (refusal) return statusLine(refusal.code, refusal.message);
  server.onFault(error);
  return statusLine(STATUS.internal, 'Internal error.');
}

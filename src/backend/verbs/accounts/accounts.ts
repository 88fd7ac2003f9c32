// Making accounts and setting passwords: NEWU, CREU, SETP (protocol section 18.2).

import { randomBytes } from 'node:crypto';
import { MAX_PASSWORD_BYTES } from '../../../limits/backend.ts';
import { STATUS } from '../../../protocol/status.ts';
import { addressKeys, waitForTurn } from '../../session/attempts.ts';
import { ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { hashPassword } from '../../store/credentials/passwords.ts';
import { Refusal } from '../../store/refusal.ts';
import { numberSetting } from '../../store/settings.ts';
import { createUser, findUser, updateUser, userById } from '../../store/users.ts';
import { requirePassword } from './key-login.ts';
import { logIn, requireNobody } from './login.ts';

const GENERATED_PASSWORD_BYTES = 8;

/**
 * `NEWU name`: creates an account without a password and logs in → as PASS; 512, 541, 542, 560, 574. Off unless an
 * administrator allows it; then as many from one address as there may be failed log-ins.
 */
export async function newu(session: Session, args: string): Promise<Reply> {
  requireNobody(session);
  if (numberSetting(session.store, 'c_disable_newu') !== 0) {
    throw new Refusal(STATUS.notHere, 'Self-service user account creation is disabled on this system.');
  }
  const name = args.split('|')[0]!.trim();
  if (['bbs', 'new', '.'].includes(name.toLowerCase()))
    throw new Refusal(STATUS.illegalValue, `'${name}' is an invalid login name.`);
  refuseTaken(session, name);
  const keys = addressKeys(session);
  await waitForTurn(session, keys);
  try {
    return logIn(session, createUser(session.store, name, null));
  } finally {
    await session.throttle?.failed(keys);
  }
}

/** `CREU name|password` → 200; 512, 542, 574 */
export async function creu(session: Session, args: string): Promise<Reply> {
  const bar = args.indexOf('|');
  const name = (bar < 0 ? args : args.slice(0, bar)).trim();
  const password = bar < 0 ? '' : args.slice(bar + 1).trim();
  refuseTaken(session, name);
  const hash = password === '' ? null : await hashOf(session, password);
  const user = createUser(session.store, name, hash);
  return ok(`User '${user.name}' created ${hash === null ? 'with no password' : 'and password set'}.`);
}

/**
 * `SETP password`, the whole line → 200, and the user's other sessions end; 512 too long; 550 by a session key; 560
 * without a user
 */
export async function setp(session: Session, args: string): Promise<Reply> {
  const { user } = session;
  if (!user) throw new Refusal(STATUS.notHere, 'Not allowed. Log in as a user first.');
  requirePassword(session);
  let password = args.trim();
  if (password === '') return ok('Password unchanged.');
  const isGenerated = password === 'GENERATE_RANDOM_PASSWORD';
  if (isGenerated) password = randomBytes(GENERATED_PASSWORD_BYTES).toString('hex');
  const hash = await hashOf(session, password);
  // The connection may have ended, and a deleted account with it.
  if (userById(session.store, user.id) === user) {
    updateUser(session.store, user, { password: hash });
    session.server.endSessionsOf(user, session);
  }
  return isGenerated ? ok(password) : ok('Password changed.');
}

/** Throws Refusal 512 for a password that is too long to be kept. */
export function hashOf(session: Session, password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    throw new Refusal(STATUS.illegalValue, 'The password is too long.');
  return hashPassword(password, session.server.passwordCost, session);
}

// Compared before the name is cleaned, so that the refusal names what was asked for.
function refuseTaken(session: Session, name: string): void {
  if (findUser(session.store, name)) throw new Refusal(STATUS.alreadyExists, `'${name}' already exists.`);
}

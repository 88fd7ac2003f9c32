// Errors of a connection, and refusals of the room server (5xx, protocol section 3) as AppErrors. Refusals are told
// apart by number, never by text; a caller that knows what a number means for its verb passes its own code.

import { AppError, type ErrorCode, NO_DISK_SPACE, QUOTA_REACHED } from '../../errors.ts';
import { REPLY, type ReplyClass, replyClass, STATUS, type StatusLine } from '../../protocol/status.ts';

/** the meaning of status numbers for one verb */
export type KnownRefusals = Partial<Record<number, [ErrorCode, string]>>;

const CODES: Record<number, [ErrorCode, string]> = {
  [STATUS.tooBig]: ['too_large', 'This is too large for the room server.'],
  [STATUS.illegalValue]: ['bad_request', 'The room server rejected a value.'],
  [STATUS.storage]: ['insufficient_storage', 'The disk of the room server is full or not writable.'],
  [STATUS.notLoggedIn]: ['not_logged_in', 'Please log in.'],
  [STATUS.shuttingDown]: ['busy', 'The room server is shutting down.'],
  [STATUS.passwordRequired]: ['forbidden', 'This room needs a password.'],
  [STATUS.alreadyLoggedIn]: ['conflict', 'The account is in use.'],
  [STATUS.userNameRequired]: ['bad_request', 'A user name is required.'],
  [STATUS.higherAccess]: ['forbidden', 'This account may not do that.'],
  [STATUS.tooManySessions]: ['busy', 'Too many sessions on the room server.'],
  [STATUS.busy]: ['busy', 'The room server is busy. Try again.'],
  [STATUS.notOpen]: ['conflict', 'Nothing is open.'],
  [STATUS.notHere]: ['conflict', 'This room does not allow that.'],
  [STATUS.badFloor]: ['bad_request', 'No such floor.'],
  [STATUS.noSuchUser]: ['not_found', 'No such user.'],
  [STATUS.noSuchFile]: ['not_found', 'There is nothing here.'],
  [STATUS.noSuchRoom]: ['not_found', 'No such room.'],
  [STATUS.alreadyExists]: ['conflict', 'This already exists.'],
  [STATUS.noSuchMessage]: ['not_found', 'No such message.'],
};

/** The creator of a room administers it only if the server is set up so (c_creataide, quirk Q62). */
export const ROOM_ADMINS_ONLY: [ErrorCode, string] = [
  'forbidden',
  'Only a user who administers the room can do that; its creator may not be one. See is_room_aide.',
];

/** The error for `status`; `known` has the numbers that mean something else for the verb. */
export function refusal(status: StatusLine, known: KnownRefusals = {}): AppError {
  const [code, message] = known[status.code] ??
    CODES[status.code] ?? ['backend_protocol', 'The room server refused this.'];
  const condition = status.code === STATUS.storage ? NO_DISK_SPACE : QUOTA_REACHED;
  const more = code === 'busy' ? { retryAfterSeconds: 5 } : code === 'insufficient_storage' ? { condition } : {};
  return new AppError(code, message, { backendCode: status.code, cause: status.text, ...more });
}

/** The embedded room server's refusal after a body: a negative status, -1 where its disk is full. undefined: none. */
export function refusalAfterBody(number: number, text = ''): AppError | undefined {
  const code = number === -1 ? STATUS.storage : -number;
  return code < 100 ? undefined : refusal({ code, hasInstantMessages: false, text });
}

/**
 * Throws the refusal unless `answer` is of this class; `known` as in `refusal`. backend_protocol for any other class.
 */
export function expectClass<T extends StatusLine>(answer: T, wanted: ReplyClass, known?: KnownRefusals): T {
  const found = replyClass(answer.code);
  if (found === wanted) return answer;
  if (found === REPLY.refused) throw refusal(answer, known);
  throw unexpectedAnswer(answer);
}

/** The answer has none of the verb's formats. `cause` is logged, so it must not contain a password or key. */
export function unexpectedAnswer(cause?: unknown): AppError {
  return new AppError('backend_protocol', 'The room server sent an unexpected answer.', { cause });
}

const TEXTS = {
  backend_lost: 'The connection to the room server was lost.',
  backend_protocol: 'The room server violated the protocol.',
  backend_timeout: 'The room server does not answer.',
};

export type Fault = keyof typeof TEXTS;

/** `cause` itself if it says more, e.g. which bound was exceeded. */
export function faultError(fault: Fault, cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError(fault, TEXTS[fault], { cause });
}

/** The connection was lost; the effect of the last command is unknown. */
export function isLost(error: unknown): boolean {
  return error instanceof AppError && error.code === 'backend_lost';
}

export function stopping(): AppError {
  return new AppError('busy', 'The gateway is stopping.', { retryAfterSeconds: 5 });
}

export function tooMany(): AppError {
  return new AppError('busy', 'Too many requests are waiting for the room server.', { retryAfterSeconds: 2 });
}

// Why a connection to the room server cannot be used any more, or not be had, as errors.

import { AppError } from '../../errors.ts';

const TEXTS = {
  backend_lost: 'The connection to the room server was lost.',
  backend_protocol: 'The room server violated the protocol.',
  backend_timeout: 'The room server does not answer.',
};

export type Fault = keyof typeof TEXTS;

/** `cause` itself where it says more, e.g. which bound was exceeded. */
export function faultError(fault: Fault, cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError(fault, TEXTS[fault], { cause });
}

/** The connection died; nothing is known of what the room server did last. */
export function isLost(error: unknown): boolean {
  return error instanceof AppError && error.code === 'backend_lost';
}

export function stopping(): AppError {
  return new AppError('busy', 'The gateway is stopping.', { retryAfterSeconds: 5 });
}

export function tooMany(): AppError {
  return new AppError('busy', 'Too many requests wait for the room server.', { retryAfterSeconds: 2 });
}

// Why a connection to the room server cannot be used any more, as errors. For connection.ts.

import { AppError } from '../errors.ts';

const TEXTS = {
  backend_lost: 'The connection to the room server was lost.',
  backend_protocol: 'The room server sent something that cannot be understood.',
  backend_timeout: 'The room server does not answer.',
};

export type Fault = keyof typeof TEXTS;

/** `cause` itself where it says more, e.g. which bound was exceeded. */
export function faultError(fault: Fault, cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError(fault, TEXTS[fault], { cause });
}

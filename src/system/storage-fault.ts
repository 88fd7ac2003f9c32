// What the system says while something is written to disk or opened there, as a client is told it: 507 where there is
// no space (RFC 4918 section 11.5), 503 where the process or the machine has no file descriptor left for the moment.

import { AppError, NO_DISK_SPACE } from '../errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** insufficient_storage, busy, or the error itself where it is any other. */
export function storageFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EMFILE' || code === 'ENFILE') {
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    return new AppError('busy', 'Too many files are open. Try again soon.', { cause: error, retryAfterSeconds });
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new AppError('insufficient_storage', 'The disk is full.', { cause: error, condition: NO_DISK_SPACE });
}

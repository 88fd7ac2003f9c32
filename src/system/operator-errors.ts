// System and SQLite errors in words for operators.

import { AppError, NO_DISK_SPACE } from '../errors.ts';

/** by system error code */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EIO: 'the disk reported an error',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  EEXIST: 'something with this name already exists',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EXDEV: 'it is on another disk',
  EADDRINUSE: 'the address is already in use',
  EADDRNOTAVAIL: 'this machine does not have it',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EAFNOSUPPORT: 'this machine does not support this kind of address',
};
/** by primary result code of SQLite */
const DATABASE: Readonly<Record<number, string>> = {
  5: 'another program is using it',
  8: 'it is not writable',
  10: 'the disk reported an error',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it is not a database, or it is damaged',
};

/** undefined for other errors. */
export function systemWords(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return DATABASE[errcode & 0xff];
  return typeof code === 'string' && Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
}

/** An AppError `'What: words; remedy.'`; other errors are returned unchanged. */
export function forOperator(error: unknown, what: string, remedy = ''): unknown {
  const words = systemWords(error);
  if (words === undefined) return error;
  const text = `${what}: ${words}${remedy && `; ${remedy}`}.`;
  return new AppError('internal', text, { cause: error });
}

const RETRY_AFTER_SECONDS = 5;

/** insufficient_storage, busy, or the unchanged error. */
export function storageFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EMFILE' || code === 'ENFILE') {
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    return new AppError('busy', 'Too many open files. Try again soon.', { cause: error, retryAfterSeconds });
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new AppError('insufficient_storage', 'The disk is full.', { cause: error, condition: NO_DISK_SPACE });
}

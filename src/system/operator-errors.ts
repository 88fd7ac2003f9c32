// Errors of the system and of SQLite in words for the operator: Node's own texts are for programmers.

import { AppError } from '../errors.ts';

/** by the codes of the system */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EIO: 'the disk reported an error',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'this is a folder',
  ERR_FS_EISDIR: 'this is a folder',
  EEXIST: 'something else of this name is there',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'it is on another disk',
  EADDRINUSE: 'it is taken already',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EAFNOSUPPORT: 'this machine does not speak this kind of address',
};
/** by the primary result codes of SQLite */
const DATABASE: Readonly<Record<number, string>> = {
  5: 'another program holds it',
  8: 'it cannot be written',
  10: 'the disk reported an error',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'this is no database, or a damaged one',
};

/** Undefined for an error that is not of the system or the database. */
export function systemWords(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return DATABASE[errcode & 0xff];
  return typeof code === 'string' && Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
}

/** `'What: words; remedy.'` as an AppError; an error that there are no words for stays as it is. */
export function forOperator(error: unknown, what: string, remedy = ''): unknown {
  const words = systemWords(error);
  if (words === undefined) return error;
  const text = `${what}: ${words}${remedy && `; ${remedy}`}.`;
  return new AppError('internal', text, { cause: error });
}

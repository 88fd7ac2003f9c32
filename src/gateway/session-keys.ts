// The keys that session cookies are sealed with: of --secret-file, or one that is kept in the data folder.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { takeFromOthers } from '../system/folder-lock.ts';
import { forOperator } from '../system/operator-errors.ts';
import { loadOrCreateKey, parseKeys } from './seal.ts';

/** Of `file`, a line each. Throws AppError for the operator. */
export function sessionKeysOf(file: string): readonly [Buffer, ...Buffer[]] {
  try {
    const keys = parseKeys(readFileSync(file, 'utf8'));
    takeFromOthers(file);
    return keys;
  } catch (error) {
    if (!(error instanceof AppError)) throw forOperator(error, `${file} cannot be used`, 'see --secret-file');
    throw new AppError('internal', `${file} takes session keys, one a line, each 64 hex digits or base64 of 32 bytes.`);
  }
}

/** The one of the data folder, which is made where there is none. Throws AppError for the operator. */
export async function sessionKeyIn(dataFolder: string): Promise<Buffer> {
  const file = join(dataFolder, 'session-key');
  try {
    const key = await loadOrCreateKey(file);
    takeFromOthers(file); // an operator may have put it there
    return key;
  } catch (error) {
    const text = `${file} holds no session key; without that file a new one is made, and everybody logs in again.`;
    throw error instanceof AppError ? new AppError('internal', text) : forOperator(error, `${file} cannot be used`);
  }
}

// Whether what a method would make is there already. Called by mkcol.ts and room-moving.ts.

import { AppError } from '../errors.ts';

/** `look` has found it, or may not tell: what is hidden behind a password is there. */
export async function exists(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    if (error instanceof AppError && error.code === 'forbidden') return true;
    throw error;
  }
}

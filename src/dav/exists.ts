// Whether what a method would make is there already.

import { AppError } from '../errors.ts';

/** `look` finds it, or is forbidden: what a password protects exists. Throws what else `look` throws. */
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

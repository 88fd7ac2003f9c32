// A message may be deleted at any time: what asks for one that was there a moment ago is answered not_found.

import { AppError } from '../../errors.ts';

/** undefined for a message that is not there, or no longer; any other fault is one of the request. */
export async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The fault of a request for what is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}

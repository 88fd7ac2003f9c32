// How a target says that its input was refused as it should be.

import { AppError, type ErrorCode } from '../../../src/errors.ts';

/** The word for a refusal by one of these codes; anything else is thrown again. */
export function refusedAs(error: unknown, ...codes: readonly ErrorCode[]): string {
  if (error instanceof AppError && codes.includes(error.code)) return `refused: ${error.message}`;
  throw error;
}

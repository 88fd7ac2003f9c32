// The JSON object that a request brings: its fields by name, each checked by what it may hold. For the handlers that
// make and change things (RFC 7396 for PATCH, but that nothing can be removed with null).

import { AppError } from '../errors.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';

/** Takes the value of the field `name`. Throws bad_request. */
export type Check<T> = (value: unknown, name: string) => T;

// biome-ignore lint/suspicious/noExplicitAny: any check will do
type Shape = Record<string, Check<any>>;
export type Fields<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> | undefined };

/** Throws bad_request for what is no JSON object, an unknown field, a wrong value; unsupported_media_type. */
export async function readJsonFields<S extends Shape>(exchange: Exchange, shape: S): Promise<Fields<S>> {
  const type = (exchange.header('content-type') ?? 'application/json').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json' && type !== 'application/merge-patch+json') {
    throw new AppError('unsupported_media_type', 'Send a JSON object as application/json.');
  }
  const value = await readJson(exchange);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('bad_request', 'The body is not a JSON object.');
  }
  const fields: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(value)) {
    if (!Object.hasOwn(shape, name)) {
      const known = Object.keys(shape).join(', ');
      throw new AppError('bad_request', `There is no such field; known are: ${known}.`);
    }
    fields[name] = shape[name]!(content, name);
  }
  return fields as Fields<S>;
}

/** The field was sent. Throws bad_request. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new AppError('bad_request', `The field ${name} is missing.`);
  return value;
}

/** Any text that is Unicode. */
export const unicodeText: Check<string> = (value, name) => {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new AppError('bad_request', `${name} takes text.`);
};

/**
 * Text for one field of a command: one line, no `|`, not only blanks, at most `maxBytes` in UTF-8; blanks around it are
 * cut.
 */
export function line(maxBytes: number): Check<string> {
  return (value, name) => {
    const content = unicodeText(value, name).trim();
    if (content === '') throw new AppError('bad_request', `${name} is empty.`);
    if (/\p{Cc}/u.test(content) || !isFieldSafe(content)) {
      throw new AppError('bad_request', `${name} takes no control characters and no vertical bar.`);
    }
    if (Buffer.byteLength(content) > maxBytes) throw new AppError('bad_request', `${name} takes ${maxBytes} bytes.`);
    return content;
  };
}

/** The same, or nothing. */
export function lineOrNone(maxBytes: number): Check<string> {
  const check = line(maxBytes);
  return (value, name) => (value === '' ? '' : check(value, name));
}

/** A whole number from `low` to `high`, these included. */
export function wholeNumber(low: number, high: number): Check<number> {
  return (value, name) => {
    if (Number.isInteger(value) && Number(value) >= low && Number(value) <= high) return Number(value);
    throw new AppError('bad_request', `${name} takes a whole number from ${low} to ${high}.`);
  };
}

/** The number of a view: how the messages of a room are shown. */
export const viewNumber: Check<number> = wholeNumber(VIEW.board, VIEW.files);

/** true or false */
export const flag: Check<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value;
  throw new AppError('bad_request', `${name} takes true or false.`);
};

/** One of these words. */
export function oneOf<T extends string>(...values: readonly T[]): Check<T> {
  return (value, name) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw new AppError('bad_request', `${name} takes one of: ${values.join(', ')}.`);
  };
}

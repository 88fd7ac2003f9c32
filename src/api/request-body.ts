// Bodies of requests that make or change something: a JSON object whose fields are checked one by one (RFC 7396 for
// PATCH, except that null removes nothing), or plain text.

import { AppError } from '../errors.ts';
import { readBody, readJson, utf8Of } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_TEXT_BODY_BYTES, MAX_TEXT_LINE_SENT_BYTES } from '../limits/http.ts';
import { VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';

/** Checks the value of the field `name`. Throws bad_request. */
export type Check<T> = (value: unknown, name: string) => T;

// biome-ignore lint/suspicious/noExplicitAny: any check will do
type Shape = Record<string, Check<any>>;
export type Fields<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> | undefined };

/** Throws bad_request for anything but a JSON object, an unknown field or a wrong value; unsupported_media_type. */
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
      throw new AppError('bad_request', `Unknown field. Known fields: ${known}.`);
    }
    fields[name] = shape[name]!(content, name);
  }
  return fields as Fields<S>;
}

/** Throws bad_request if the field is missing. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new AppError('bad_request', `The field ${name} is missing.`);
  return value;
}

/** Well-formed Unicode text. */
export const unicodeText: Check<string> = (value, name) => {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new AppError('bad_request', `${name} takes text.`);
};

/** Text for one field of a command: one line without `|`, trimmed, not empty, at most `maxBytes` in UTF-8. */
export function line(maxBytes: number): Check<string> {
  return (value, name) => {
    const content = unicodeText(value, name).trim();
    if (content === '') throw new AppError('bad_request', `${name} is empty.`);
    if (/\p{Cc}/u.test(content) || !isFieldSafe(content)) {
      throw new AppError('bad_request', `${name} takes no control characters and no vertical bar.`);
    }
    if (Buffer.byteLength(content) > maxBytes)
      throw new AppError('bad_request', `${name} takes at most ${maxBytes} bytes.`);
    return content;
  };
}

/** The same, or an empty text. */
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

/** A text body with LF line ends. Throws bad_request if it is not UTF-8 or cannot be sent, too_large. */
export async function readText(exchange: Exchange): Promise<string> {
  const bytes = await readBody(exchange, MAX_TEXT_BODY_BYTES - 1); // the last line end adds one
  return sendableText(utf8Of(bytes), MAX_TEXT_LINE_SENT_BYTES);
}

/** Throws bad_request for NUL and for lines that a room server would cut. */
export function sendableText(text: string, maxLineBytes: number): string {
  if (text.includes('\0')) throw new AppError('bad_request', 'The text contains a NUL character.');
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  if (lines.some((line) => Buffer.byteLength(line) > maxLineBytes)) {
    throw new AppError('bad_request', `A line of the text has more than ${maxLineBytes} bytes.`);
  }
  return lines.join('\n');
}

// The head of an answer (RFC 9110 section 6.3): the only file that sets response headers.

import { hasBody, isCheapToDiscard } from './body.ts';
import type { Exchange } from './exchange.ts';

/** by name in its usual capitalisation; undefined: the field is not sent */
export type AnswerHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * What an answer says of itself that says nothing else: a browser that is led to it runs nothing of it, shows it in no
 * page of others, and gives it to no script, image or style sheet of theirs (Fetch Standard, Cross-Origin-Resource-
 * Policy). Pages of a named origin ask by CORS, which this does not touch.
 */
const CLOSED: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Of a page of our own: no page of others that opened it can reach its window. Not of what is sandboxed: browsers show
 * nothing at all where both are said.
 */
export const OWN_WINDOW: AnswerHeaders = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** What an answer says before its body, worked out: one that is sent again and again has the same. */
export interface AnswerHead {
  status: number;
  /** names and values in turn */
  fields: readonly string[];
}

export function makeHead(
  status: number,
  contentType: string | undefined,
  length: number | undefined,
  headers: AnswerHeaders | undefined,
): AnswerHead {
  const fields: string[] = [];
  for (const name in CLOSED) if (headers?.[name] === undefined) fields.push(name, CLOSED[name]!);
  if (contentType !== undefined) fields.push('Content-Type', contentType);
  if (length !== undefined) fields.push('Content-Length', String(length));
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (typeof value === 'object') for (const each of value) fields.push(name, each);
    else fields.push(name, String(value));
  }
  return { status, fields };
}

/** Sends status line and header fields. Node throws for CR, LF, NUL and characters beyond Latin-1. */
export function sendHead(exchange: Exchange, { status, fields }: AnswerHead): void {
  const { extraHeaders, response } = exchange;
  if (isBodyPending(exchange) && !isCheapToDiscard(exchange.request)) response.shouldKeepAlive = false;
  response.writeHead(status, (extraHeaders ? [...fields, ...extraHeaders] : fields) as string[]);
}

/** The same of an answer that is sent once. */
export function writeHead(
  exchange: Exchange,
  status: number,
  contentType: string | undefined,
  length: number | undefined,
  headers: AnswerHeaders | undefined,
): void {
  sendHead(exchange, makeHead(status, contentType, length, headers));
}

/** The client has not sent all of its body yet. */
export function isBodyPending({ request }: Exchange): boolean {
  return !request.complete && hasBody(request);
}

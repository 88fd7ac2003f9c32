// Response heads (RFC 9110 section 6.3): the only file that sets response headers.

import { hasBody, isCheapToDiscard } from './body.ts';
import type { Exchange } from './exchange.ts';

/** by name in its usual capitalization; undefined: not sent */
export type AnswerHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * Defaults of every response. Opened directly, it runs nothing; no other site's page can frame it or load it as script,
 * image or style (Fetch Standard, Cross-Origin-Resource-Policy). Admitted origins use CORS, which this does not affect.
 */
const CLOSED: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * For our own pages: a page of another site that opened one cannot access its window. Not for sandboxed content:
 * browsers refuse to show that combination.
 */
export const OWN_WINDOW: AnswerHeaders = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** A prepared response head, reusable for repeated responses. */
export interface AnswerHead {
  status: number;
  /** alternating names and values */
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

/** Makes and sends a head. */
export function writeHead(
  exchange: Exchange,
  status: number,
  contentType: string | undefined,
  length: number | undefined,
  headers: AnswerHeaders | undefined,
): void {
  sendHead(exchange, makeHead(status, contentType, length, headers));
}

/** The client is still sending its body. */
export function isBodyPending({ request }: Exchange): boolean {
  return !request.complete && hasBody(request);
}

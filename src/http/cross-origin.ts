// CORS (the Fetch Standard's protocol): pages of the origins that the operator has named may use the interface, with
// credentials. Of nobody else is anything said, so browsers keep the answers from their pages as ever.

import { PREFLIGHT_SECONDS } from '../limits/http.ts';
import type { AnswerHeaders } from './answer-head.ts';
import type { Exchange } from './exchange.ts';

/** Header fields of requests that are looked at, and that scripts may set once they are named. */
const REQUEST_FIELDS = [
  'Accept',
  'Authorization',
  'Brief',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Type',
  'Depth',
  'Destination',
  'If',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Schedule-Tag-Match',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'Lock-Token',
  'Overwrite',
  'Prefer',
  'Range',
  'Schedule-Reply',
  'Timeout',
  'traceparent',
  'X-Account',
  'X-Requested-With',
  'X-Room-Password',
].join(', ');

/** Header fields of answers that scripts may read beside the few that they always may. */
const ANSWER_FIELDS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'DAV',
  'ETag',
  'Location',
  'Lock-Token',
  'Preference-Applied',
  'Retry-After',
  'Schedule-Tag',
  'Searched',
  'traceparent',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/**
 * Adds to whatever answer comes what lets a page of a named origin read it; answers whether it comes from one.
 * `origins` as browsers write them: `https://app.example.org`. Without any nothing is added.
 */
export function admitOrigin(exchange: Exchange, origins: ReadonlySet<string>): boolean {
  if (origins.size === 0) return false;
  exchange.addHeader('Vary', 'Origin'); // the others' answers, too: a cache must not give theirs to a page
  const origin = exchange.header('origin');
  if (origin === undefined || !origins.has(origin)) return false;
  exchange.addHeader('Access-Control-Allow-Origin', origin);
  exchange.addHeader('Access-Control-Allow-Credentials', 'true');
  exchange.addHeader('Access-Control-Expose-Headers', ANSWER_FIELDS);
  return true;
}

/** The browser asks what a script may send, before it sends that. No preflight carries credentials. */
export function isPreflight(exchange: Exchange): boolean {
  return exchange.method === 'OPTIONS' && exchange.header('access-control-request-method') !== undefined;
}

/** The answer to one from a named origin; the same for every address. */
export function preflightHeaders(methods: readonly string[]): AnswerHeaders {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': REQUEST_FIELDS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}

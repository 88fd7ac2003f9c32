// CORS (Fetch Standard): pages of the origins that the operator admits may use the interface with credentials. For
// other origins browsers block access as usual.

import { PREFLIGHT_SECONDS } from '../limits/http.ts';
import type { AnswerHeaders } from './answer-head.ts';
import type { Exchange } from './exchange.ts';

/** request header fields that scripts may set */
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

/** response header fields that scripts may read, beside the safelisted ones */
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
 * Adds the CORS fields to the response. True: the request comes from an admitted origin (`https://app.example.org`).
 */
export function admitOrigin(exchange: Exchange, origins: ReadonlySet<string>): boolean {
  if (origins.size === 0) return false;
  exchange.addHeader('Vary', 'Origin'); // also for other origins: a cache must keep the responses apart
  const origin = exchange.header('origin');
  if (origin === undefined || !origins.has(origin)) return false;
  exchange.addHeader('Access-Control-Allow-Origin', origin);
  exchange.addHeader('Access-Control-Allow-Credentials', 'true');
  exchange.addHeader('Access-Control-Expose-Headers', ANSWER_FIELDS);
  return true;
}

/** Preflight requests never carry credentials. */
export function isPreflight(exchange: Exchange): boolean {
  return exchange.method === 'OPTIONS' && exchange.header('access-control-request-method') !== undefined;
}

/** The response to a preflight request from an admitted origin, for any URL. */
export function preflightHeaders(methods: readonly string[]): AnswerHeaders {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': REQUEST_FIELDS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}

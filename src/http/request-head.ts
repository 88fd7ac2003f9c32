// What must be true of the head of every request before it is handled (RFC 9112 sections 3.2 and 6.1,
// RFC 9110 section 5.3): its target, whom it is for, and that no field says two things. Node takes the first of two
// Host or Authorization fields and joins two of Destination; what stands before us may have taken the other one. Node
// itself refuses two Content-Lengths, and a length beside a Transfer-Encoding.

import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { MAX_HEADER_COUNT, MAX_URL_BYTES } from '../limits/http.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
/** uri-host and port of RFC 3986 section 3.2, never empty for http */
const AUTHORITY = /^(?:(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Fields that may stand once. Those not here are lists, whose lines may be joined, Cookie (a proxy may split it, see
 * RFC 9113 section 8.2.3), or mean nothing to us.
 */
const SINGLE_FIELDS = new Set([
  'authorization',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'depth',
  'destination',
  'host',
  'if',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'last-event-id',
  'origin',
  'overwrite',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'transfer-encoding',
  'user-agent',
  'x-requested-with',
  'x-room-password',
]);

/** The target as `/path?query` or `*`; undefined for what is not for an origin server (RFC 9112 section 3.2). */
export function originForm({ url, method }: IncomingMessage): string | undefined {
  const target = url!;
  if (target.startsWith('/')) return target;
  if (target === '*') return method === 'OPTIONS' ? target : undefined;
  const start = ABSOLUTE_FORM.exec(target)?.[0];
  if (start === undefined) return undefined;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * `host:port` that the request is for: of an absolute target, whatever Host says (RFC 9112 section 3.2.2), else Host.
 */
export function authorityOf({ url, headers }: IncomingMessage): string | undefined {
  return url!.startsWith('/') ? headers.host : (ABSOLUTE_FORM.exec(url!)?.[1] ?? headers.host);
}

/** Why this request is not served whatever it asks for: uri_too_long, headers_too_large, bad_request. */
export function faultOf(request: IncomingMessage, target: string | undefined): AppError | undefined {
  const { headers, rawHeaders, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new AppError('bad_request', 'Only HTTP/1.1 and HTTP/1.0 are understood');
  }
  if (target === undefined) return new AppError('bad_request', 'The request target is not a path');
  if (target.length > MAX_URL_BYTES) return new AppError('uri_too_long', 'The address is too long');
  if (rawHeaders.length > MAX_HEADER_COUNT * 2) {
    return new AppError('headers_too_large', `More than ${MAX_HEADER_COUNT} header fields`);
  }
  const repeated = repeatedField(request);
  if (repeated !== undefined) return new AppError('bad_request', `More than one header field ${repeated}`);
  if (headers.host === undefined && httpVersion === '1.1') return new AppError('bad_request', 'Host is missing');
  if (!isPossible(headers.host) || !isPossible(authorityOf(request)))
    return new AppError('bad_request', 'No host can be called that');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new AppError('bad_request', 'Of transfer codings only chunked is understood, in HTTP/1.1');
  }
  return undefined;
}

/** the last that was looked at: nearly all requests are for the same */
let possible: string | undefined;

/** HTTP/1.0 knows no Host. */
function isPossible(authority: string | undefined): boolean {
  if (authority === possible) return true;
  if (authority !== undefined && !AUTHORITY.test(authority)) return false;
  possible = authority;
  return true;
}

/** The name of one of SINGLE_FIELDS that stands twice. */
function repeatedField({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // node has put together what has one name
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (SINGLE_FIELDS.has(name) && seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

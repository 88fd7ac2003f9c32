// Validates the head of every request (RFC 9112 sections 3.2 and 6.1, RFC 9110 section 5.3): target, host, and no
// conflicting fields. Node takes the first of two Host or Authorization fields and joins two of Destination, while a
// proxy may have used the other. Node itself rejects two Content-Lengths, and a length with Transfer-Encoding.

import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { MAX_HEADER_COUNT, MAX_URL_BYTES } from '../limits/http.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
/** uri-host and port (RFC 3986 section 3.2), not empty */
const AUTHORITY = /^(?:(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Fields that may occur once. The others are lists, are irrelevant, or may be split: Cookie (RFC 9113 section 8.2.3).
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

/** The target as `/path?query` or `*`; undefined: not for an origin server (RFC 9112 section 3.2). */
export function originForm({ url, method }: IncomingMessage): string | undefined {
  const target = url!;
  if (target.startsWith('/')) return target;
  if (target === '*') return method === 'OPTIONS' ? target : undefined;
  const start = ABSOLUTE_FORM.exec(target)?.[0];
  if (start === undefined) return undefined;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** `host:port` of the request: an absolute target takes precedence over Host (RFC 9112 section 3.2.2). */
export function authorityOf({ url, headers }: IncomingMessage): string | undefined {
  return url!.startsWith('/') ? headers.host : (ABSOLUTE_FORM.exec(url!)?.[1] ?? headers.host);
}

/** Why the request is refused whatever it asks for; `forwardedHost`: from a trusted proxy. */
export function faultOf(
  request: IncomingMessage,
  target: string | undefined,
  forwardedHost: string | undefined,
): AppError | undefined {
  const { headers, rawHeaders, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new AppError('bad_request', 'Only HTTP/1.1 and HTTP/1.0 are supported.');
  }
  if (target === undefined) return new AppError('bad_request', 'The request target is not a path.');
  if (target.length > MAX_URL_BYTES) return new AppError('uri_too_long', 'The URL is too long.');
  if (rawHeaders.length > MAX_HEADER_COUNT * 2) {
    return new AppError('headers_too_large', `The request has more than ${MAX_HEADER_COUNT} header fields.`);
  }
  const repeated = repeatedField(request);
  if (repeated !== undefined) return new AppError('bad_request', `The header field ${repeated} occurs more than once.`);
  if (headers.host === undefined && httpVersion === '1.1')
    return new AppError('bad_request', 'The Host header is missing.');
  if (![headers.host, authorityOf(request), forwardedHost].every(isPossible))
    return new AppError('bad_request', 'The host name is invalid.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new AppError('bad_request', 'The only supported transfer coding is chunked, in HTTP/1.1.');
  }
  return undefined;
}

/** the last valid one: nearly all requests have the same */
let possible: string | undefined;

/** HTTP/1.0 needs no Host. */
function isPossible(authority: string | undefined): boolean {
  if (authority === possible) return true;
  if (authority !== undefined && !AUTHORITY.test(authority)) return false;
  possible = authority;
  return true;
}

/** The name of a repeated field of SINGLE_FIELDS. */
function repeatedField({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // node merges fields with the same name
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (SINGLE_FIELDS.has(name) && seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** Of `host` or `host:port`: lower case, no port, no trailing dot, punycode. undefined: invalid. */
export function hostNameOf(authority: string): string | undefined {
  if (/[/?#@\\\s]/.test(authority)) return undefined;
  const name = URL.parse(`http://${authority}`)?.hostname.replace(/\.$/, '');
  return name === '' ? undefined : name;
}

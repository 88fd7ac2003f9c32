// Cookies (RFC 6265): parses Cookie and formats Set-Cookie.

import { MAX_COOKIE_COUNT } from '../limits/http.ts';
import { MAX_COOKIE_BYTES } from '../limits/sessions.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** cookie-octet of RFC 6265 section 4.1.1 */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const PATH = /^\/[\x21-\x3a\x3c-\x7e]*$/;

export interface CookieAttributes {
  /** 0 deletes the cookie; undefined: a session cookie */
  maxAgeSeconds?: number | undefined;
  path: string;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'Strict' | 'None';
}

/** The first of several cookies with one name counts. Skips malformed pieces and those after MAX_COOKIE_COUNT. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  if (header === undefined) return cookies;
  for (const piece of header.split(';', MAX_COOKIE_COUNT)) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = piece.slice(0, equals).trim();
    if (name === '' || cookies.has(name)) continue;
    const value = piece.slice(equals + 1).trim();
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    cookies.set(name, isQuoted ? value.slice(1, -1) : value);
  }
  return cookies;
}

/** A Set-Cookie value. Throws Error if it is invalid or too long for browsers, which is our bug. */
export function serializeCookie(name: string, value: string, attributes: CookieAttributes): string {
  if (!TOKEN.test(name) || !VALUE.test(value) || !PATH.test(attributes.path)) throw new Error(`bad cookie ${name}`);
  if (name.length + value.length > MAX_COOKIE_BYTES) throw new Error(`cookie ${name} is too long`);
  let cookie = `${name}=${value}; Path=${attributes.path}; SameSite=${attributes.sameSite}`;
  if (attributes.maxAgeSeconds !== undefined) cookie += `; Max-Age=${Math.floor(attributes.maxAgeSeconds)}`;
  if (attributes.httpOnly) cookie += '; HttpOnly';
  if (attributes.secure) cookie += '; Secure';
  return cookie;
}

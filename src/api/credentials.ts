// The body of a log-in in the three forms that clients send: JSON, an HTML form, or `username|password`.

import { AppError } from '../errors.ts';
import { readBody, readJson, utf8Of } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseForm } from '../http/query.ts';
import { MAX_SMALL_BODY_BYTES } from '../limits/http.ts';
import type { Credentials } from '../room-server/connection/identity.ts';

/** Throws bad_request for a body that cannot be read, unsupported_media_type for another type, and as bodyStream. */
export async function readCredentials(exchange: Exchange): Promise<Credentials> {
  const type = (exchange.header('content-type') ?? 'text/plain').split(';')[0]!.trim().toLowerCase();
  if (type === 'application/json') {
    const { username, password } = ((await readJson(exchange)) ?? {}) as { username?: unknown; password?: unknown };
    return checked(username, password);
  }
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && type !== 'text/plain') {
    throw new AppError('unsupported_media_type', 'Send JSON, a form, or username|password as text.');
  }
  const body = await readBody(exchange, MAX_SMALL_BODY_BYTES);
  // curl -d sends `user|password` under the type of a form as well
  return isForm && (body.includes('=') || !body.includes('|')) ? fromForm(body) : fromBar(utf8Of(body));
}

function fromForm(body: Buffer): Credentials {
  const form = parseForm(body.toString('latin1'));
  return checked(form.get('username'), form.get('password'));
}

function fromBar(text: string): Credentials {
  const line = text.replace(/\r?\n$/, '');
  const bar = line.indexOf('|');
  return bar < 0 ? checked(undefined, undefined) : checked(line.slice(0, bar), line.slice(bar + 1));
}

function checked(user: unknown, password: unknown): Credentials {
  if (typeof user !== 'string' || typeof password !== 'string' || user.trim() === '') {
    throw new AppError('bad_request', 'A username and a password are needed.');
  }
  return { user: user.trim(), password };
}

// The body of a log-in in the three forms that clients send: JSON, an HTML form, or `username|password`.

import type { Identity } from '../client/identity.ts';
import { AppError } from '../errors.ts';

/** Throws bad_request for a body that cannot be read, unsupported_media_type for another type. */
export function parseCredentials(contentType: string | undefined, body: Buffer): Identity {
  const type = (contentType ?? 'text/plain').split(';')[0]!.trim().toLowerCase();
  const text = body.toString('utf8');
  if (type === 'application/json') return fromJson(text);
  if (type === 'application/x-www-form-urlencoded') {
    // curl -d sends `user|password` under this type as well
    return text.includes('|') && !text.includes('=') ? fromBar(text) : fromForm(text);
  }
  if (type === 'text/plain') return fromBar(text);
  throw new AppError('unsupported_media_type', 'Send JSON, a form, or username|password as text.');
}

function fromJson(text: string): Identity {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request', 'The body is not JSON.');
  }
  const { username, password } = (value ?? {}) as { username?: unknown; password?: unknown };
  return checked(username, password);
}

function fromForm(text: string): Identity {
  const form = new URLSearchParams(text);
  return checked(form.get('username'), form.get('password'));
}

function fromBar(text: string): Identity {
  const line = text.replace(/\r?\n$/, '');
  const bar = line.indexOf('|');
  return bar < 0 ? checked(undefined, undefined) : checked(line.slice(0, bar), line.slice(bar + 1));
}

function checked(user: unknown, password: unknown): Identity {
  if (typeof user !== 'string' || typeof password !== 'string' || user.trim() === '') {
    throw new AppError('bad_request', 'A username and a password are needed.');
  }
  return { user: user.trim(), password };
}

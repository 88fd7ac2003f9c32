// An object of a calendar, a list of tasks (RFC 5545) or an address book (RFC 2426) as a client writes it, and how it
// gets to the gateway.

import assert from 'node:assert/strict';
import type { Api } from './gateway.ts';

/** `lines` are its properties and what is in it; the lines end with CRLF. */
export const calendarObject = (kind: string, uid: string, lines: readonly string[]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', `BEGIN:${kind}`, `UID:${uid}`],
    ...['DTSTAMP:20260101T000000Z', ...lines, `END:${kind}`, 'END:VCALENDAR', ''],
  ].join('\r\n');

export function contact(uid: string, name: string, more: readonly string[] = []): string {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `N:${name};;;;`, ...more, 'END:VCARD', ''];
  return lines.join('\r\n');
}

export async function putObject(api: Api, path: string, type: string, body: string): Promise<void> {
  const answer = await api(path, { method: 'PUT', headers: { 'content-type': `${type}; charset=utf-8` }, body });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
}

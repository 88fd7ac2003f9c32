// What is true of every message that is served, by the JSON interface and by DAV: its ETag, its time, its stored headers.

import type { MessageHead } from '../client/messages.ts';
import type { Headers } from '../http/respond.ts';
import { type HeaderField, parseHeaders } from '../mime/headers.ts';
import { toInt } from '../protocol/fields.ts';

/** A message is foreign content: it must never run in the gateway's origin. It never changes, so it may be kept. */
export const FOREIGN_CONTENT: Headers = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, max-age=31536000, immutable',
  Vary: 'Accept, Authorization, Cookie',
};

/** Strong: a message never changes. */
export function messageEtag(msgnum: number): string {
  return `"${msgnum}"`;
}

/** Unix seconds */
export function timeOf(head: MessageHead): number {
  return toInt(head.fields.get('time'));
}

export function headersOf(head: MessageHead): HeaderField[] {
  return parseHeaders(Buffer.from(head.headerLines.join('\n')));
}

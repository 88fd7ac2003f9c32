// What is true of every message that is served, by the JSON interface and by DAV: its ETag, its time, what a browser
// may do with it.

import { originalTimeFrom } from '../../client/copied.ts';
import type { MessageHead } from '../../client/messages.ts';
import type { AnswerHeaders } from '../../http/answer-head.ts';
import { toInt } from '../../protocol/fields.ts';
import { parseMessageNumber } from '../../protocol/member-names.ts';

/** A message is foreign content: it must never run in the gateway's origin. */
export const FOREIGN_CONTENT: AnswerHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Authorization, Cookie',
};

const KEPT: AnswerHeaders = { ...FOREIGN_CONTENT, 'Cache-Control': 'private, max-age=31536000, immutable' };

/** What a number means never changes, so it may be kept; a name or UID may mean another message tomorrow. */
export function contentHeaders(segment: string): AnswerHeaders {
  return parseMessageNumber(segment) === undefined ? FOREIGN_CONTENT : KEPT;
}

/** Strong: a message never changes. */
export function messageEtag(msgnum: number): string {
  return `"${msgnum}"`;
}

/** Unix seconds: when it was written, be it posted again by a copy */
export function timeOf(head: MessageHead): number {
  return originalTimeFrom(head.headers) ?? toInt(head.fields.get('time'));
}

// What is true of every message that is served, by the JSON interface and by DAV: its ETag, its time, what a browser
// may do with it.

import type { AnswerHeaders } from '../../http/answer-head.ts';
import type { LastModified } from '../../http/conditional.ts';
import type { Exchange } from '../../http/exchange.ts';
import { toInt } from '../../protocol/fields.ts';
import { parseMessageNumber } from '../../protocol/member-names.ts';
import { personalName } from '../../protocol/room-facts.ts';
import { type MessageHead, storedTimeOf } from '../../room-server/messages.ts';
import { originalTimeFrom } from '../../room-server/rooms.ts';
import { isBrowser } from '../origin.ts';
import type { OpenedMessage } from './head.ts';

/** A message is foreign content: it must never run in the gateway's origin. */
export const FOREIGN_CONTENT: AnswerHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
  'Cache-Control': 'private, no-cache',
  // what a browser has fetched, it would take for a script without asking
  Vary: 'Accept, Authorization, Cookie, Sec-Fetch-Dest',
};

const KEPT: AnswerHeaders = { ...FOREIGN_CONTENT, 'Cache-Control': 'private, max-age=31536000, immutable' };

/** What browsers run or apply to a page, however it is spelled (WHATWG MIME Sniffing, "JavaScript MIME type"). */
const CODE = /(?:java|ecma|j|live)script|text\/css/i;

/**
 * Browsers say what they run of what they ask for, and are refused it (dispatch.ts), but only over TLS and to
 * localhost. This one does not say.
 */
export function mayRunAnything(exchange: Exchange): boolean {
  return exchange.header('sec-fetch-dest') === undefined && isBrowser(exchange.header('user-agent'));
}

/** The media type of foreign content to the one who asks: code is text to a browser that may run anything. */
export function foreignType(exchange: Exchange, contentType: string): string {
  return CODE.test(contentType) && mayRunAnything(exchange) ? 'text/plain' : contentType;
}

/** What a number means never changes, so it may be kept; a name or UID may mean another message tomorrow. */
export function contentHeaders(segment: string): AnswerHeaders {
  return parseMessageNumber(segment) === undefined ? FOREIGN_CONTENT : KEPT;
}

/** Strong: a message never changes. */
export function messageEtag(msgnum: number): string {
  return `"${msgnum}"`;
}

/** Unix seconds: when it was written, be it posted again by a copy; of an event when it begins */
export function timeOf(head: MessageHead): number {
  return originalTimeFrom(head.headers) ?? toInt(head.fields.get('time'));
}

/**
 * When what `segment` names became what it is now: by number always the same, by name when the message got it. No other
 * server than ours tells when it has moved a message, so there it is known of those that have not been moved; and of
 * two versions within one second it does not tell which is which.
 */
export function lastModifiedOf({ head, msgnum }: OpenedMessage, segment: string): LastModified {
  const lastModified = head.stored || storedTimeOf(head.headers, msgnum);
  if (head.stored !== undefined || parseMessageNumber(segment) !== undefined) return { lastModified };
  const first = personalName(head.fields.get('room') ?? '').name;
  return first === head.entered.name ? { lastModified, isCoarse: true } : {};
}

// Facts about each message in a response, in both interfaces: ETag, time, and what a browser may do with it.

import type { AnswerHeaders } from '../../http/answer-head.ts';
import type { LastModified } from '../../http/conditional.ts';
import type { Exchange } from '../../http/exchange.ts';
import { toInt } from '../../protocol/fields.ts';
import { parseMessageNumber } from '../../protocol/member-names.ts';
import { personalName } from '../../protocol/room-facts.ts';
import { type MessageHead, storedTimeOf } from '../../room-server/messages.ts';
import { originalTimeFrom } from '../../room-server/rooms.ts';
import { isBrowser } from '../origin.ts';
import type { OpenedMessage } from './open-message.ts';

/** A message is foreign content: it must never run in the gateway's origin. */
export const FOREIGN_CONTENT: AnswerHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
  'Cache-Control': 'private, no-cache',
  // browsers would run a cached response as a script without asking
  Vary: 'Accept, Authorization, Cookie, Sec-Fetch-Dest',
};

const KEPT: AnswerHeaders = { ...FOREIGN_CONTENT, 'Cache-Control': 'private, max-age=31536000, immutable' };

/** What browsers run or apply to a page, in any spelling (WHATWG MIME Sniffing, "JavaScript MIME type"). */
const CODE = /(?:java|ecma|j|live)script|text\/css/i;

/**
 * Browsers tell what they want to run, and are refused it (dispatch.ts), but only over TLS and to localhost. This one
 * does not tell.
 */
export function mayRunAnything(exchange: Exchange): boolean {
  return exchange.header('sec-fetch-dest') === undefined && isBrowser(exchange.header('user-agent'));
}

/** The media type of foreign content for this client: code is text for a browser that may run anything. */
export function foreignType(exchange: Exchange, contentType: string): string {
  return CODE.test(contentType) && mayRunAnything(exchange) ? 'text/plain' : contentType;
}

/** A number never means another message, so the response is cacheable; a name or UID may. */
export function contentHeaders(segment: string): AnswerHeaders {
  return parseMessageNumber(segment) === undefined ? FOREIGN_CONTENT : KEPT;
}

/** Strong: a message never changes. */
export function messageEtag(msgnum: number): string {
  return `"${msgnum}"`;
}

/** Unix seconds when it was written, also if it was posted again; of an event when it begins. */
export function timeOf(head: MessageHead): number {
  return originalTimeFrom(head.headers) ?? toInt(head.fields.get('time'));
}

/**
 * When the resource of `segment` last changed: by number never, by name when the message got it. Foreign servers do not
 * record moves, so it is known only for messages that were not moved, and two versions within a second look alike.
 */
export function lastModifiedOf({ head, msgnum }: OpenedMessage, segment: string): LastModified {
  const lastModified = head.stored || storedTimeOf(head.headers, msgnum);
  if (head.stored !== undefined || parseMessageNumber(segment) !== undefined) return { lastModified };
  const first = personalName(head.fields.get('room') ?? '').name;
  return first === head.entered.name ? { lastModified, isCoarse: true } : {};
}

// The content of a stored message as GET gives it: which form it has, and its bytes.

import { withPart, withRfc822 } from '../../client/message-content.ts';
import type { MessageHead } from '../../client/messages.ts';
import { headerValue } from '../../mime/headers.ts';
import type { MessageContext } from '../room-context.ts';
import { sendableType, storedContent } from './stored-type.ts';
import { type BodyLines, bodyOfRfc822 } from './text.ts';

export interface ContentForm {
  contentType: string;
  /** the content is the text of the message; undefined: it is part 1, decoded */
  lines: BodyLines | undefined;
}

const AS_STORED: BodyLines = { ending: 'lf', length: undefined };

/** The form of the content of a message, from its headers and its list of parts. */
export function contentForm(head: Pick<MessageHead, 'headers' | 'fields' | 'parts'>): ContentForm {
  const stored = storedContent(head.headers, head.fields.get('type') ?? '');
  const lines = stored.lines ?? (hasPartOne(head) ? undefined : AS_STORED);
  return { contentType: sendableType(stored.contentType), lines };
}

/**
 * A real server makes no part of fewer than three bytes, and none that it cannot decode (quirk Q38,
 * protocol section 12).
 */
function hasPartOne({ parts, headers }: Pick<MessageHead, 'parts' | 'headers'>): boolean {
  const encoding = headerValue(headers, 'content-transfer-encoding')?.trim() || '7bit';
  const isKnown = /^(7bit|8bit|binary|base64|quoted-printable)$/i.test(encoding);
  return isKnown && parts.some((part) => part.partnum === '1');
}

/** Streams the whole content to `use`, which must consume it before it returns. Throws not_found. */
export function withContent<T>(
  { app, caller, room, msgnum }: MessageContext,
  { lines }: ContentForm,
  use: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { identity } = caller;
  if (lines) return withRfc822(app.pool, identity, room, msgnum, (bytes) => use(bodyOfRfc822(bytes, lines)));
  return withPart(app.pool, identity, room, msgnum, '1', (part) => use(part.bytes));
}

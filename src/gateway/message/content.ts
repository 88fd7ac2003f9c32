// The content of a stored message as GET gives it: which form it has, and its bytes.

import { type SentForm, sentForm } from '../../mime/stored-content.ts';
import { withPart, withRfc822 } from '../../room-server/message-content.ts';
import type { MessageHead } from '../../room-server/messages.ts';
import type { MessageContext } from '../room-context.ts';
import { bodyOfRfc822 } from './text.ts';

/** The form of the content of a message, from its headers and its list of parts. */
export function contentForm({ headers, fields, parts }: Pick<MessageHead, 'headers' | 'fields' | 'parts'>): SentForm {
  const hasPartOne = parts.some(({ partnum }) => partnum === '1');
  return sentForm(headers, fields.get('type') ?? '', hasPartOne);
}

/** Streams the whole content to `use`, which must consume it before it returns. Throws not_found. */
export function withContent<T>(
  { app, caller, room, msgnum }: MessageContext,
  { lines }: SentForm,
  use: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { identity } = caller;
  if (lines) return withRfc822(app.pool, identity, room, msgnum, (bytes) => use(bodyOfRfc822(bytes, lines)));
  return withPart(app.pool, identity, room, msgnum, '1', (part) => use(part.bytes));
}

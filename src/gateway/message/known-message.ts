// What is kept of a message that was read, so that the next reading takes one short command. A message never changes,
// but on another room server its number may mean another one.

import { MAX_KEPT_CONTENT_BYTES, MAX_KEPT_HEADER_CHARACTERS } from '../../limits/dav.ts';
import { MAX_KEPT_PARTS } from '../../limits/mime.ts';
import type { MessagePart } from '../../room-server/message-content.ts';
import type { MessageHead } from '../../room-server/messages.ts';

/** A message as it was when it was read first. */
export interface KnownMessage {
  fields: ReadonlyMap<string, string>;
  head: Pick<MessageHead, 'parts' | 'multipart' | 'headers'>;
  /** small parts that have been read, by the number or name that they were asked by */
  parts: Map<string, KeptPart>;
  /** its content that is no part, where it is small and has been read */
  text: Buffer | undefined;
}

export type KeptPart = MessagePart & { bytes: Buffer };

/** There is room for so many bytes more with the message. */
export function hasRoomFor({ parts, text }: KnownMessage, bytes: number): boolean {
  let kept = text?.length ?? 0;
  for (const part of parts.values()) kept += part.length;
  return kept + bytes <= MAX_KEPT_CONTENT_BYTES && parts.size < MAX_KEPT_PARTS;
}

/** Two sets of header fields have the same values. */
export function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

/** It is small enough. */
export function isWorthKeeping({ fields, head }: KnownMessage): boolean {
  let length = 0;
  for (const value of fields.values()) length += value.length;
  for (const { name, value } of head.headers) length += name.length + value.length;
  return length <= MAX_KEPT_HEADER_CHARACTERS;
}

/** Places that it takes: one with very many parts as many as others with few, for to read its list anew takes long. */
export function placesFor({ head }: KnownMessage): number {
  return Math.max(1, Math.ceil(head.parts.length / MAX_KEPT_PARTS));
}

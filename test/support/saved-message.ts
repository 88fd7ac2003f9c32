// Messages that are saved without a verb, with the fields that a test is about.

import { finishedBody } from '../../src/backend/store/bodies.ts';
import { type StorableMessage, saveMessage } from '../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import type { MessageWorld } from './message-session.ts';

export interface SavedFields extends Partial<Omit<StorableMessage, 'body' | 'rooms'>> {
  /** under which it is PUT */
  name?: string;
  /** of format 4, by default text/plain */
  type?: string;
  text?: string;
}

/** Answers the number of the message, which is in all of these rooms. */
export function saveIn({ store }: MessageWorld, rooms: StoredRoom | readonly StoredRoom[], fields: SavedFields = {}) {
  const { name, type = 'text/plain; charset=utf-8', text = 'text\n', format = 4, ...more } = fields;
  const naming = name === undefined ? '' : `X-Vestibule-Name: ${encodeURIComponent(name)}\n`;
  const body = format === 4 ? `Content-Type: ${type}\n${naming}\n${text}` : text;
  const all = [rooms].flat();
  return saveMessage(store, {
    format,
    author: 'ann',
    path: 'ann',
    address: '',
    room: all[0]?.name ?? '',
    subject: 's',
    ...more,
    body: finishedBody(store, format, Buffer.from(body)),
    rooms: all.map(({ id }) => id),
  });
}

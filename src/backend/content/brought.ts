// What `vestibule copy` has brought here and how far it has come (XFER), so that its next run undoes nothing that
// people have done since.

import { STATUS } from '../../protocol/status.ts';
import { listing, ok, type Reply } from '../session/reply.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { listingText } from './listing-text.ts';

const KINDS: readonly string[] = ['floor', 'user', 'room'];
const STEPS: readonly string[] = ['made', 'done'];

/** A message that has come into the room. Call inside the transaction that stores it. */
export function noteBrought(store: Store, roomKey: string, message: { euid: string; msgid: string }): void {
  store
    .prepare(
      `INSERT INTO brought_message (room, id, times) VALUES (?, ?, 1)
       ON CONFLICT (room, id) DO UPDATE SET times = times + 1`,
    )
    .run(roomKey, message.euid || message.msgid);
}

/** rows `times|id` of a room, be it there or not */
export function broughtMessages(store: Store, roomKey: string): Reply {
  const rows = store.prepare('SELECT times, id FROM brought_message WHERE room = ?').all(roomKey);
  return listing('Messages brought:', listingText(rows.map(({ times, id }) => `${times}|${id}\n`).join('')));
}

/** `kind|step|key` → 200; 512 */
export function noteStep(store: Store, [kind = '', step = '', key = '']: readonly string[]): Reply {
  if (!KINDS.includes(kind) || !STEPS.includes(step) || key === '')
    throw new Refusal(STATUS.illegalValue, 'There is no such step.');
  store
    .prepare('INSERT INTO brought (kind, key, step) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET step = ?')
    .run(kind, key, step, step);
  return ok('Ok');
}

/** rows `kind|step|key` */
export function steps(store: Store): Reply {
  const rows = store.prepare('SELECT kind, step, key FROM brought ORDER BY kind, key').all();
  return listing(
    'Steps:',
    rows.map(({ kind, step, key }) => `${kind}|${step}|${key}\n`),
  );
}

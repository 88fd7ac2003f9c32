// Accounts by the thousand, without rooms or passwords, for what must not be done for all of them in one piece.

import type { Store } from '../../src/backend/store/store.ts';
import { userLookKey } from '../../src/protocol/name-rules.ts';

/** Their numbers, ascending; by name `many 1`, `many 2` … */
export function addManyUsers(store: Store, count: number): number[] {
  const insert = store.db.prepare(
    'INSERT INTO user (name, key, look_key, level, flags, created, last_call) VALUES (?, ?, ?, 4, 0, 1, 1)',
  );
  return store.transaction(() =>
    Array.from({ length: count }, (_, i) => {
      const name = `many ${i + 1}`;
      return Number(insert.run(name, `many${i + 1}`, userLookKey(name)).lastInsertRowid);
    }),
  );
}

/** They know the room. */
export function letKnow(store: Store, users: readonly number[], room: number): void {
  store.db
    .prepare("INSERT INTO visit (user, room, state) SELECT value, ?, 'known' FROM json_each(?)")
    .run(room, JSON.stringify(users));
}

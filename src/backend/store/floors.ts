// The rows of floors. What names they may have is checked by their verbs.

import { nameKey } from '../../protocol/names.ts';
import type { Store } from './store.ts';

/** Whether there is a floor of this number. */
export function floorExists(store: Store, num: number): boolean {
  return store.prepare('SELECT 1 FROM floor WHERE num = ?').get(num) !== undefined;
}

/** Adds a floor whose number and name are free. Inside a transaction only. */
export function addFloor(store: Store, num: number, name: string): void {
  store.prepare('INSERT INTO floor (num, name, key) VALUES (?, ?, ?)').run(num, name, nameKey(name));
}

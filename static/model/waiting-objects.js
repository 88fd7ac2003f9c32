// What waits to be done to the objects of a room, by their keys, and what could not be done.

import { outbox } from './outbox.js';
import { isUnderWay } from './outbox-store.js';

/** @import { Entry, ObjectWork } from './outbox-joining.js' */

/** @typedef {Entry & { work: ObjectWork }} ObjectEntry */

const NUMBERED = /^number:(\d+)$/;

/** The name that an object is asked for by; its key is that, or `number:12`. @param {string} key */
export const nameOfKey = (key) => NUMBERED.exec(key)?.[1] ?? key;

/** no UID is a number @param {string} name */
const keyOfName = (name) => (/^\d+$/.test(name) ? `number:${name}` : name);

/**
 * `conflicts`: another device was faster.
 * @param {string} room
 * @returns {{ waiting: Map<string, ObjectWork>, conflicts: Map<string, ObjectEntry> }}
 */
export function waitingObjects(room) {
  const waiting = new Map();
  const conflicts = new Map();
  for (const entry of outbox.get()) {
    const { work, state } = entry;
    if (work.kind !== 'object' || work.room !== room) continue;
    const key = keyOfName(work.name);
    if (isUnderWay(entry)) waiting.set(key, work);
    else if (state === 'conflict') conflicts.set(key, entry);
  }
  return { waiting, conflicts };
}

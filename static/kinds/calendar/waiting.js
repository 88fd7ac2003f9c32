// Changes of events that wait for the connection: shown as they will be until they are done, also after a reload.

import { outbox } from '../../model/outbox.js';
import { isUnderWay } from '../../model/outbox-store.js';

/** @import { CalendarSource } from './source.js' */

/** @typedef {{ room: string, name: string, text?: string }} Pretended without a text it is gone */

/**
 * Answers what ends it.
 * @param {object} surroundings
 * @param {CalendarSource} surroundings.source
 * @param {() => void} surroundings.shown what is shown has changed
 * @param {(room: string) => Promise<void>} surroundings.reload
 */
export function showWaiting({ source, shown, reload }) {
  /** @type {Map<string, Pretended>} */
  let before = new Map();
  const look = () => {
    const now = waitingNow();
    const fresh = [...now].filter(([key, { text }]) => !before.has(key) || before.get(key)?.text !== text);
    const over = [...before].filter(([key]) => !now.has(key)).map(([, work]) => work);
    before = now;
    source.waiting = new Set(now.keys());
    for (const [, { room, name, text }] of fresh) source.pretend(room, name, text);
    if (fresh.length > 0) shown();
    for (const room of new Set(over.map((work) => work.room))) {
      const names = over.filter((work) => work.room === room).map(({ name }) => name);
      void reload(room).then(() => {
        for (const name of names) if (!source.waiting.has(`${room}\n${name}`)) source.settle(room, name);
        shown();
      });
    }
  };
  look();
  return outbox.subscribe(look);
}

/** By room and name. */
function waitingNow() {
  /** @type {Map<string, Pretended>} */
  const now = new Map();
  for (const entry of outbox.get()) {
    const { work } = entry;
    if ((work.kind !== 'object' && work.kind !== 'move') || !isUnderWay(entry)) continue;
    const { room, name, text } = work;
    now.set(`${room}\n${name}`, { room, name, text: work.kind === 'move' ? undefined : text });
    if (work.kind === 'move') now.set(`${work.to}\n${name}`, { room: work.to, name, text });
  }
  return now;
}

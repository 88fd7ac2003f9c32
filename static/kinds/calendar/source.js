// The objects of the calendars in sight, as the server has them, and what the reader has done to them that is still on
// its way there.

import { queryCalendar } from '../../api/calendars.js';
import { isConnected } from '../../api/connection.js';
import { isConnectionProblem } from '../../api/request.js';
import { readEvents } from '../../formats/calendar.js';
import { addDays } from '../../formats/days.js';
import { instantOfWhen } from '../../formats/moments.js';
import { ZONE } from './format.js';

/** @import { CalendarObject } from '../../api/calendars.js' */
/** @import { CalendarEvent } from '../../formats/calendar.js' */
/** @import { CalendarRoom } from './calendars.js' */

/** @typedef {{ from: number, to: number }} Range instants, Unix seconds */
/**
 * @typedef {CalendarEvent & { room: string, name: string, hue: number, canWrite: boolean,
 *   isWaiting: boolean }} ShownEvent isWaiting: for the connection
 */
/** @typedef {CalendarObject & { read?: { key: string, events: CalendarEvent[] } }} Held */

export class CalendarSource {
  /** @type {Map<string, Map<string, Held>>} by room, by name */
  #rooms = new Map();
  /** @type {Map<string, Held | undefined>} what is shown in place of what the server has, undefined for nothing */
  #pretended = new Map();
  /** changes on their way or done, by room: what was asked for before tells of the past @type {Map<string, number>} */
  #turns = new Map();
  /** what of that waits for the connection, by room and name @type {Set<string>} */
  waiting = new Set();

  #isKept = false;

  /** @param {Range[]} [spans] what is to be there without a connection, and what was to be there before */
  constructor(spans = []) {
    this.spans = spans;
  }

  /** Has the service worker keep more than what is in sight, once. @param {CalendarRoom[]} rooms */
  async keep(rooms) {
    if (this.#isKept || !isConnected.get() || !navigator.serviceWorker?.controller) return;
    this.#isKept = true;
    for (const { name } of rooms) await queryCalendar(name, this.spans[0]).catch(() => {});
  }

  /**
   * Throws Problem.
   * @param {string} room @param {Range} range @param {AbortSignal} [signal]
   */
  async load(room, range, signal) {
    let turn;
    let objects;
    do {
      turn = this.#turns.get(room);
      objects = await queryCalendar(room, range, signal).catch((problem) => {
        if (!isConnectionProblem(problem)) throw problem;
        return this.#loadKept(room, range, signal).catch(() => Promise.reject(problem));
      });
    } while (turn !== this.#turns.get(room) && !signal?.aborted);
    const known = this.#rooms.get(room);
    const same = (/** @type {CalendarObject} */ object) => {
      const old = known?.get(object.name);
      return old?.etag === object.etag ? old : object;
    };
    this.#rooms.set(room, new Map(objects.map((object) => [object.name, same(object)])));
  }

  /**
   * What the service worker has of a span that holds the range. Throws what is no answer.
   * @param {string} room @param {Range} range @param {AbortSignal} [signal]
   */
  #loadKept(room, range, signal) {
    return this.spans
      .filter(({ from, to }) => from <= range.from && range.to <= to)
      .reduce(
        (asking, span) => asking.catch(() => queryCalendar(room, span, signal)),
        /** @type {Promise<CalendarObject[]>} */ (Promise.reject()),
      );
  }

  /** As it is shown. @param {string} room @param {string} name @returns {CalendarObject | undefined} */
  object(room, name) {
    const key = keyOf(room, name);
    return this.#pretended.has(key) ? this.#pretended.get(key) : this.#rooms.get(room)?.get(name);
  }

  /** As the server has it. @param {string} room @param {string} name */
  kept(room, name) {
    const held = this.#rooms.get(room)?.get(name);
    return held && { etag: held.etag, text: held.text };
  }

  /**
   * Shown until it is settled.
   * @param {string} room
   * @param {string} name
   * @param {string | undefined} text undefined: it is gone
   */
  pretend(room, name, text) {
    const etag = this.object(room, name)?.etag ?? '';
    this.#pretended.set(keyOf(room, name), text === undefined ? undefined : { name, etag, text });
    this.#turn(room);
  }

  /**
   * As the server has it now; without `object` as it was. What was done to it since `text` was sent is still shown.
   * @param {string} room
   * @param {string} name
   * @param {CalendarObject | 'gone'} [object]
   */
  settle(room, name, object) {
    const key = keyOf(room, name);
    const sent = object === 'gone' ? undefined : object?.text;
    if (!object || this.#pretended.get(key)?.text === sent) this.#pretended.delete(key);
    if (object === 'gone') this.#rooms.get(room)?.delete(name);
    else if (object) this.#rooms.get(room)?.set(name, object);
    this.#turn(room);
  }

  /** @param {string} room */
  #turn(room) {
    this.#turns.set(room, (this.#turns.get(room) ?? 0) + 1);
  }

  /** In the order of their starts. @param {CalendarRoom[]} rooms @param {Range} range @returns {ShownEvent[]} */
  events(rooms, range) {
    /** @type {ShownEvent[]} */
    const all = [];
    for (const { name: room, hue, canWrite } of rooms) {
      const names = new Set(this.#rooms.get(room)?.keys());
      for (const key of this.#pretended.keys()) if (key.startsWith(`${room}\n`)) names.add(key.slice(room.length + 1));
      for (const name of names) {
        const held = /** @type {Held | undefined} */ (this.object(room, name));
        const isWaiting = this.waiting.has(keyOf(room, name));
        for (const event of held ? eventsOf(held, range) : [])
          all.push({ ...event, room, name, hue, canWrite, isWaiting });
      }
    }
    return all.sort((one, other) => one.start - other.start || other.end - one.end);
  }
}

/** @param {{ first: string, last: string }} days */
export const rangeOf = ({ first, last }) => ({
  from: instantOfWhen({ day: first }, ZONE),
  to: instantOfWhen({ day: addDays(last, 1) }, ZONE),
});

/** @param {string} room @param {string} name */
const keyOf = (room, name) => `${room}\n${name}`;

/** @param {Held} held @param {Range} range */
function eventsOf(held, { from, to }) {
  const key = `${from} ${to}`;
  if (held.read?.key !== key) held.read = { key, events: readEvents(held.text, from, to, ZONE) };
  return held.read.events;
}

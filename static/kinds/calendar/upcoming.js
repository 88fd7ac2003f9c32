// What the calendars in sight hold in a time, where none of them is open: each is asked again when it has changed.

import { today } from '../../formats/days.js';
import { markOf, roomNamed } from '../../model/room-list.js';
import { calendarsInSight } from './calendars.js';
import { daysKept } from './routes.js';
import { CalendarSource, rangeOf } from './source.js';

/** @import { Range, ShownEvent } from './source.js' */

export class ComingEvents {
  #source = new CalendarSource(daysKept(today()).map(rangeOf));
  /** what each calendar was like when it was read @type {Map<string, string>} */
  #marks = new Map();
  #asked = '';

  /**
   * In the order of their starts; what cannot be read is left out.
   * @param {Range} range @param {AbortSignal} [signal] @returns {Promise<ShownEvent[]>}
   */
  async read(range, signal) {
    const rooms = calendarsInSight();
    const asked = `${range.from} ${range.to}`;
    if (asked !== this.#asked) this.#marks.clear();
    this.#asked = asked;
    await Promise.allSettled(
      rooms.map(async ({ name }) => {
        const room = roomNamed(name);
        const mark = room ? markOf(room) : '';
        if (this.#marks.get(name) === mark) return;
        await this.#source.load(name, range, signal);
        this.#marks.set(name, mark);
      }),
    );
    return this.#source.events(rooms, range);
  }

  /** The number of the message that an event is kept in, for its address. @param {ShownEvent} event */
  numberOf = ({ room, name }) => Number(/\d+/.exec(this.#source.object(room, name)?.etag ?? '')?.[0]);
}

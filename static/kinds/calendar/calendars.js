// The calendars of the reader: their colours, and which are in sight. The choice is kept on the device.

import { lists } from '../../model/room-list.js';
import { hueOf } from '../../ui/avatar.js';
import { kindOf } from '../index.js';

/** @typedef {{ name: string, hue: number, isOn: boolean, canWrite: boolean }} CalendarRoom */

const CHOICE = 'calendars';
const HUES = 8;
/** so many are read for what is coming, whatever is chosen */
const MOST_READ = 16;
/** so many are in sight before the reader has chosen: each is a request */
const FIRST_SHOWN = 8;

/** @returns {Record<string, boolean>} */
function choices() {
  try {
    return JSON.parse(localStorage.getItem(CHOICE) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {string} name @param {boolean} isOn */
export const setShown = (name, isOn) => localStorage.setItem(CHOICE, JSON.stringify({ ...choices(), [name]: isOn }));

/**
 * The room that is open first, without one one's own. Colours are those of the names, another one where it is taken
 * already.
 * @param {{ name: string, canPost: boolean, isGuest: boolean }} [open]
 * @returns {CalendarRoom[]}
 */
export function calendarRooms(open) {
  const chosen = choices();
  const known = lists
    .get()
    .rooms.filter((room) => kindOf(room).label === 'kind.calendar' && (!room.is_zapped || room.name === open?.name));
  const rooms = open ? known : known.sort((a, b) => Number(b.is_mailbox) - Number(a.is_mailbox));
  /** @type {Set<number>} */
  const taken = new Set();
  /** @type {Map<string, number>} */
  const hues = new Map();
  const names = [...rooms.map((room) => room.name), ...(open ? [open.name] : [])];
  for (const name of [...new Set(names)].sort()) {
    let hue = hueOf(name);
    for (let tries = 0; taken.has(hue) && tries < HUES; tries++) hue = (hue + 3) % HUES;
    if (taken.size < HUES) taken.add(hue);
    hues.set(name, hue);
  }
  const others = rooms.filter((room) => room.name !== open?.name && !room.is_password_protected);
  return [
    ...(open
      ? [{ name: open.name, hue: hues.get(open.name) ?? 0, isOn: chosen[open.name] ?? true, canWrite: open.canPost }]
      : []),
    ...others.map(({ name, is_read_only }, place) => ({
      name,
      hue: hues.get(name) ?? 0,
      isOn: chosen[name] ?? place < FIRST_SHOWN - 1,
      canWrite: !open?.isGuest && !is_read_only,
    })),
  ];
}

/** Those whose events are shown where no calendar is open; each is a request. */
export const calendarsInSight = () =>
  calendarRooms()
    .filter(({ isOn }) => isOn)
    .slice(0, MOST_READ);

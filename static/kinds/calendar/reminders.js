// Reminders of what begins soon, as notifications of the browser: for those who ask for them, while the page is open.
// They go on when the reader is elsewhere on the page.

import { t } from '../../core/i18n.js';
import { user } from '../../model/session.js';
import { calendarRooms } from './calendars.js';
import { clockText, whenText } from './said.js';
import { CalendarSource } from './source.js';

/** @import { ShownEvent } from './source.js' */

const CHOICE = 'reminders';
const LOOK_MS = 30_000;
const READ_MS = 10 * 60_000;
/** reminders of a week before are found, in seconds */
const AHEAD = 8 * 86_400;
/** what was due this long ago is still told: the device may have slept, in seconds */
const LATE = 10 * 60;

/** @type {Set<string>} */
const told = new Set();
let timer = 0;
let readAt = 0;
/** @type {ShownEvent[]} */
let coming = [];
/** @type {Parameters<typeof calendarRooms>[0] | undefined} */
let open;

export const areRemindersOn = () =>
  localStorage.getItem(CHOICE) === 'on' && 'Notification' in globalThis && Notification.permission === 'granted';

/** Asks the browser first. Answers whether they are on now. @param {boolean} isOn */
export async function setReminders(isOn) {
  const isAllowed = isOn && (await Notification.requestPermission()) === 'granted';
  if (isAllowed) localStorage.setItem(CHOICE, 'on');
  else localStorage.removeItem(CHOICE);
  if (isAllowed) {
    readAt = 0;
    look();
  }
  return isAllowed;
}

/** Once a page. @param {Parameters<typeof calendarRooms>[0]} room that is open */
export function startReminders(room) {
  open = room;
  if (timer !== 0 || room.isGuest) return;
  timer = window.setInterval(look, LOOK_MS);
  look();
}

async function look() {
  if (!open || !areRemindersOn() || !user.get()) return;
  const now = Date.now() / 1000;
  if (Date.now() - readAt > READ_MS) {
    readAt = Date.now();
    const rooms = calendarRooms(open).filter(({ isOn }) => isOn);
    const source = new CalendarSource();
    const range = { from: now - 86_400, to: now + AHEAD };
    await Promise.allSettled(rooms.map(({ name }) => source.load(name, range)));
    coming = source.events(rooms, range);
  }
  for (const { key, event } of dueReminders(coming, now)) {
    if (told.has(key)) continue;
    told.add(key);
    tell(event);
  }
}

/** @param {ShownEvent} event */
function tell(event) {
  const title = event.title || t('calendar.untitled');
  const time = event.isDay ? whenText(event) : clockText(event.startTime);
  const shown = new Notification(title, { body: [time, event.place].filter(Boolean).join(', '), tag: event.uid });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}

/**
 * Those whose time has come. Pure.
 * @template {{ uid: string, start: number, alarms: number[], status: string }} E
 * @param {E[]} events @param {number} now Unix seconds
 */
export function dueReminders(events, now) {
  return events
    .filter(({ status }) => status !== 'CANCELLED')
    .flatMap((event) =>
      event.alarms
        .map((before) => ({ event, at: event.start - before, key: `${event.uid} ${event.start} ${before}` }))
        .filter(({ at }) => at <= now && at > now - LATE),
    );
}

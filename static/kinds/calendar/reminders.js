// Reminders of what begins soon, as notifications of the browser: for those who ask for them, from the time the page is
// open (the shell starts them), wherever on the page the reader is.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { user } from '../../model/session.js';
import { showNotification } from '../../ui/notifications.js';
import { clockText, whenText } from './format.js';
import { ComingEvents } from './upcoming.js';

/** @import { Range, ShownEvent } from './source.js' */

const CHOICE = 'reminders';
const SCAN_MS = 30_000;
/** everything is read again: a room server may not tell what has changed */
const READ_MS = 30 * 60_000;
/** reminders of a week before are found, in seconds */
const AHEAD = 8 * 86_400;
/** what was due this long ago is still told: the device may have slept, in seconds */
const LATE = 10 * 60;

/** @type {Set<string>} */
const told = new Set();
let timer = 0;
let readAt = 0;
/** @type {Range} */
let range = { from: 0, to: 0 };
/** whose they are @type {string | undefined} */
let owner;
let coming = new ComingEvents();

export const areRemindersOn = () =>
  localStorage.getItem(CHOICE) === 'on' && 'Notification' in globalThis && Notification.permission === 'granted';

/** Asks the browser first. Answers whether they are on now. @param {boolean} isOn */
export async function setReminders(isOn) {
  const isAllowed = isOn && (await Notification.requestPermission()) === 'granted';
  if (isAllowed) localStorage.setItem(CHOICE, 'on');
  else localStorage.removeItem(CHOICE);
  if (isAllowed) {
    startReminders();
    look();
  }
  return isAllowed;
}

/** Once a page. */
export function startReminders() {
  if (timer !== 0) return;
  timer = window.setInterval(look, SCAN_MS);
  look();
}

async function look() {
  const name = user.get()?.username;
  if (name !== owner) {
    coming = new ComingEvents();
    readAt = 0;
    told.clear();
  }
  owner = name;
  if (name === undefined || !areRemindersOn()) return;
  const now = Math.floor(Date.now() / 1000);
  if (Date.now() - readAt > READ_MS) {
    readAt = Date.now();
    range = { from: now - 86_400, to: now + AHEAD };
  }
  const events = await coming.read(range);
  if (user.get()?.username !== name) return;
  for (const { key, event } of dueReminders(events, now)) {
    if (told.has(key)) continue;
    told.add(key);
    tell(event, key);
  }
}

/** @param {ShownEvent} event @param {string} key */
function tell(event, key) {
  const title = event.title || t('calendar.untitled');
  const time = event.isDay ? whenText(event) : clockText(event.startTime);
  // windows of one browser tell it once
  const notice = { body: [time, event.place].filter(Boolean).join(', '), tag: key };
  showNotification(title, { ...notice, address: routeTo(event.room, coming.numberOf(event)) });
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

// Events as files: brought in from .ics, taken out one by one or as a whole calendar.

import { queryCalendar } from '../../api/calendars.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { joinCalendars, splitCalendar } from '../../formats/calendar-file.js';
import { openDialog } from '../../ui/dialog.js';
import { choice, field } from '../../ui/form.js';
import { announce, BULK_UNDO_SECONDS, offerBack } from '../../ui/notices.js';

/** @import { calendarChanges } from './changes.js' */
/** @import { CalendarRoom } from './calendars.js' */

const TYPE = 'text/calendar';
/** a file of more is not read into the page */
const MOST_BYTES = 20_000_000;

/** @param {string} text @param {string} name */
export function saveAs(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: TYPE }));
  element('a', { href: address, download: `${name.replaceAll(/[/\\:*?"<>|]/g, '-') || 'calendar'}.ics` }).click();
  // the browser has begun by then
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** All of a calendar. Throws Problem. @param {string} room */
export async function takeOutAll(room) {
  const objects = await queryCalendar(room, undefined);
  saveAs(
    joinCalendars(
      objects.map(({ text }) => text),
      room,
    ),
    room,
  );
}

/** @param {(files: File[]) => unknown} onFiles */
export function chooseFiles(onFiles) {
  const input = element('input', { type: 'file', accept: '.ics,text/calendar', multiple: true });
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]));
  input.click();
}

/**
 * Asks where to, and says how many there were.
 * @param {File[]} files @param {CalendarRoom[]} rooms that can be written @param {string} room
 * @param {Pick<ReturnType<typeof calendarChanges>, 'bringIn' | 'takeOut'>} changes
 */
export async function bringInFiles(files, rooms, room, { bringIn, takeOut }) {
  if (files.some(({ size }) => size > MOST_BYTES)) return announce(t('calendar.import.large'));
  const texts = await Promise.all(files.map((file) => file.text()));
  const objects = texts.flatMap((text) => splitCalendar(text));
  if (objects.length === 0) return announce(t('calendar.import.none'));
  const where = choice(
    'import-room',
    rooms.map(({ name }) => [name, name]),
    room,
  );
  let said = '';
  /** @type {Awaited<ReturnType<typeof bringIn>>} */
  let added = [];
  const answer = await openDialog({
    title: t('calendar.import.title', { count: objects.length }),
    body: field(t('calendar.calendar'), where),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: t('calendar.import.action'), kind: 'primary', value: 'yes' },
    ],
    attempt: async () => {
      try {
        added = await bringIn(where.value, objects);
        const done = t('calendar.import.done', { count: added.length });
        const known = objects.length - added.length;
        said = known > 0 ? `${done} ${t('calendar.import.known', { count: known })}` : done;
        return undefined;
      } catch (problem) {
        return problem instanceof Error ? problem.message : String(problem);
      }
    },
  });
  if (answer !== 'yes') return;
  if (added.length > 0) offerBack(said, () => takeOut(where.value, added), BULK_UNDO_SECONDS);
  else announce(said);
}

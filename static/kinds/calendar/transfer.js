// Events as files: brought in from .ics, taken out one by one or as a whole calendar.

import { decodeObjectFile } from '../../../src/mime/objects/card-file.ts';
import { queryCalendar } from '../../api/calendars.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { joinCalendars, splitCalendar } from '../../formats/calendar-file.js';
import { beginImport } from '../../model/imports.js';
import { choice, field } from '../../ui/form.js';
import { announce, ask } from '../../ui/notices.js';
import { showImport, tellImport } from '../list/importing.js';

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
 * Asks where to, and brings them in there, whatever else is done meanwhile.
 * @param {File[]} files @param {CalendarRoom[]} rooms that can be written @param {string} room
 * @param {(room: string) => unknown} over
 */
export async function bringInFiles(files, rooms, room, over) {
  if (files.some(({ size }) => size > MOST_BYTES)) return announce(t('calendar.import.large'));
  const texts = await Promise.all(
    files.map(async (file) => decodeObjectFile(new Uint8Array(await file.arrayBuffer()))),
  );
  const items = texts.flatMap((text) => splitCalendar(text));
  if (items.length === 0) return announce(t('calendar.import.none'));
  const where = choice(
    'import-room',
    rooms.map(({ name }) => [name, name]),
    room,
  );
  const isMeant = await ask(
    t('calendar.import.title', { count: items.length }),
    t('calendar.import.action'),
    field(t('calendar.calendar'), where),
    async () => {},
  );
  if (!isMeant) return;
  const name = files.map((file) => file.name).join(', ');
  const { job, over: done } = beginImport({ name, room: where.value, type: `${TYPE}; charset=utf-8`, items });
  void done.then(() => {
    tellImport(job);
    over(job.room);
  });
  await showImport(job);
  // also what was undone
  over(job.room);
}

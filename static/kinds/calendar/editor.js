// The form of an event: what, when, how often, where, who. Only what was changed is said to have changed, so that the
// rest stays as other programs wrote it.

import { Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { roomTitle } from '../../model/room-list.js';
import { user } from '../../model/session.js';
import { openDialog } from '../../ui/dialog.js';
import { choice, field, line, lines } from '../../ui/form.js';
import { keptNote } from '../../ui/writing.js';
import { alarmFields } from './alarm-fields.js';
import { reasonOf } from './changes.js';
import { peopleField } from './people-field.js';
import { repeatFields } from './repeat-fields.js';
import { timeFields, usualTimes } from './time-fields.js';

/** @import { EventChange } from '../../formats/calendar-fields.js' */
/** @import { CalendarRoom } from './calendars.js' */
/** @import { Draft } from '../../model/drafts.js' */
/** @import { ShownEvent } from './source.js' */

/**
 * `shown` is what the fields showed at first, from which a change is made.
 * @typedef {{ day: string, room: string, fields: EventChange, shown?: EventChange }} KeptEvent
 */

/** before the start of a new event, in seconds */
const USUAL_ALARMS = [900];

/**
 * @param {object} options
 * @param {ShownEvent} [options.event] the one that is changed
 * @param {string} [options.day] of a new one
 * @param {EventChange} [options.fields] what a new one begins with
 * @param {string} options.room
 * @param {CalendarRoom[]} options.rooms that can be written
 * @param {Draft} options.draft where it is kept until it is saved, and begins with what is kept there
 * @param {(room: string, change: EventChange) => Promise<unknown>} options.save false where the reader went back
 */
export async function openEditor({ event, day = '', fields = {}, room, rooms, draft, save }) {
  const kept = /** @type {KeptEvent | undefined} */ (draft.read()?.value);
  /** @type {EventChange} */
  const begin = { ...fields, ...event, ...kept?.fields };
  const title = line('event-title', begin.title ?? '', { dir: 'auto', maxlength: 500 });
  const usual = usualTimes(day);
  const times = timeFields({ from: begin.from ?? usual.from, to: begin.to ?? usual.to });
  const repeat = repeatFields(begin.rule ?? '', times.from);
  times.listen(repeat.refresh);
  const place = line('event-place', begin.place ?? '', { dir: 'auto' });
  const notes = lines('event-notes', begin.notes ?? '', { rows: 3 });
  const alarms = alarmFields(begin.alarms ?? (times.from().time === undefined ? [] : USUAL_ALARMS));
  const people = peopleField(event, begin.attendees);
  const where = choice(
    'event-room',
    rooms.map(({ name }) => [name, roomTitle(name)]),
    kept?.room ?? room,
  );
  const isFree = element('input', { type: 'checkbox', class: 'check', checked: begin.isFree ?? false });
  const isPrivate = element('input', { type: 'checkbox', class: 'check', checked: begin.isPrivate ?? false });

  /** @returns {EventChange} */
  const written = (isDone = false) => {
    const { from, to } = times.value();
    /** @type {EventChange} */
    const all = {
      title: title.value.trim(),
      place: place.value.trim(),
      notes: notes.value.replaceAll('\r\n', '\n').trim(),
      isFree: isFree.checked,
      isPrivate: isPrivate.checked,
      alarms: alarms.value(),
      rule: repeat.value(),
      from,
      to,
    };
    const attendees = people.value(isDone);
    if (attendees) {
      all.attendees = attendees;
      all.organizer = { address: user.get()?.email ?? '', name: user.get()?.fullname };
    }
    return all;
  };
  // a field may show what the event says in another way
  const shown = kept?.shown ?? written();
  const body = element(
    'div',
    { class: 'stack event-form' },
    kept && keptNote(draft),
    field(t('calendar.title'), title),
    times.node,
    repeat.node,
    field(t('calendar.place'), place),
    people.node,
    alarms.node,
    field(t('calendar.notes'), notes),
    element(
      'div',
      { class: 'event-pair' },
      field(t('calendar.calendar'), where),
      element(
        'div',
        {},
        element('label', { class: 'check-row' }, isFree, t('calendar.free')),
        element('label', { class: 'check-row' }, isPrivate, t('calendar.private')),
      ),
    ),
  );
  await openDialog({
    title: t(event ? 'calendar.edit-title' : 'calendar.new'),
    size: 'large',
    initial: title,
    body,
    draft,
    value: () => ({ day, room: where.value, fields: written(), shown }),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: t('ui.save'), kind: 'primary', value: 'save' },
    ],
    attempt: async () => {
      const fault = times.fault() ?? (people.hasFaults() ? t('calendar.wrong-people') : undefined);
      if (fault !== undefined) return fault;
      try {
        const wanted = event ? whatChanged({ ...event, ...shown }, written(true)) : written(true);
        const isSame = event && Object.keys(wanted).length === 0 && where.value === event.room;
        const isDone = isSame || (await save(where.value, wanted)) !== false;
        return isDone ? undefined : t('calendar.not-saved');
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        return reasonOf(problem);
      }
    },
  });
}

/**
 * @param {Omit<ShownEvent, 'attendees' | 'organizer'> & Required<Pick<EventChange, 'attendees'>>} event
 * @param {EventChange} all
 * @returns {EventChange}
 */
export function whatChanged(event, all) {
  const { attendees, organizer, from, to, ...plain } = all;
  /** @type {Record<string, unknown>} */
  const before = { ...event };
  const same = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
    JSON.stringify(one) === JSON.stringify(other);
  const changed = Object.entries(plain).filter(([name, value]) => !same(value, before[name]));
  /** @type {EventChange} */
  const change = Object.fromEntries(changed);
  const when = (/** @type {EventChange['from']} */ each) => [each?.day, each?.time?.slice(0, 5), each?.zone ?? ''];
  if (!same([when(from), when(to)], [when(event.from), when(event.to)])) Object.assign(change, { from, to });
  const addresses = (/** @type {{ address: string }[]} */ people) =>
    people.map(({ address }) => address.toLowerCase()).sort();
  if (attendees && !same(addresses(attendees), addresses(event.attendees)))
    Object.assign(change, { attendees, organizer });
  return change;
}

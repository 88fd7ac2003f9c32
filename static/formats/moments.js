// Times as a form has them (a day, `2026-05-14`, and a time, `10:30`, in a zone) and as the engine does (instants and
// local times, in seconds). Zones are names of the IANA database; '' is wherever the reader is.

import { makeLine } from '../../src/mime/objects/components.ts';
import { instantOf, localOf, UTC } from '../../src/mime/objects/offsets.ts';
import { zoneCalled as knownZone } from '../../src/mime/objects/zone-names.ts';

/** @typedef {import('../../src/mime/objects/offsets.ts').Zone} Zone */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').Moment} Moment */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/**
 * @typedef {object} When
 * @property {string} day
 * @property {string} [time] missing where it takes whole days
 * @property {string} [zone] of the time; '' or missing: wherever the reader is
 */

export const DAY = 86_400;

/** UTC for a name that nobody knows. @param {string} name @returns {Zone} */
export const zoneCalled = (name) => knownZone(name) ?? UTC;

/** `2026-05-14` of a local time. @param {number} local */
export const dayOfLocal = (local) => new Date(local * 1000).toISOString().slice(0, 10);

/** `10:30` of a local time. @param {number} local */
export const timeOfLocal = (local) => new Date(local * 1000).toISOString().slice(11, 16);

/** The local time of a day and a time. @param {string} day @param {string} [time] */
export const localSeconds = (day, time = '00:00') => Date.parse(`${day}T${time}:00Z`) / 1000;

/** What the clocks of a zone show at an instant. @param {number} instant @param {string} zone @returns {When} */
export function whenIn(instant, zone) {
  const local = localOf(zoneCalled(zone), instant);
  return { day: dayOfLocal(local), time: timeOfLocal(local), zone };
}

/** The instant that is meant; a day begins in the zone of the reader. @param {When} when @param {string} readersZone */
export function instantOfWhen({ day, time, zone = '' }, readersZone) {
  return instantOf(zoneCalled(time === undefined || zone === '' ? readersZone : zone), localSeconds(day, time));
}

/** `DTSTART;TZID=Europe/Berlin:20260514T103000`. @param {string} name @param {When} when @returns {ContentLine} */
export function whenLine(name, { day, time, zone = '' }) {
  const date = day.replaceAll('-', '');
  if (time === undefined) return makeLine(name, date, { VALUE: 'DATE' });
  const value = `${date}T${time.replaceAll(':', '').padEnd(6, '0')}`;
  if (zone === 'UTC') return makeLine(name, `${value}Z`);
  return zone === '' ? makeLine(name, value) : makeLine(name, value, { TZID: zone });
}

/** The same of a moment of the engine, which may be a local time of its zone. @param {Moment} moment @returns {When} */
export function whenOfMoment({ local, isDay, zone }) {
  return isDay ? { day: dayOfLocal(local) } : { day: dayOfLocal(local), time: clockOf(local), zone: zone.name };
}

/** With seconds where there are some. @param {number} local */
const clockOf = (local) => new Date(local * 1000).toISOString().slice(11, local % 60 === 0 ? 16 : 19);

// Where events stand: bars over days in lanes, and blocks of a day side by side where they overlap. Pure.

import { addDays, daysBetween } from '../../formats/days.js';

/** @import { CalendarEvent } from '../../formats/calendar.js' */

/** minutes that a block is high at least, to be read and pressed */
const LEAST_MINUTES = 25;
/** minutes that the title of a block is high: what begins later may lie over the rest */
const TITLE_MINUTES = 30;
const DAY_MINUTES = 1440;

/** What is shown over days rather than at a time. @param {Pick<CalendarEvent, 'isDay' | 'start' | 'end'>} event */
export const isBar = ({ isDay, start, end }) => isDay || end - start >= 86_400;

/**
 * @template {Pick<CalendarEvent, 'firstDay' | 'lastDay'>} E
 * @typedef {{ event: E, from: number, days: number, lane: number, isBegun: boolean, goesOn: boolean }} Bar
 *   `from` counts from the first of the days, `isBegun`: before them
 */

/**
 * Each in the first lane that is free, the longer ones first where they begin together.
 * @template {Pick<CalendarEvent, 'firstDay' | 'lastDay'>} E
 * @param {E[]} events in the order of their starts @param {string} first @param {number} count of days
 * @returns {Bar<E>[]}
 */
export function barsOf(events, first, count) {
  /** @type {number[]} the first day that is free, of each lane */
  const free = [];
  const last = addDays(first, count - 1);
  const places = events
    .filter(({ firstDay, lastDay }) => firstDay <= last && lastDay >= first)
    .map((event) => {
      const from = Math.max(0, daysBetween(first, event.firstDay));
      const to = Math.min(count - 1, daysBetween(first, event.lastDay));
      return { event, from, days: to - from + 1, isBegun: event.firstDay < first, goesOn: event.lastDay > last };
    })
    .sort((one, other) => one.from - other.from || other.days - one.days);
  return places.map((place) => {
    const found = free.findIndex((day) => day <= place.from);
    const lane = found < 0 ? free.length : found;
    free[lane] = place.from + place.days;
    return { ...place, lane };
  });
}

/** `10:30` → 630. @param {string} time */
export const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** 630 → `10:30`; the end of the day is `24:00`. @param {number} minutes */
export const timeOf = (minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/**
 * @template {Pick<CalendarEvent, 'firstDay' | 'lastDay' | 'startTime' | 'endTime'>} E
 * @typedef {{ event: E, from: number, to: number, column: number, columns: number, span: number }} Block
 *   minutes of the day; `span` is over how many of the columns it lies
 */

/**
 * Those that overlap share the width; each group of them has its own number of columns. A block lies over the columns
 * behind its own as far as nothing is in its way; where `isTight`, no title: what begins below its own lies above it.
 * @template {Pick<CalendarEvent, 'firstDay' | 'lastDay' | 'startTime' | 'endTime'>} E
 * @param {E[]} events @param {string} day @param {boolean} [isTight] for days that are narrow
 * @returns {Block<E>[]}
 */
export function blocksOf(events, day, isTight = false) {
  const blocks = events
    .filter(({ firstDay, lastDay }) => firstDay <= day && lastDay >= day)
    .map((event) => ({ event, ...minutesIn(event, day), column: 0, columns: 1, span: 1 }))
    .sort((one, other) => one.from - other.from || other.to - one.to);
  /** @type {Block<E>[]} */
  let group = [];
  /** @type {number[]} where each column is free again */
  let ends = [];
  const endOf = (/** @type {Block<E>} */ { from, to }) => (isTight ? Math.min(to, from + TITLE_MINUTES) : to);
  const close = () => {
    for (const block of group) {
      block.columns = ends.length;
      const inTheWay = group.filter(
        ({ column, from, to }) => column > block.column && from < endOf(block) && to > block.from,
      );
      block.span = Math.min(ends.length, ...inTheWay.map(({ column }) => column)) - block.column;
    }
    group = [];
    ends = [];
  };
  for (const block of blocks) {
    if (ends.every((end) => end <= block.from)) close();
    const found = ends.findIndex((end) => end <= block.from);
    block.column = found < 0 ? ends.length : found;
    ends[block.column] = block.to;
    group.push(block);
  }
  close();
  return blocks;
}

/** @param {Pick<CalendarEvent, 'firstDay' | 'lastDay' | 'startTime' | 'endTime'>} event @param {string} day */
function minutesIn({ firstDay, lastDay, startTime, endTime }, day) {
  const from = firstDay === day ? minutesOf(startTime) : 0;
  const ending = lastDay === day ? minutesOf(endTime) : DAY_MINUTES;
  // what ends at midnight says 0:00, on the day before
  const to = ending < from || (ending === 0 && firstDay < day) ? DAY_MINUTES : ending;
  const least = Math.min(from, DAY_MINUTES - LEAST_MINUTES);
  return { from: least, to: Math.max(to, least + LEAST_MINUTES) };
}

// Converts the times of a calendar object to instants, using its own time zones, the named ones, and one for floating
// times (RFC 5545 sections 3.3.4, 3.3.5 and 3.2.19; RFC 4791 section 7.3).

import { MAX_CALENDAR_ZONE_STEPS, MAX_CALENDAR_ZONES, MAX_DATES } from '../../limits/mime.ts';
import { DAY_SECONDS, type Duration, dayStart, parseDateTime, parseDuration } from './calendar-time.ts';
import { calendarZone, zoneByNames } from './calendar-zone.ts';
import { type Component, type ContentLine, lineOf, zoneKey } from './content-lines.ts';
import { type Budget, instantOf, localOf, UTC, type Zone } from './offsets.ts';
import { zoneCalled } from './zone-names.ts';

/** A day, or a time in a zone. */
export interface Moment {
  /** the digits read as UTC; for a day, its start */
  local: number;
  isDay: boolean;
  zone: Zone;
  /** Unix seconds */
  instant: number;
}

/** The end is that of an RDATE or FREEBUSY period. */
export interface DatedMoment extends Moment {
  end?: number | undefined;
}

export class CalendarTimes {
  /** the zone of floating times and days; its name is '' */
  readonly floating: Zone;
  readonly #calendar: Component;
  readonly #budget: Budget;
  readonly #zones = new Map<string, Zone>();
  #own: ReadonlyMap<string, Component> | undefined;

  /** `budget`: that of the query. It also pays for the time zones. */
  constructor(calendar: Component, floatingZone: Zone = UTC, budget: Budget = { steps: MAX_CALENDAR_ZONE_STEPS }) {
    this.#calendar = calendar;
    this.#budget = budget;
    this.floating = this.#within(floatingZone, '');
  }

  /** `DTSTART;TZID=Europe/Berlin:20260603T100000`; undefined if there is no valid date */
  momentOf(line: ContentLine | undefined): Moment | undefined {
    return line && this.#read(line.value, line);
  }

  /** The valid dates, times and periods of an RDATE, EXDATE or FREEBUSY line. */
  *momentsOf(line: ContentLine): Generator<DatedMoment> {
    for (const value of line.value.split(',', MAX_DATES)) {
      const moment = this.dateIn(value, line);
      if (moment) yield moment;
    }
  }

  dateIn(value: string, line: ContentLine): DatedMoment | undefined {
    const [begin = '', end] = value.split('/', 2);
    const moment = this.#read(begin, line);
    if (!moment || end === undefined) return moment;
    const duration = parseDuration(end);
    return { ...moment, end: duration ? this.after(moment, duration) : this.#read(end, line)?.instant };
  }

  /**
   * The start that an RDATE, EXDATE or RECURRENCE-ID means in a series with this DTSTART, whatever its form: a date is
   * that day at the time of the series, a time in a series of days is the day that is written, and a floating time is
   * in the zone of the series.
   */
  inSeries(start: Moment, date: DatedMoment): DatedMoment {
    const { local, isDay, zone, instant, end } = date;
    if (isDay === start.isDay && (zone.name === '') === (start.zone.name === '')) return date;
    const inDay = isDay ? start.local - dayStart(start.local) : 0;
    const meant = this.at(local + inDay, start.zone, start.isDay);
    return end === undefined || start.isDay ? meant : { ...meant, end: meant.instant + end - instant };
  }

  /** The local time of the series at that start. */
  clockInSeries(start: Moment, date: DatedMoment): number {
    return localOf(start.zone, this.inSeries(start, date).instant);
  }

  /** A local time in a zone. A day starts with its first second. */
  at(local: number, zone: Zone, isDay: boolean): Moment {
    const begin = isDay ? dayStart(local) : local;
    return { local: begin, isDay, zone, instant: instantOf(zone, begin) };
  }

  /** The end of a duration from that moment. Days are calendar days of the zone. */
  after({ local, zone, instant }: Moment, { days, seconds }: Duration): number {
    return (days === 0 ? instant : instantOf(zone, local + days * DAY_SECONDS)) + seconds;
  }

  /** The calendar's own zone, a named one, or else the one of floating times. */
  zoneNamed(name: string): Zone {
    if (name === '') return this.floating;
    const cached = this.#zones.get(name);
    if (cached) return cached;
    // an object with thousands of zones is an attack
    if (this.#zones.size >= MAX_CALENDAR_ZONES) return this.floating;
    this.#own ??= new Map(
      this.#calendar.components
        .filter((one) => one.name === 'VTIMEZONE')
        .map((one) => [zoneKey(lineOf(one, 'TZID')?.value ?? ''), one]),
    );
    const own = this.#own.get(zoneKey(name));
    const found = own
      ? (this.#budget.steps > 0 && calendarZone(own, this.#budget)) || zoneByNames(own)
      : zoneCalled(name);
    const zone = found ? this.#within(found, found.name) : this.floating;
    this.#zones.set(name, zone);
    return zone;
  }

  #within({ near }: Zone, name: string): Zone {
    return { name, near: (time) => near(time, this.#budget) };
  }

  #read(value: string, line: ContentLine): Moment | undefined {
    const date = parseDateTime(value, line.params.get('TZID') ?? '');
    if (!date) return undefined;
    const { seconds, isDay } = date;
    if (date.zone === 'UTC' && /z\s*$/i.test(value)) return { local: seconds, isDay, zone: UTC, instant: seconds };
    return this.at(seconds, isDay ? this.floating : this.zoneNamed(date.zone), isDay);
  }
}

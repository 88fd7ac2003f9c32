// Times in Unix seconds, as the protocol counts: the clock of the embedded room server, and what dates can be written
// down. HTTP, mail, iCalendar and XML have years of four digits, and a room server may say any number of seconds.

/** Unix seconds */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

const FIRST_SECOND = new Date(0).setUTCFullYear(0, 0, 1) / 1000;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Unix seconds → the nearest that have a year of four digits */
export function writtenTime(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, FIRST_SECOND), LAST_SECOND) * 1000);
}

// Unix seconds: the clock of the embedded room server, and the range of formattable dates. HTTP, mail, iCalendar and
// XML have four-digit years, but a room server may send any number.

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

const FIRST_SECOND = new Date(0).setUTCFullYear(0, 0, 1) / 1000;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Unix seconds → the nearest date with a four-digit year */
export function writtenTime(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, FIRST_SECOND), LAST_SECOND) * 1000);
}

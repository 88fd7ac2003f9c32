// Days as text, `2026-05-14`, and the arithmetic of a calendar on the wall. No time zone has a say in it.

const DAY_MS = 86_400_000;

/** @param {string} day */
const timeOf = (day) => Date.parse(`${day}T00:00:00Z`);

/** @param {number} time */
const dayAt = (time) => new Date(time).toISOString().slice(0, 10);

/** Whether this is a day that the calendar has. @param {string} text */
export const isDay = (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeOf(text)) && dayAt(timeOf(text)) === text;

/** The day that the clock of this device shows. */
export function today(now = new Date()) {
  return dayAt(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

/** @param {string} day @param {number} count may be negative */
export const addDays = (day, count) => dayAt(timeOf(day) + count * DAY_MS);

/**
 * The same day of another month, the last one where that month is shorter.
 * @param {string} day @param {number} count
 */
export function addMonths(day, count) {
  const [year, month, date] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return dayAt(first.getTime());
}

/** How many days from one to the other. @param {string} from @param {string} to */
export const daysBetween = (from, to) => Math.round((timeOf(to) - timeOf(from)) / DAY_MS);

/** 1 is Monday, 7 is Sunday (ISO 8601). @param {string} day */
export const weekdayOf = (day) => new Date(timeOf(day)).getUTCDay() || 7;

/** The first day of the week of `day`. @param {string} day @param {number} firstDay 1 is Monday, 7 is Sunday */
export const startOfWeek = (day, firstDay) => addDays(day, -((weekdayOf(day) - firstDay + 7) % 7));

/** The whole weeks that a month is shown in: four to six of seven days. @param {string} day @param {number} firstDay */
export function weeksOfMonth(day, firstDay) {
  const month = day.slice(0, 7);
  const weeks = [];
  for (let start = startOfWeek(`${month}-01`, firstDay); start.slice(0, 7) <= month; start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(start, i)));
  }
  return weeks;
}

/** The week of the year (ISO 8601). @param {string} day */
export function weekNumber(day) {
  const thursday = addDays(startOfWeek(day, 1), 3);
  return Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1;
}

/** With which day weeks begin there; Monday where nobody knows. @param {string} locale @returns {number} */
export function firstDayOf(locale) {
  const about = /** @type {any} */ (new Intl.Locale(locale));
  return (about.getWeekInfo?.() ?? about.weekInfo)?.firstDay ?? 1;
}

/**
 * `14 May 2026` as the language has it.
 * @param {string} day @param {string} locale @param {Intl.DateTimeFormatOptions} [options]
 */
export function formatDay(day, locale, options = { dateStyle: 'long' }) {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(timeOf(day));
}

/**
 * A day as people write it in figures: `14.5.2026`, `14/5/26`, `14.5.` (of this year), or `2026-05-14`; undefined for
 * anything else. The language decides what stands first.
 * @param {string} text @param {string} locale @param {string} now this day
 */
export function parseDay(text, locale, now) {
  const figures = text
    .trim()
    .split(/[^\d]+/)
    .filter(Boolean);
  if (figures.length < 2 || figures.length > 3 || /[^\d\s./-]/.test(text)) return undefined;
  const order = figures[0].length === 4 ? ['year', 'month', 'day'] : orderOf(locale).slice(0, figures.length + 1);
  const wanted = figures.length === 3 ? order : order.filter((part) => part !== 'year');
  /** @type {Record<string, string>} */
  const parts = Object.fromEntries(wanted.map((part, i) => [part, figures[i]]));
  const year = parts.year === undefined ? now.slice(0, 4) : parts.year.length === 2 ? `20${parts.year}` : parts.year;
  const day = [year, (parts.month ?? '').padStart(2, '0'), (parts.day ?? '').padStart(2, '0')].join('-');
  return isDay(day) ? day : undefined;
}

/** @param {string} locale */
function orderOf(locale) {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0);
  return parts.map(({ type }) => /** @type {string} */ (type)).filter((type) => /^(year|month|day)$/.test(type));
}

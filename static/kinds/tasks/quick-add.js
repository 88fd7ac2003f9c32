// What a line says of a new task beside its words: when it is due, and that it matters. Read from the end, in the words
// of the reader's language: `Order tables fri 18:00 !`.

import { addDays, formatDay, isDay, parseDay, weekdayOf } from '../../formats/days.js';

/** @typedef {{ title: string, day: string | undefined, time: string | undefined, isUrgent: boolean }} QuickTask */

/** words before a day or a time, the days that have a name, and times with a word of theirs */
const WORDS = {
  en: {
    before: 'on|at|by|due|until|next|this',
    days: { today: 0, tonight: 0, tomorrow: 1, 'day after tomorrow': 2, 'next week': 7 },
    in: /^in (\d{1,3}) (day|week)s?$/,
    week: 'week',
    time: /^(\d{1,2})(?:[:.](\d\d))? ?(am|pm)$/,
  },
  de: {
    before: 'am|um|bis|bis zum|fällig|nächsten|nächste|diesen',
    days: { heute: 0, 'heute abend': 0, morgen: 1, übermorgen: 2, 'nächste woche': 7 },
    in: /^in (\d{1,3}) (tag|woche)(?:en|n)?$/,
    week: 'woche',
    time: /^(\d{1,2})(?:[:.](\d\d))? ?uhr()$/,
  },
  fr: {
    before: 'le|à|pour|avant|ce|pour le|avant le',
    days: { "aujourd'hui": 0, 'aujourd’hui': 0, 'ce soir': 0, demain: 1, 'après-demain': 2, 'la semaine prochaine': 7 },
    in: /^dans (\d{1,3}) (jour|semaine)s?$/,
    week: 'semaine',
    time: /^(\d{1,2}) ?h ?(\d\d)?()$/,
  },
  es: {
    before: 'el|a las|a la|para|para el|antes del|este|próximo',
    days: { hoy: 0, 'esta noche': 0, mañana: 1, 'pasado mañana': 2, 'la próxima semana': 7, 'la semana que viene': 7 },
    in: /^(?:en|dentro de) (\d{1,3}) (día|semana)s?$/,
    week: 'semana',
    time: /^(\d{1,2})(?:[:.](\d\d))? ?h()$/,
  },
};

/** words that one piece may have */
const MOST_WORDS = 5;

/** @typedef {typeof WORDS.en} Language */

/**
 * What is understood is taken from the end; the title keeps the rest, and everything where nothing would be left.
 * @param {string} text @param {{ language: string, locale: string, today: string }} reader
 * @returns {QuickTask}
 */
export function readQuickTask(text, { language, locale, today }) {
  const words = text.trim().split(/\s+/);
  const known = /** @type {Language} */ (WORDS[/** @type {keyof typeof WORDS} */ (language)] ?? WORDS.en);
  /** @type {QuickTask} */
  const task = { title: text.trim(), day: undefined, time: undefined, isUrgent: false };
  const isMark = (/** @type {string | undefined} */ word) => word !== undefined && /^!+$/.test(word);
  let left = words;
  if (left.length > 1 && isMark(left[0])) {
    task.isUrgent = true;
    left = left.slice(1);
  }
  for (;;) {
    const last = left.at(-1) ?? '';
    if (left.length > 1 && !task.isUrgent && isMark(last)) {
      task.isUrgent = true;
      left = left.slice(0, -1);
      continue;
    }
    const taken = takeOne(left, task, known, locale, today);
    if (taken === 0) break;
    left = left.slice(0, -taken);
  }
  if (task.time !== undefined) task.day ??= today;
  return { ...task, title: left.join(' ') };
}

/**
 * How many words at the end say a day or a time; one is always left.
 * @param {string[]} words @param {QuickTask} task @param {Language} known @param {string} locale @param {string} today
 */
function takeOne(words, task, known, locale, today) {
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count--) {
    const piece = words.slice(-count).join(' ').toLocaleLowerCase(locale).replace(/[,;]$/, '');
    const bare = piece.replace(new RegExp(`^(?:${known.before}) `), '');
    for (const said of new Set([piece, bare])) {
      const day = task.day === undefined ? dayOf(said, known, locale, today) : undefined;
      if (day !== undefined) {
        task.day = day;
        return count;
      }
      const time = task.time === undefined ? timeOf(said, known) : undefined;
      if (time !== undefined) {
        task.time = time;
        return count;
      }
    }
  }
  return 0;
}

/** @param {string} said @param {Language} known @param {string} locale @param {string} today */
function dayOf(said, known, locale, today) {
  const days = /** @type {Record<string, number>} */ (known.days);
  if (Object.hasOwn(days, said)) return addDays(today, days[said]);
  const within = known.in.exec(said);
  if (within) return addDays(today, Number(within[1]) * (within[2] === known.week ? 7 : 1));
  const weekday = weekdayCalled(said, locale);
  if (weekday !== undefined) return addDays(today, (weekday - weekdayOf(today) + 7) % 7 || 7);
  if (isDay(said)) return said;
  if (!/\d[./]\d/.test(said) || /^\d{1,2}\.\d\d$/.test(said)) return undefined;
  const day = parseDay(said, locale, today);
  // without its year it is the next one
  return day !== undefined && day < today && !/\d{4}|[./]\d{1,2}[./]\d/.test(said)
    ? parseDay(
        `${said.replace(/[./]$/, '')}${said.includes('/') ? '/' : '.'}${Number(today.slice(0, 4)) + 1}`,
        locale,
        today,
      )
    : day;
}

/** `fri`, `Friday`, `vendredi`, `Fr`: 5. @param {string} said @param {string} locale */
function weekdayCalled(said, locale) {
  const word = said.replace(/\.$/, '');
  if (word.length < 2) return undefined;
  for (let at = 0; at < 7; at++) {
    const day = addDays('2026-01-05', at);
    const names = /** @type {const} */ (['long', 'short']).map((weekday) =>
      formatDay(day, locale, { weekday }).toLocaleLowerCase(locale).replace(/\.$/, ''),
    );
    if (names.includes(word)) return weekdayOf(day);
  }
  return undefined;
}

/** @param {string} said @param {Language} known */
function timeOf(said, known) {
  const found = /^(\d{1,2}):(\d\d)()$/.exec(said) ?? known.time.exec(said);
  if (!found) return undefined;
  const [, hours, minutes = '00', half] = found;
  const hour = half ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || (half && (Number(hours) > 12 || Number(hours) === 0))) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

// What one version of an object or a page says and another does not, in words for who has to choose between them.

/** of no interest to the reader (RFC 5545 section 3.8.7, RFC 6350 section 6.7.4) */
const BOOKS = /^(?:DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE|REV|PRODID|N)[;:]/i;
const OBJECT = /^\s*BEGIN:/i;
const MOMENT = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/;

/**
 * The lines of the one that the other has not: of an object their values, `Miller`.
 * @param {string} one @param {string} other @param {string} [locale]
 * @returns {string[]}
 */
export function saidOnlyIn(one, other, locale) {
  const known = new Set(linesOf(other));
  const own = linesOf(one).filter((line) => !known.has(line));
  return OBJECT.test(one) ? own.map((line) => wordsOf(line, locale)) : own;
}

/** @param {string} text */
function linesOf(text) {
  if (!OBJECT.test(text)) return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  return lines.filter((line) => line !== '' && !BOOKS.test(line));
}

/** A moment as the reader writes it. @param {string} line @param {string} [locale] */
function wordsOf(line, locale) {
  const value = line.slice(line.indexOf(':') + 1);
  const [isMoment, year, month, day, hour, minute, isUtc] = MOMENT.exec(value) ?? [];
  if (!isMoment) return value.replaceAll(/\\([\\;,n])/gi, (_, char) => (/n/i.test(char) ? ' ' : char));
  const date = `${year}-${month}-${day}T`;
  if (!hour) return new Date(`${date}00:00`).toLocaleDateString(locale);
  return new Date(`${date}${hour}:${minute}${isUtc}`).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

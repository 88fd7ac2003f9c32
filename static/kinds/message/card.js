// Events, tasks, contacts and notes as lists of facts (iCalendar RFC 5545, vCard RFC 6350, vNote). Shows what people
// look for; what it does not know it leaves out.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { fieldsOf } from '../../formats/content-lines.js';
import { fullDay, fullTime } from '../../formats/times.js';

/** @param {string} contentType */
export const isGroupware = (contentType) => /^text\/(calendar|(x-)?v(card|note))\b/i.test(contentType);

/** @typedef {(value: string, params: string) => string} Show */

/** @type {[name: string, label: string, show: Show][]} */
const FACTS = [
  ['DTSTART', 'fact.begins', when],
  ['DTEND', 'fact.ends', when],
  ['DUE', 'fact.due', when],
  ['STATUS', 'fact.status', (value) => sentence(value.replaceAll('-', ' '))],
  ['RRULE', 'fact.repeats', (value) => sentence(/FREQ=(\w+)/i.exec(value)?.[1] ?? '')],
  ['LOCATION', 'fact.where', plain],
  ['DESCRIPTION', 'fact.description', plain],
  ['FN', 'fact.name', plain],
  ['ORG', 'fact.organization', structured],
  ['TITLE', 'fact.title', plain],
  ['EMAIL', 'fact.email', plain],
  ['TEL', 'fact.telephone', plain],
  ['ADR', 'fact.address', structured],
  ['BDAY', 'fact.birthday', when],
  ['URL', 'fact.web', plain],
  ['NOTE', 'fact.note', plain],
  ['BODY', 'fact.note', plain],
];

/**
 * The first component that people look for, as a list of facts.
 * @param {string} text
 */
export function groupwareCard(text) {
  const fields = fieldsOf(text);
  const facts = FACTS.flatMap(([name, label, show]) =>
    fields.filter((field) => field.name === name).map((field) => [label, show(field.value, field.params)]),
  ).filter(([, shown]) => shown !== '');
  if (facts.length === 0) return element('p', { class: 'muted' }, t('fact.none'));
  return element(
    'dl',
    { class: 'card box facts-list' },
    facts.map(([label, shown]) =>
      element('div', {}, element('dt', {}, t(label)), element('dd', { dir: 'auto' }, shown)),
    ),
  );
}

/** @type {Show} */
function plain(value, params) {
  const text = /ENCODING=QUOTED-PRINTABLE/i.test(params) ? fromQuotedPrintable(value) : value;
  return text.replace(/\\([nN,;\\])/g, (_, character) => (/n/i.test(character) ? '\n' : character));
}

/** @param {string} value */
function fromQuotedPrintable(value) {
  const bytes = value.replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/**
 * `;;Main Street 1;Town;;12345;` → its parts that are not empty, in their order
 * @param {string} value
 */
function structured(value) {
  return value
    .split(/(?<!\\);/)
    .map((part) => plain(part, ''))
    .filter((part) => part !== '')
    .join(', ');
}

/** @param {string} word */
const sentence = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/**
 * `20261123`, `1980-03-21`, `20261123T070000Z`, or with `TZID=` the clock of that place
 * @type {Show}
 */
function when(value, params) {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z)?)?$/.exec(value);
  if (!match) return plain(value, params);
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number);
  if (match[4] === undefined) return fullDay(new Date(Date.UTC(year, month - 1, day)));
  if (match[7]) return fullTime(new Date(Date.UTC(year, month - 1, day, hour, minute)));
  const zone = /TZID="?([^";]+)/i.exec(params)?.[1];
  return fullTime(new Date(year, month - 1, day, hour, minute)) + (zone ? ` (${zone})` : '');
}

// Files of many events, tasks or contacts, as programs export them: parted into the objects that a room stores, and
// put together again (RFC 4791 section 4.1, RFC 6352 section 5.1).

import { makeLine, writeComponent } from '../../src/mime/objects/components.ts';
import { lineOf, parseComponents } from '../../src/mime/objects/content-lines.ts';
import { withLines, withoutLines } from './lines.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {{ uid: string, kind: string, text: string }} StoredObject the kind: VEVENT, VTODO, VJOURNAL or VCARD */

const KINDS = ['VEVENT', 'VTODO', 'VJOURNAL'];
/** of the file, not of what is in it */
const OF_FILE = new Set(['METHOD', 'X-WR-CALNAME', 'X-WR-CALDESC', 'X-WR-TIMEZONE']);

/**
 * An object for each UID with the time zones that it names; what has no UID gets a new one.
 * @param {string} text iCalendar or vCard, of one object or many
 * @param {() => string} [newUid]
 * @returns {StoredObject[]}
 */
export function partObjects(text, newUid = () => crypto.randomUUID()) {
  return parseComponents(text).flatMap((root) => {
    if (root.name === 'VCALENDAR') return partCalendar(root, newUid);
    if (root.name !== 'VCARD') return [];
    const uid = lineOf(root, 'UID')?.value.trim() || newUid();
    // some programs have written 2.1 for ever; what is stored says what it is
    const version = lineOf(root, 'VERSION')?.value.trim() === '4.0' ? '4.0' : '3.0';
    const card = withLines(withLines(root, 'UID', makeLine('UID', uid)), 'VERSION', makeLine('VERSION', version));
    return [{ uid, kind: root.name, text: writeComponent(card) }];
  });
}

/** @param {Component} calendar @param {() => string} newUid @returns {StoredObject[]} */
function partCalendar(calendar, newUid) {
  const zones = new Map(
    calendar.components
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((zone) => [lineOf(zone, 'TZID')?.value.trim() ?? '', zone]),
  );
  /** @type {Map<string, { uid: string, kind: string, components: Component[] }>} */
  const parts = new Map();
  for (const component of calendar.components) {
    if (!KINDS.includes(component.name)) continue;
    const uid = lineOf(component, 'UID')?.value.trim() || newUid();
    const key = `${component.name} ${uid}`;
    const part = parts.get(key) ?? { uid, kind: component.name, components: [] };
    part.components.push(lineOf(component, 'UID') ? component : withLines(component, 'UID', makeLine('UID', uid)));
    parts.set(key, part);
  }
  const head = withoutLines(calendar, OF_FILE);
  return [...parts.values()].map(({ uid, kind, components }) => {
    const named = new Set(components.flatMap(({ lines }) => lines.map(({ params }) => params.get('TZID') ?? '')));
    const own = [...named].map((name) => zones.get(name)).filter((zone) => zone !== undefined);
    return { uid, kind, text: writeComponent({ ...head, components: [...own, ...components] }) };
  });
}

/**
 * One file of many calendar objects; each time zone is there once.
 * @param {readonly string[]} texts @param {string} [name] of the calendar
 */
export function joinCalendars(texts, name = '') {
  /** @type {Map<string, Component>} */
  const zones = new Map();
  /** @type {Component[]} */
  const components = [];
  for (const calendar of texts.flatMap((text) => parseComponents(text))) {
    for (const one of calendar.components) {
      if (one.name === 'VTIMEZONE') zones.set(lineOf(one, 'TZID')?.value.trim() ?? '', one);
      else components.push(one);
    }
  }
  const lines = [makeLine('VERSION', '2.0'), makeLine('PRODID', '-//Vestibule//Web client//EN')];
  if (name !== '') lines.push(makeLine('X-WR-CALNAME', name));
  return writeComponent({ name: 'VCALENDAR', lines, components: [...zones.values(), ...components] });
}

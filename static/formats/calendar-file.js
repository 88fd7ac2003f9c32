// Files of many events: parted into objects as a calendar keeps them, one a UID (RFC 4791 section 4.1), and put
// together again.

import { makeLine, writeComponent } from '../../src/mime/objects/components.ts';
import { lineOf, parseComponents, textOf, zoneKey } from '../../src/mime/objects/content-lines.ts';
import { withZones } from '../../src/mime/objects/zone-component.ts';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */

const KEPT = new Set(['VEVENT', 'VTODO']);
const PRODUCT = '-//Vestibule//Web client//EN';

/** @param {Component} component @param {string} name */
const textIn = (component, name) => lineOf(component, name)?.value.trim() ?? '';

/** @param {string} text */
const calendarsIn = (text) => parseComponents(text.replace(/^\ufeff/, '')).filter(({ name }) => name === 'VCALENDAR');

/**
 * Events with the zones that they name; what has no UID gets one, and METHOD is left out.
 * @param {string} text @param {() => string} [newUid]
 * @returns {{ uid: string, text: string, title: string }[]}
 */
export function splitCalendar(text, newUid = () => crypto.randomUUID()) {
  return calendarsIn(text).flatMap((calendar) => {
    // of the same name the first, from behind
    const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE').reverse();
    const zoneOf = new Map(zones.map((zone) => [zoneKey(textIn(zone, 'TZID')), zone]));
    /** @type {Map<string, Component[]>} */
    const byUid = new Map();
    for (const component of calendar.components) {
      if (!KEPT.has(component.name)) continue;
      const uid = textIn(component, 'UID') || newUid();
      const named = lineOf(component, 'UID')
        ? component
        : { ...component, lines: [makeLine('UID', uid), ...component.lines] };
      const others = byUid.get(uid);
      if (others) others.push(named);
      else byUid.set(uid, [named]);
    }
    const head = calendar.lines.filter(({ name }) => name === 'VERSION' || name === 'PRODID' || name === 'CALSCALE');
    return [...byUid].map(([uid, components]) => {
      const words = components.flatMap(({ lines }) => lines.map(({ params }) => zoneKey(params.get('TZID') ?? '')));
      const used = new Set(words);
      const own = [...used].flatMap((id) => zoneOf.get(id) ?? []);
      const title = textOf(components[0], 'SUMMARY') || uid;
      const object = withZones({ ...calendar, lines: head, components: [...own, ...components] });
      return { uid, title, text: writeComponent(object) };
    });
  });
}

/** One file of these objects, each zone once. @param {string[]} texts @param {string} [name] of the calendar */
export function joinCalendars(texts, name) {
  /** @type {Map<string, Component>} */
  const zones = new Map();
  /** @type {Component[]} */
  const components = [];
  for (const calendar of texts.flatMap(calendarsIn)) {
    for (const component of calendar.components) {
      const id = zoneKey(textIn(component, 'TZID'));
      if (component.name !== 'VTIMEZONE') components.push(component);
      else if (!zones.has(id)) zones.set(id, component);
    }
  }
  const lines = [makeLine('VERSION', '2.0'), makeLine('PRODID', PRODUCT)];
  if (name) lines.push(makeLine('X-WR-CALNAME', name.replaceAll(/([\\;,])/g, '\\$1')));
  return writeComponent(withZones({ name: 'VCALENDAR', lines, components: [...zones.values(), ...components] }));
}

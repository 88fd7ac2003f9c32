// The events of calendars as they are kept: those of a time by CalDAV's query (RFC 4791 section 7.8), each with the
// ETag that a change of it must name.

import { request, roomPath } from './request.js';

/** @typedef {{ name: string, etag: string, text: string }} CalendarObject `name` is how its room calls it */

const DAV = 'DAV:';
const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/**
 * Those with events in the time; without a time all. Throws Problem.
 * @param {string} room @param {{ from: number, to: number } | undefined} range instants, Unix seconds
 * @param {AbortSignal} [signal] @returns {Promise<CalendarObject[]>}
 */
export function queryCalendar(room, range, signal) {
  const time = range ? `<C:time-range start="${utc(range.from)}" end="${utc(range.to)}"/>` : '';
  return query(room, `<C:comp-filter name="VEVENT">${time}</C:comp-filter>`, signal);
}

/** Tasks that are due before, done or not. Throws Problem. @param {string} room @param {number} before Unix seconds
 * @param {AbortSignal} [signal] */
export const queryDue = (room, before, signal) =>
  query(
    room,
    '<C:comp-filter name="VTODO"><C:prop-filter name="DUE">' +
      `<C:time-range end="${utc(before)}"/></C:prop-filter></C:comp-filter>`,
    signal,
  );

/** @param {string} room @param {string} filter @param {AbortSignal} [signal] @returns {Promise<CalendarObject[]>} */
async function query(room, filter, signal) {
  const body =
    `<C:calendar-query xmlns:C="${CALDAV}" xmlns:D="${DAV}"><D:prop><D:getetag/><C:calendar-data/></D:prop>` +
    `<C:filter><C:comp-filter name="VCALENDAR">${filter}</C:comp-filter></C:filter></C:calendar-query>`;
  const headers = { 'Content-Type': 'application/xml', Depth: '1', Accept: 'application/xml' };
  const answer = await request(roomPath(room, ''), { method: 'REPORT', headers, body, signal });
  const tree = new DOMParser().parseFromString(await answer.text(), 'application/xml');
  return [...tree.getElementsByTagNameNS(DAV, 'response')].flatMap((response) => {
    const said = (/** @type {string} */ space, /** @type {string} */ name) =>
      response.getElementsByTagNameNS(space, name)[0]?.textContent ?? '';
    const text = said(CALDAV, 'calendar-data');
    return text === '' ? [] : [{ name: lastOf(said(DAV, 'href')), etag: said(DAV, 'getetag'), text }];
  });
}

/**
 * One of them, by its name or number; with another `type` also other objects and pages. Throws Problem.
 * @param {string} room
 * @param {string | number} name
 * @param {AbortSignal} [signal]
 * @param {string} [type]
 */
export async function readObject(room, name, signal, type = 'text/calendar') {
  const answer = await request(roomPath(room, name), { headers: { Accept: type }, signal });
  return { name: String(name), etag: answer.headers.get('ETag') ?? '', text: await answer.text() };
}

/**
 * Answers the ETag of what is there now. Throws Problem: 412 where somebody was faster.
 * @param {string} room @param {string} name @param {string} text
 * @param {string} [etag] of the version that is changed, undefined where there must be none
 * @param {string} [type]
 */
export async function writeObject(room, name, text, etag, type = 'text/calendar; charset=utf-8') {
  /** @type {Record<string, string>} */
  const condition = etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag };
  const headers = { 'Content-Type': type, ...condition };
  const answer = await request(roomPath(room, name), { method: 'PUT', headers, body: text });
  // without an ETag the server has stored another text: an invitation, or a card that a real server has rewritten
  return answer.headers.get('ETag') ?? (await readObject(room, name, undefined, '*/*')).etag;
}

/**
 * Throws Problem: 412 where somebody has changed it.
 * @param {string} room
 * @param {string} name
 * @param {string} etag
 * @param {boolean} [keepalive]
 */
export const deleteObject = (room, name, etag, keepalive = false) =>
  request(roomPath(room, name), { method: 'DELETE', headers: { 'If-Match': etag }, keepalive });

/** `20261122T141126Z`. @param {number} instant */
const utc = (instant) => new Date(instant * 1000).toISOString().replace(/[-:]|\.\d+/g, '');

/** `/svc/r/Calendar/a%20b` → `a b`. @param {string} href */
const lastOf = (href) => decodeURIComponent(href.split('/').at(-1) ?? '');

/**
 * Into another calendar, under the same name. Throws Problem.
 * @param {string} from
 * @param {string} name
 * @param {string} to
 */
export function moveObject(from, name, to) {
  const destination = new URL(roomPath(to, name), location.href).href;
  return request(roomPath(from, name), { method: 'MOVE', headers: { Destination: destination, Overwrite: 'F' } });
}

// Calendar objects and contacts, many in one request (REPORT: RFC 4791 section 7, RFC 6352 section 8).

import { request, roomPath } from './request.js';

/** @typedef {{ msgnum: number, text: string }} StoredObject iCalendar or vCard, as it is kept */
/** @typedef {'calendar' | 'contacts'} ObjectKind */

const DAV = 'DAV:';
const CALDAV = 'urn:ietf:params:xml:ns:caldav';
const CARDDAV = 'urn:ietf:params:xml:ns:carddav';

/** addresses in one request */
const MOST_ADDRESSES = 100;
/** what a list of contacts tells: no pictures, no notes */
const LISTED =
  'VERSION UID FN N NICKNAME ORG TITLE EMAIL TEL KIND CATEGORIES MEMBER BDAY ANNIVERSARY X-ANNIVERSARY ' +
  'IMPP SOCIALPROFILE X-SOCIALPROFILE X-SKYPE X-SKYPE-USERNAME X-JABBER ' +
  'X-ADDRESSBOOKSERVER-KIND X-ADDRESSBOOKSERVER-MEMBER';

const DATA = {
  calendar: '<C:calendar-data/>',
  contacts: `<C:address-data>${LISTED.split(' ')
    .map((name) => `<C:prop name="${name}"/>`)
    .join('')}</C:address-data>`,
};
const FILTERS = { calendar: '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>', contacts: '<C:filter/>' };

/**
 * All of a room, or those of these numbers; contacts only with what a list shows, unless `isWhole`. Throws Problem.
 * @param {string} room @param {ObjectKind} kind
 * @param {{ msgnums?: number[], isWhole?: boolean, signal?: AbortSignal }} [options]
 * @returns {Promise<StoredObject[]>}
 */
export async function readObjects(room, kind, { msgnums, isWhole = false, signal } = {}) {
  const data = isWhole ? '<C:address-data/>' : DATA[kind];
  if (!msgnums) return report(room, kind, 'query', { data, wanted: FILTERS[kind] }, signal);
  const found = [];
  for (let at = 0; at < msgnums.length; at += MOST_ADDRESSES) {
    const hrefs = msgnums.slice(at, at + MOST_ADDRESSES).map((each) => `<D:href>${addressOf(room, each)}</D:href>`);
    found.push(...(await report(room, kind, 'multiget', { data, wanted: hrefs.join('') }, signal)));
  }
  return found;
}

/** @param {string} room @param {number} msgnum */
const addressOf = (room, msgnum) =>
  new URL(roomPath(room, msgnum), location.href).pathname.replaceAll('&', '&amp;').replaceAll('<', '%3C');

/**
 * @param {string} room @param {ObjectKind} kind @param {string} name @param {{ data: string, wanted: string }} asked
 * @param {AbortSignal} [signal]
 */
async function report(room, kind, name, { data, wanted }, signal) {
  const space = kind === 'calendar' ? CALDAV : CARDDAV;
  const root = `C:${kind === 'calendar' ? 'calendar' : 'addressbook'}-${name}`;
  const body =
    `<?xml version="1.0" encoding="utf-8"?><${root} xmlns:D="${DAV}" xmlns:C="${space}">` +
    `<D:prop><D:getetag/>${data}</D:prop>${wanted}</${root}>`;
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', Depth: '1' };
  const answer = await request(roomPath(room, ''), { method: 'REPORT', headers, body, signal });
  const xml = new DOMParser().parseFromString(await answer.text(), 'application/xml');
  const given = kind === 'calendar' ? 'calendar-data' : 'address-data';
  return [...xml.getElementsByTagNameNS(DAV, 'response')].flatMap((response) => {
    const text = response.getElementsByTagNameNS(space, given)[0]?.textContent;
    const etag = response.getElementsByTagNameNS(DAV, 'getetag')[0]?.textContent ?? '';
    const msgnum = Number(/\d+/.exec(etag)?.[0]);
    return text && msgnum > 0 ? [{ msgnum, text }] : [];
  });
}

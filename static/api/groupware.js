// Events, contacts, tasks, notes and pages: members of rooms that go by a name, kept as text of their own type.

import { getBlob, getJson, getText, roomPath, sendJson } from './request.js';

/** @import { OldPage, PageVersion } from './interface.d.ts' */

/**
 * iCalendar, vCard, a page: as it is kept. Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @param {{ part?: string, signal?: AbortSignal }} [options]
 */
export const readEntry = (room, msgnum, { part, signal } = {}) =>
  getText(roomPath(room, msgnum, ...(part === undefined ? [] : [part])), signal);

/**
 * What has come as mail goes into the calendar, with this answer; without one a cancellation or a guest's answer does.
 * `recurrenceId`: as RECURRENCE-ID says it, to one of a series. Where the event is then. Throws Problem: 409 where it
 * says nothing new.
 * @param {string} room @param {number} msgnum @param {'accepted' | 'tentative' | 'declined'} [answer]
 * @param {string} [recurrenceId]
 * @returns {Promise<{ room: string, msgnum: number }>}
 */
export async function answerInvitation(room, msgnum, answer, recurrenceId) {
  const said = answer === undefined ? {} : { answer, ...(recurrenceId && { recurrence_id: recurrenceId }) };
  return (await sendJson(roomPath(room, msgnum, 'invitation'), 'POST', said)).json();
}

/**
 * Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @param {AbortSignal} signal
 * @returns {Promise<PageVersion[]>}
 */
export const readVersions = (room, msgnum, signal) => getJson(roomPath(room, msgnum, 'history'), signal);

/**
 * Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @param {string} version
 * @param {AbortSignal} signal
 * @returns {Promise<OldPage>}
 */
export const readVersion = (room, msgnum, version, signal) =>
  getJson(roomPath(room, msgnum, 'history', version, 'json'), signal);

/** As it was kept. Throws Problem. @param {string} room @param {number} msgnum @param {string} version */
export const readVersionContent = (room, msgnum, version) => getBlob(roomPath(room, msgnum, 'history', version));

/**
 * `/svc/r/Handbook/home` → `{ room: 'Handbook', name: 'home' }`; undefined for what is no address of a page
 * @param {string} address
 */
export function pageAt(address) {
  const rooms = new URL('../r/', location.href).pathname;
  const [room, name, ...more] = address.startsWith(rooms) ? address.slice(rooms.length).split('/') : [];
  if (!room || !name || more.length > 0) return undefined;
  try {
    return { room: decodeURIComponent(room), name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

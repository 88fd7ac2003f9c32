// Messages: lists, reading, marks, moving, posting, files, search.

import { getJson, request, roomPath } from './request.js';

/** @import { Mailbox, Message, RoomNews, SearchResult, UploadRecord } from './interface.d.ts' */

/** @typedef {{ last?: number, before?: number, after?: number }} Slice rows at the end, below and above a number */

/** what the lists show beyond what every answer has */
const FIELDS = 'to,files,snippet';

/** most rows of one answer, with all that lists show and without */
export const MOST_ROWS = 200;
export const MOST_SHORT_ROWS = 500;

/**
 * At most MOST_ROWS. Throws Problem.
 * @param {string} room
 * @param {Slice} slice
 * @param {AbortSignal} [signal]
 * @returns {Promise<Mailbox>}
 */
export function readMailbox(room, slice, signal) {
  const query = new URLSearchParams({ fields: FIELDS });
  for (const [name, value] of Object.entries(slice)) if (value !== undefined) query.set(name, String(value));
  return getJson(`${roomPath(room, 'mailbox')}?${query}`, signal);
}

/**
 * The latest rows without what only lists show, at most MOST_SHORT_ROWS; undefined: all that there are. Throws Problem.
 * @param {string} room @param {number} [last] @returns {Promise<Mailbox>}
 */
export const readShortRows = (room, last) =>
  getJson(roomPath(room, 'mailbox') + (last === undefined ? '' : `?last=${last}`));

/**
 * `part` is that of a message that came along; `isPlain` asks for text without marks, `hasRemote` for pictures from
 * elsewhere. Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @param {{ part?: string, isPlain?: boolean, hasRemote?: boolean, signal?: AbortSignal }} [options]
 * @returns {Promise<Message>}
 */
export function readMessage(room, msgnum, { part, isPlain, hasRemote, signal } = {}) {
  const query = isPlain ? '?text=plain' : hasRemote ? '?remote=1' : '';
  return getJson(roomPath(room, msgnum, ...(part === undefined ? [] : [part]), 'json') + query, signal);
}

/** The whole message with its headers (RFC 5322). @param {string} room @param {number} msgnum */
export const sourcePath = (room, msgnum) => `${roomPath(room, msgnum)}?format=rfc822`;

/** Where a part can be saved from. @param {string} room @param {number} msgnum @param {string} part */
export const partPath = (room, msgnum, part) => roomPath(room, msgnum, part);

/** @typedef {{ seen: boolean } | { move_to: string } | { delete: true }} Change */

/**
 * Marks, moves or deletes messages of a room. `isMany` false: one after the other, as rooms of entries want it.
 * `keepalive`: also while the page is being left. Throws Problem.
 * @param {string} room @param {number[]} msgnums @param {Change} change
 * @param {{ isMany: boolean, keepalive?: boolean }} options
 */
export async function changeMessages(room, msgnums, change, { isMany, keepalive = false }) {
  const headers = { 'Content-Type': 'application/json' };
  if (isMany && msgnums.length > 1) {
    const body = JSON.stringify({ msgnums, ...change });
    return request(roomPath(room, 'mailbox'), { method: 'PATCH', headers, body, keepalive });
  }
  let done;
  for (const msgnum of msgnums) {
    const path = roomPath(room, msgnum);
    if ('seen' in change) done = request(path, { method: 'PATCH', headers, body: JSON.stringify(change), keepalive });
    else if ('delete' in change) done = request(path, { method: 'DELETE', keepalive });
    else {
      const Destination = new URL(roomPath(change.move_to, ''), location.href).pathname;
      done = request(path, { method: 'MOVE', headers: { Destination }, keepalive });
    }
    // a page that is being left waits for nothing
    if (!keepalive) await done;
  }
  return done;
}

/** Everything up to `last` counts as read. Throws Problem. @param {string} room @param {number} last */
export const markAllSeen = (room, last) => request(`${roomPath(room, 'slrp')}?last=${last}`);

/**
 * Answers the number of the new message. Throws Problem.
 * @param {string} room
 * @param {Record<string, string>} parameters those that are '' are left out
 * @param {string} text
 */
export async function postMessage(room, parameters, text) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  const answer = await request(`${roomPath(room, 'new')}?${query}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: text,
  });
  return numberIn(answer);
}

/** that of the ETag, NaN where there is none @param {Response} answer */
export const numberIn = (answer) => Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);

/**
 * Its files, as if they had been uploaded. Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @returns {Promise<UploadRecord[]>}
 */
export const takeAttachments = (room, msgnum) => getJson(['../p', encodeURIComponent(room), msgnum].join('/'));

/** Throws Problem. @param {File} file @returns {Promise<UploadRecord[]>} */
export async function uploadFile(file) {
  const body = new FormData();
  body.append('file', file, file.name);
  return (await request('../p', { method: 'POST', body })).json();
}

/** It would expire by itself, so it does not matter whether this works. @param {UploadRecord} record */
export function dropUpload({ ref }) {
  request(`../p/${encodeURIComponent(ref)}`, { method: 'DELETE' }).catch(() => {});
}

/**
 * `isAll`: of no older message only some words are known. Throws Problem.
 * @param {string} words @param {AbortSignal} signal @returns {Promise<{ found: SearchResult[], isAll: boolean }>}
 */
export async function searchMessages(words, signal) {
  const answer = await request(`../a/search?${new URLSearchParams({ q: words })}`, { signal });
  return { found: await answer.json(), isAll: answer.headers.get('Searched') === 'all' };
}

/**
 * The newest unread messages of each room that has some, newest room first. Throws Problem.
 * @param {AbortSignal} signal
 * @returns {Promise<RoomNews[]>}
 */
export const readNews = (signal) => getJson('../a/news?rooms=20&messages=3', signal);

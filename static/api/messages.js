// Messages: lists, reading, marks, moving, posting, files, search.

import { NEWS } from './early.js';
import { beginningOf, getBlob, getJson, request, roomPath, sendSlowly } from './request.js';

/** @import { Hits, Mailbox, Message, RoomNews, UploadRecord } from './interface.d.ts' */

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
  return getJson(`${roomPath(room, '|mailbox')}?${query}`, signal);
}

/**
 * The latest rows without what only lists show, at most MOST_SHORT_ROWS; undefined: all that there are. Throws Problem.
 * @param {string} room @param {number} [last] @returns {Promise<Mailbox>}
 */
export const readShortRows = (room, last) =>
  getJson(roomPath(room, '|mailbox') + (last === undefined ? '' : `?last=${last}`));

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

/** Its first bytes as text. Throws Problem. @param {string} room @param {number} msgnum @param {number} most */
export const readSource = async (room, msgnum, most) => beginningOf(await request(sourcePath(room, msgnum)), most);

/** Where a part can be saved from. @param {string} room @param {number} msgnum @param {string} part */
export const partPath = (room, msgnum, part) => roomPath(room, msgnum, part);

/** What a part holds. Throws Problem. @param {string} room @param {number} msgnum @param {string} part */
export const takePart = (room, msgnum, part) => getBlob(roomPath(room, msgnum, part));

/** @typedef {{ seen: boolean } | { move_to: string } | { delete: true }} Change */

/** most messages of one request */
const MOST_CHANGED = 500;

/**
 * Marks, moves or deletes messages of a room. Without `isMany` they are moved and deleted one after the other, as rooms
 * of entries want it. `keepalive`: also while the page is being left. Throws Problem.
 * @param {string} room @param {number[]} msgnums @param {Change} change
 * @param {{ isMany?: boolean, keepalive?: boolean }} options
 */
export async function changeMessages(room, msgnums, change, { isMany = 'seen' in change, keepalive = false }) {
  const headers = { 'Content-Type': 'application/json' };
  let done;
  if (isMany && msgnums.length > 1) {
    for (let i = 0; i < msgnums.length; i += MOST_CHANGED) {
      const body = JSON.stringify({ msgnums: msgnums.slice(i, i + MOST_CHANGED), ...change });
      done = request(roomPath(room, '|mailbox'), { method: 'PATCH', headers, body, keepalive });
      // a page that is being left waits for nothing
      if (!keepalive) await done;
    }
    return done;
  }
  for (const msgnum of msgnums) {
    const path = roomPath(room, msgnum);
    if ('seen' in change) done = request(path, { method: 'PATCH', headers, body: JSON.stringify(change), keepalive });
    else if ('delete' in change) done = request(path, { method: 'DELETE', keepalive });
    else {
      const Destination = new URL(roomPath(change.move_to, ''), location.href).pathname;
      done = request(path, { method: 'MOVE', headers: { Destination }, keepalive });
    }
    if (!keepalive) await done;
  }
  return done;
}

/** Numbers of the messages that the reader has not seen, ascending. Throws Problem. @param {string} room
 * @returns {Promise<number[]>} */
export const readUnread = (room) => getJson(roomPath(room, '|msgs.new'));

/** Everything up to `last` counts as read. Throws Problem. @param {string} room @param {number} last */
export const markAllSeen = (room, last) => request(`${roomPath(room, '|slrp')}?last=${last}`);

/**
 * Answers the number of the new message. `keepalive`: also while the page is being left. Throws Problem.
 * @param {string} room
 * @param {Record<string, string>} parameters those that are '' are left out
 * @param {{ type: string, body: string }} content
 * @param {{ keepalive?: boolean }} [options]
 */
export async function postMessage(room, parameters, { type, body }, { keepalive = false } = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  const headers = { 'Content-Type': type };
  const answer = await request(`${roomPath(room, 'new')}?${query}`, { method: 'PUT', headers, body, keepalive });
  return Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);
}

/**
 * Its files, as if they had been uploaded. Throws Problem.
 * @param {string} room
 * @param {number} msgnum
 * @returns {Promise<UploadRecord[]>}
 */
export const takeAttachments = (room, msgnum) => getJson(roomPath(room, msgnum).replace('../', '../p/'));

/** The message itself, as a file. Throws Problem. @param {string} room @param {number} msgnum
 * @returns {Promise<UploadRecord[]>} */
export const takeMessage = (room, msgnum) => getJson(sourcePath(room, msgnum).replace('../', '../p/'));

/**
 * `progress` hears how much of it has gone, from 0 to 1. Throws Problem; AbortError where `signal` ends it.
 * @param {File} file
 * @param {{ progress?: (part: number) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<UploadRecord[]>}
 */
export async function uploadFile(file, { progress, signal } = {}) {
  const body = new FormData();
  body.append('file', file, file.name);
  return JSON.parse(await sendSlowly('../p', body, progress, signal));
}

/** Whether the server still has it, also where that cannot be told now. @param {UploadRecord} record */
export const isUploadThere = ({ ref }) =>
  request(`../p/${encodeURIComponent(ref)}`, { method: 'HEAD' }).then(
    () => true,
    (problem) => problem.status !== 404,
  );

/** It would expire by itself, so it does not matter whether this works. @param {UploadRecord} record */
export function dropUpload({ ref }) {
  request(`../p/${encodeURIComponent(ref)}`, { method: 'DELETE' }).catch(() => {});
}

/**
 * What narrows a search; times are Unix seconds, views those of rooms.
 * @typedef {{ words: string, room?: string, views?: number[], from?: string, since?: number, files?: boolean,
 *   offset?: number }} Question
 */

/** hits of one answer */
export const MOST_HITS = 30;

/**
 * A page of hits, the latest first. Throws Problem.
 * @param {Question} question
 * @param {AbortSignal} signal
 * @returns {Promise<Hits>}
 */
export function findMessages({ words, room, views = [], from, since, files, offset = 0 }, signal) {
  const page = { begun: '1', limit: MOST_HITS, offset };
  const wanted = { q: words, ...page, room, views: views.join(','), from, since, files: files ? '1' : undefined };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value) query.set(name, String(value));
  return getJson(`../a/hits?${query}`, signal);
}

/**
 * The newest unread messages of each room that has some, newest room first. Throws Problem.
 * @param {AbortSignal} signal
 * @returns {Promise<RoomNews[]>}
 */
export const readNews = (signal) => getJson(NEWS, signal);

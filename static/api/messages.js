// Messages: lists, reading, marks, moving, posting, files, search.

import { getJson, getText, request, roomPath, sendJson } from './request.js';

/** @import { Message, SearchResult, UploadRecord } from './interface.d.ts' */
/** @import { Row, RowList } from './rows.d.ts' */

/** @typedef {{ last?: number, before?: number, after?: number }} Slice rows at the end, below and above a number */

/** what the lists show beyond what every answer has */
const FIELDS = 'snippet,files,to,references';

/**
 * A server that cannot answer a slice answers everything, and says no `total`. Throws Problem.
 * @param {string} room @param {Slice} [slice] @param {AbortSignal} [signal] @returns {Promise<RowList>}
 */
export function readMailbox(room, slice = {}, signal) {
  const query = new URLSearchParams({ fields: FIELDS });
  for (const [name, value] of Object.entries(slice)) query.set(name, String(value));
  return getJson(`${roomPath(room, 'mailbox')}?${query}`, signal);
}

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

/** The whole message with its headers (RFC 5322). Throws Problem. @param {string} room @param {number} msgnum */
export const readSource = (room, msgnum) => getText(sourcePath(room, msgnum));

/** @param {string} room @param {number} msgnum */
export const sourcePath = (room, msgnum) => `${roomPath(room, msgnum)}?format=rfc822`;

/** Where a part can be saved from. @param {string} room @param {number} msgnum @param {string} part */
export const partPath = (room, msgnum, part) => roomPath(room, msgnum, part);

/** Throws Problem. @param {string} room @param {number} msgnum @param {boolean} seen */
export const markSeen = (room, msgnum, seen) => sendJson(roomPath(room, msgnum), 'PATCH', { seen });

/** Everything up to `last` counts as read. Throws Problem. @param {string} room @param {number} last */
export const markAllSeen = (room, last) => request(`${roomPath(room, 'slrp')}?last=${last}`);

/** `keepalive`: also while the page is being left. Throws Problem. @param {string} room @param {number} msgnum @param {string} target @param {boolean} [keepalive] */
export function moveMessage(room, msgnum, target, keepalive = false) {
  const Destination = new URL(roomPath(target, ''), location.href).pathname;
  return request(roomPath(room, msgnum), { method: 'MOVE', headers: { Destination }, keepalive });
}

/** For good. Throws Problem. @param {string} room @param {number} msgnum @param {boolean} [keepalive] */
export const deleteMessage = (room, msgnum, keepalive = false) =>
  request(roomPath(room, msgnum), { method: 'DELETE', keepalive });

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

/** Its files, as if they had been uploaded. Throws Problem. @param {string} room @param {number} msgnum @returns {Promise<UploadRecord[]>} */
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

/** @typedef {{ room: string, unread?: number, msgs: Row[] }} RoomNews */

/**
 * The newest unread messages of each room that has some, newest room first. Throws Problem; a server that does not know
 * the question answers 404.
 * @param {AbortSignal} signal @returns {Promise<RoomNews[]>}
 */
export const readNews = (signal) => getJson('../a/news?rooms=20&messages=3', signal);

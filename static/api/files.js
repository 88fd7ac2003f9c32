// Files and folders of a room of files (WebDAV, RFC 4918): a path is `Minutes/May.odt`, that of a folder ends with a
// slash, '' is the room itself.

import { t } from '../core/i18n.js';
import { headersFor, noConnection, Problem, problemOf, request, roomPath } from './request.js';

/**
 * `size` in bytes, `time` in Unix seconds; of a folder no size and no type are told.
 * @typedef {{ path: string, name: string, isFolder: boolean, size: number, type: string, time: number }} FileFacts
 */

const WANTED = `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>
<getcontenttype/><getlastmodified/></prop></propfind>`;

/** Where it is read. @param {string} room @param {string} path */
export const filePath = (room, path) => `${roomPath(room, '')}${path.split('/').map(encodeURIComponent).join('/')}`;

/** `'a/b.txt'` → `'b.txt'`, `'a/'` → `'a'` @param {string} path */
export const nameOf = (path) => path.replace(/\/$/, '').replace(/^.*\//, '');

/** The folder that it lies in: `'a/b.txt'` → `'a/'`, `'a/'` → `''` @param {string} path */
export const folderOf = (path) => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);

/**
 * What a folder holds, itself left out. Throws Problem.
 * @param {string} room @param {string} folder @param {AbortSignal} [signal] @returns {Promise<FileFacts[]>}
 */
export async function readFolder(room, folder, signal) {
  const answer = await request(filePath(room, folder), {
    method: 'PROPFIND',
    headers: { Depth: '1', 'Content-Type': 'application/xml; charset=utf-8' },
    body: WANTED,
    signal,
  });
  return responsesIn(await answer.text())
    .map((response) => factsIn(response, baseOf(room)))
    .filter((facts) => facts.path !== folder);
}

/** @param {string} room */
const baseOf = (room) => new URL(roomPath(room, ''), location.href).pathname;

/** Of a multistatus. @param {string} xml */
function responsesIn(xml) {
  const page = new DOMParser().parseFromString(xml, 'text/xml');
  return [...page.getElementsByTagNameNS('DAV:', 'response')];
}

/** @param {Element} response @param {string} base path of the room @returns {FileFacts} */
function factsIn(response, base) {
  const text = (/** @type {string} */ name) =>
    response.getElementsByTagNameNS('DAV:', name)[0]?.textContent?.trim() ?? '';
  const path = decodeURIComponent(new URL(text('href'), location.href).pathname.slice(base.length));
  return {
    path,
    name: nameOf(path),
    isFolder: response.getElementsByTagNameNS('DAV:', 'collection').length > 0,
    size: Number(text('getcontentlength')),
    type: text('getcontenttype'),
    time: (Date.parse(text('getlastmodified')) || 0) / 1000,
  };
}

/** Throws Problem: 405 where there is something of that name. @param {string} room @param {string} path */
export const makeFolder = (room, path) => request(filePath(room, path), { method: 'MKCOL' });

/** @param {string} room @param {string} from @param {string} to @param {'MOVE' | 'COPY'} method */
function transfer(room, from, to, method) {
  const Destination = new URL(filePath(room, to), location.href).href;
  return whole(room, request(filePath(room, from), { method, headers: { Destination, Overwrite: 'F' } }));
}

/**
 * Of a folder some files may be left as they were, and the answer names them (RFC 4918 section 9.6.1). Throws Problem.
 * @param {string} room @param {Promise<Response>} asked
 */
async function whole(room, asked) {
  const answer = await asked;
  if (answer.status !== 207) return answer;
  const names = responsesIn(await answer.text()).map((response) => factsIn(response, baseOf(room)).path);
  throw new Problem(207, '', t('files.left', { names: names.join(', ') }));
}

/**
 * Nothing is replaced. Throws Problem: 412 where there is something already.
 * @param {string} room @param {string} from @param {string} to
 */
export const moveFile = (room, from, to) => transfer(room, from, to, 'MOVE');

/** As moveFile. @param {string} room @param {string} from @param {string} to */
export const copyFile = (room, from, to) => transfer(room, from, to, 'COPY');

/** With all that is in it. Throws Problem. @param {string} room @param {string} path @param {boolean} [keepalive] */
export const deleteFile = (room, path, keepalive = false) =>
  whole(room, request(filePath(room, path), { method: 'DELETE', keepalive }));

/** Throws Problem. @param {string} room @param {string} path @param {AbortSignal} [signal] */
export const openFile = (room, path, signal) => request(filePath(room, path), { signal });

/**
 * Sends it, with news of how far it is, which fetch does not tell. Throws Problem: 412 where there is a file of that
 * name and it is not to be replaced; AbortError where `signal` stops it.
 * @param {string} room
 * @param {string} path
 * @param {Blob} content
 * @param {{ isReplacing: boolean, signal: AbortSignal, progress: (sent: number) => void }} options
 * @returns {Promise<void>}
 */
export function writeFile(room, path, content, { isReplacing, signal, progress }) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const sending = new XMLHttpRequest();
  const address = filePath(room, path);
  /** @type {Record<string, string>} */
  const headers = { 'Content-Type': content.type || 'application/octet-stream' };
  if (!isReplacing) headers['If-None-Match'] = '*';
  sending.open('PUT', address);
  for (const [name, value] of Object.entries(headersFor(address, headers))) sending.setRequestHeader(name, value);
  sending.upload.addEventListener('progress', ({ loaded }) => progress(loaded));
  sending.addEventListener('load', async () => {
    const { status } = sending;
    if (status >= 200 && status < 300) return resolve(undefined);
    reject(await problemOf(new Response(sending.responseText, { status: status >= 400 ? status : 500 })));
  });
  sending.addEventListener('error', () => reject(noConnection()));
  sending.addEventListener('abort', () => reject(signal.reason ?? new DOMException('stopped', 'AbortError')));
  signal.addEventListener('abort', () => sending.abort(), { once: true });
  sending.send(content);
  return promise;
}

/** Whether there is something of that name already. @param {unknown} problem */
export const isTaken = (problem) => problem instanceof Problem && (problem.status === 412 || problem.status === 405);

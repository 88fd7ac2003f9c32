// Requests to the gateway, and its refusals as errors that can be shown (RFC 9457 problem details).

import { EUID_VIEWS, VIEW } from '../../src/model.ts';
import { t } from '../core/i18n.js';
import { accountHeaders, hear, OTHER_ACCOUNT } from './account.js';
import { connectionIsLost, doubtConnection } from './connection.js';
import { earlyAnswer, HEADERS } from './early.js';

/** in the place of a code of the room server's */
const NO_ANSWER = -1;

/** Something that could not be done, in words for the reader. */
export class Problem extends Error {
  /**
   * @param {number} status 0 where there was no answer
   * @param {string} title
   * @param {string} detail
   * @param {{ code?: number, type?: string, retryAfterSeconds?: number }} [more]
   */
  constructor(status, title, detail, more = {}) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    /** three digits of the room server's, where it was the room server that refused */
    this.code = more.code;
    /** of the problem (RFC 9457), where it is a special one */
    this.type = more.type;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** There was no answer: nobody knows whether it was done. @param {unknown} error */
export const isConnectionProblem = (error) => error instanceof Problem && error.code === NO_ANSWER;

/** Nothing was done: the session is over, or somebody else's. @param {unknown} error */
export const isSessionProblem = (error) =>
  error instanceof Problem && (error.status === 401 || error.type === OTHER_ACCOUNT);

/**
 * The room needs a password that was not sent, or another one.
 * @param {unknown} error
 */
export const isPasswordProblem = (error) => error instanceof Problem && error.status === 403 && error.code === 540;

/** What went wrong, in words. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @type {Map<string, string>} names as they stand in a path → passwords */
const roomPasswords = new Map();

/**
 * The password is sent with every request to the room until the page is closed.
 * @param {string} room @param {string} password
 */
export function keepRoomPassword(room, password) {
  roomPasswords.set(encodeURIComponent(room), password);
}

/** '' for what is no path of a room. @param {string} path */
function roomIn(path) {
  return /^\.\.\/[rp]\/([^/]+)\//.exec(path)?.[1] ?? '';
}

export const noConnection = () =>
  new Problem(0, t('connection.none'), t('connection.none-detail'), { code: NO_ANSWER });

/**
 * With those of every request, and the password of the room that the path is in.
 * @param {string} path @param {Record<string, string>} [headers] @returns {Record<string, string>}
 */
export function headersFor(path, headers) {
  const password = roomPasswords.get(roomIn(path));
  const own = { ...HEADERS, ...accountHeaders(), ...headers };
  return password === undefined ? own : { ...own, 'X-Room-Password': password };
}

/**
 * The answer, if it is one of success; `options` as of fetch. Throws Problem.
 * @param {string} path
 * @param {Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }} [options]
 */
export async function request(path, options = {}) {
  let response;
  try {
    const early = options.method === undefined ? earlyAnswer(path) : undefined;
    const headers = headersFor(path, options.headers);
    response = await (early ?? fetch(path, { ...options, headers }));
    options.signal?.throwIfAborted();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    doubtConnection();
    throw noConnection();
  }
  // the service worker had it
  if (response.headers.has('X-Kept')) connectionIsLost();
  if (response.ok) return response;
  const problem = await problemOf(response);
  // a wrong one is not tried again: each try counts
  if (isPasswordProblem(problem)) roomPasswords.delete(roomIn(path));
  throw problem;
}

/** The refusal as words. @param {Response} response */
export async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return problemFrom(response.status, body, response.headers.get('Retry-After'));
}

/** Each refusal comes by here. @param {number} status @param {any} body @param {string | null} wait */
function problemFrom(status, body, wait) {
  hear(status, body.type);
  const retryAfter = Number(wait ?? Number.NaN);
  return new Problem(status, body.title ?? `Error ${status}`, body.detail ?? body.message ?? t('ui.error-detail'), {
    code: body.code,
    type: body.type,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/**
 * Throws Problem.
 * @param {string} path
 * @param {string} method
 * @param {unknown} value
 */
export function sendJson(path, method, value) {
  const headers = { 'Content-Type': 'application/json' };
  return request(path, { method, headers, body: JSON.stringify(value) });
}

/** @param {string} path @param {AbortSignal} [signal] */
export async function getJson(path, signal) {
  return (await request(path, { signal })).json();
}

/** @param {string} path @param {AbortSignal} [signal] */
export async function getText(path, signal) {
  return (await request(path, { signal })).text();
}

/** rooms whose members are known to go by numbers, not by names @type {Set<string>} */
const numbered = new Set();

/** @param {{ name: string, default_view: number, is_directory: boolean }[]} rooms */
export function learnKinds(rooms) {
  for (const { name, default_view, is_directory } of rooms) {
    if (default_view === VIEW.files || is_directory || EUID_VIEWS.has(default_view)) numbered.delete(name);
    else numbered.add(name);
  }
}

/**
 * The address of a room, or of what is in it: `roomPath('a/b', 12, 'json')` → `'../r/a%2Fb/12/json'`. A resource
 * of the room itself has a bar in front: `'|mailbox'`. Where a member may have the same name, it keeps the bar, and a
 * number gets one.
 * @param {string} room @param {string | number} first @param {(string | number)[]} rest
 */
export function roomPath(room, first, ...rest) {
  const marked = typeof first === 'number' ? `|${first}` : first;
  const segment = numbered.has(room) ? marked.replace(/^\|/, '') : marked;
  return ['../r', ...[room, segment, ...rest].map(encodeURIComponent)].join('/');
}

/** @param {string} path @param {AbortSignal} [signal] */
export async function getBlob(path, signal) {
  return (await request(path, { signal })).blob();
}

/**
 * At most so many bytes of an answer, as text; what lies behind is not fetched.
 * @param {Response} answer
 * @param {number} most
 */
export async function beginningOf({ body }, most) {
  if (!body) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (let read = 0; read < most; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, most - read), { stream: true });
    read += value.length;
  }
  reader.cancel().catch(() => {});
  return text;
}

/**
 * POST of what takes a while; `progress` hears how much has gone, from 0 to 1, which fetch does not tell. Answers the
 * text of the answer. Throws Problem; AbortError where `signal` ends it.
 * @param {string} path
 * @param {FormData} body
 * @param {(part: number) => void} [progress]
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export function sendSlowly(path, body, progress = () => {}, signal = undefined) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const sending = new XMLHttpRequest();
  sending.open('POST', path);
  for (const [name, value] of Object.entries(headersFor(path))) sending.setRequestHeader(name, value);
  sending.upload.addEventListener('progress', ({ loaded, total }) => progress(total > 0 ? loaded / total : 0));
  sending.addEventListener('load', () => {
    const { status, responseText } = sending;
    if (status >= 200 && status < 300) return resolve(responseText);
    reject(problemFrom(status, objectIn(responseText), sending.getResponseHeader('Retry-After')));
  });
  sending.addEventListener('error', () => reject(noConnection()));
  sending.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
  signal?.addEventListener('abort', () => sending.abort());
  sending.send(body);
  return promise;
}

/** @param {string} json */
function objectIn(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

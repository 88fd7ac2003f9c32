// Users, sessions, who is online, instant messages.

import { likeliest } from '../formats/addresses.js';
import { getBlob, getJson, request, sendJson } from './request.js';
import { pictureChange } from './rooms.js';

/** @import { InstantMessage, OnlineUser, Profile, RecipientCheck, Suggestion, User, WhoAmI } from './interface.d.ts' */

/** @param {string} name @param {string} [rest] */
const userPath = (name, rest = '') => `../u/${encodeURIComponent(name)}/${rest}`;

/** Whom the session belongs to, as the server knows it now. Throws Problem. @returns {Promise<WhoAmI>} */
export const readWhoAmI = () => getJson('../a/whoami');

/** Throws Problem: 401 where they do not match. @param {string} username @param {string} password */
export const logIn = (username, password) => sendJson('../a/login', 'POST', { username, password });

/** Throws Problem. */
export const logOut = () => request('../a/logout', { method: 'POST' });

/** Throws Problem. @param {string} old @param {string} fresh */
export const changePassword = (old, fresh) => sendJson('../a/password', 'POST', { old, new: fresh });

/** Throws Problem. @param {AbortSignal} signal @returns {Promise<OnlineUser[]>} */
export const readOnline = (signal) => getJson('../a/who', signal);

/** They come once. Throws Problem. @returns {Promise<InstantMessage[]>} */
export const takeInstantMessages = () => getJson('../a/im');

/** Throws Problem. @param {string} to @param {string} text */
export const sendInstantMessage = (to, text) => sendJson('../a/im', 'POST', { to, text });

/**
 * People and addresses that a recipient may mean, the likeliest first; none where it fails.
 * @param {string} words
 * @returns {Promise<Suggestion[]>}
 */
export const suggestRecipients = (words) =>
  getJson(`../a/complete?${new URLSearchParams({ q: words })}`).then(
    (found) => likeliest(/** @type {Suggestion[]} */ (found), words),
    () => [],
  );

/** The same as they are written into a list. @param {string} words */
export const completeRecipient = async (words) => (await suggestRecipients(words)).map(({ recipient }) => recipient);

/** Whether mail would reach this. Throws Problem. @param {string} recipient @returns {Promise<RecipientCheck>} */
export const checkRecipient = (recipient) => getJson(`../a/recipient?${new URLSearchParams({ q: recipient })}`);

/**
 * Those whose name holds the words. Throws Problem.
 * @param {string} words
 * @param {AbortSignal} [signal]
 * @returns {Promise<User[]>}
 */
export const findUsers = (words, signal) => getJson(`../u/?${new URLSearchParams({ q: words })}`, signal);

/** Throws Problem. @param {string} username @param {string} password */
export const makeUser = (username, password) => sendJson('../u/', 'POST', { username, password });

/** Throws Problem. @param {string} name @param {{ axlevel?: number, password?: string }} change */
export const changeUser = (name, change) => sendJson(userPath(name), 'PATCH', change);

/** Throws Problem. @param {string} name */
export const deleteUser = (name) => request(userPath(name), { method: 'DELETE' });

/** Throws Problem. @param {string} name @param {string} text '' for none */
export function writeBio(name, text) {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  return request(userPath(name, 'bio'), text === '' ? { method: 'DELETE' } : { method: 'PUT', headers, body: text });
}

/**
 * A user, and the picture where there is one. Throws Problem.
 * @param {string} name @param {AbortSignal} [signal] @returns {Promise<Profile & { picture: Blob | undefined }>}
 */
export async function readPerson(name, signal) {
  const profile = /** @type {Profile} */ (await getJson(userPath(name), signal));
  // what is known not to be there is not asked for
  const asked = profile.has_picture === false ? undefined : getBlob(userPath(name, 'userpic'), signal);
  return { ...profile, picture: await asked?.catch(() => undefined) };
}

/** Throws Problem. @param {string} name @param {Blob} [picture] undefined for none */
export const writeUserPicture = (name, picture) => request(userPath(name, 'userpic'), pictureChange(picture));

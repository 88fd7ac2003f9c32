// Passwords of one's own for programs, and addresses of feeds.

import { getJson, request, sendJson } from './request.js';

/** @import { AppPassword } from './interface.d.ts' */

const PASSWORDS = '../a/app-passwords';

/**
 * Throws Problem: 404 where the room server has none.
 * @param {AbortSignal} [signal] @returns {Promise<AppPassword[]>}
 */
export const readAppPasswords = (signal) => getJson(PASSWORDS, signal);

/**
 * Its secret, which is told this once. Throws Problem: 403 where `password`, one's own, is wrong.
 * @param {string} name @param {string} scope @param {string} password @returns {Promise<string>}
 */
export async function makeAppPassword(name, scope, password) {
  const response = await sendJson(PASSWORDS, 'POST', { name, scope, password });
  return (await response.json()).secret;
}

/**
 * The address of a new feed of the room, with its secret in it. Throws Problem.
 * @param {string} room @param {string} name what the list of passwords calls it
 */
export async function makeFeed(room, name) {
  const response = await sendJson(PASSWORDS, 'POST', { name, scope: 'feed', room });
  return new URL((await response.json()).feed, location.href).href;
}

/** Throws Problem. @param {number} id */
export const endAppPassword = (id) => request(`${PASSWORDS}/${id}`, { method: 'DELETE' });

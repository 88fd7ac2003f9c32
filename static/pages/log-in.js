// Logging in and out, and who is logged in.

import { getJson, Problem, request, sendJson } from '../api/request.js';
import { byId } from '../core/dom.js';
import { duration } from '../formats/times.js';

/** @import { WhoAmI } from '../api/interface.d.ts' */

/** `{ username, … }` or undefined for nobody */
export async function readUser() {
  /** @type {WhoAmI} */
  const user = await getJson('../a/whoami');
  return user.logged_in ? user : undefined;
}

const ADMINISTRATOR = 6;

/**
 * Who may change accounts and floors; the room server has the last word.
 * @param {WhoAmI} user
 */
export const isAdministrator = (user) => user.axlevel >= ADMINISTRATOR;

export async function logOut() {
  await request('../a/logout', { method: 'POST' });
}

/**
 * Makes the form work; `entered` runs after a log-in.
 * @param {() => Promise<void>} entered
 */
export function prepareLogIn(entered) {
  const form = byId('log-in');
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    const { username, password } = form.elements;
    const missing = [username, password].find((input) => input.value === '');
    showError(missing ? `Please enter your ${missing === username ? 'user name' : 'password'}.` : '', missing);
    if (missing) return;
    button.ariaDisabled = 'true';
    try {
      await logIn(username.value, password.value);
      password.value = '';
      await entered();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      showError(wordsFor(error), error.status === 401 ? password : undefined);
      if (error.status === 401) password.select();
    } finally {
      button.ariaDisabled = null;
    }
  });
}

/** @param {string} username @param {string} password */
function logIn(username, password) {
  return sendJson('../a/login', 'POST', { username, password }, { isLogIn: true });
}

/** @param {Problem} problem */
function wordsFor(problem) {
  if (problem.status !== 429) return problem.detail;
  const wait = problem.retryAfterSeconds;
  return `Too many failed attempts. Please wait ${wait ? duration(wait) : 'a while'} and try again.`;
}

/** @param {string} text @param {HTMLInputElement} [input] */
function showError(text, input) {
  byId('log-in-error').textContent = text;
  for (const each of byId('log-in').elements) {
    each.removeAttribute('aria-invalid');
    each.removeAttribute('aria-describedby');
  }
  if (!input) return;
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', 'log-in-error');
  input.focus();
}

/**
 * Shows the form with `note` above it, if there is one.
 * @param {string} note
 */
export function showLogIn(note) {
  const noteElement = byId('entry-note');
  noteElement.textContent = note;
  noteElement.hidden = note === '';
  showError('', undefined);
  byId('entry').hidden = false;
  const { username, password } = byId('log-in').elements;
  (username.value === '' ? username : password).focus();
}

// Suggests people while a recipient is typed.

import { getJson } from '../api/request.js';
import { element } from '../core/dom.js';

/** @import { Suggestion, User } from '../api/interface.d.ts' */

const WAIT_MS = 200;
const MAX_USERS = 20;

/** @param {string} path @param {string} text */
const find = (path, text) => getJson(`../${path}?${new URLSearchParams({ q: text })}`).catch(() => []);

/**
 * The list that belongs to `input`, a field of recipients parted by commas.
 * @param {HTMLInputElement} input
 */
export const suggestions = (input) =>
  listFor(input, async (text) => {
    /** @type {Suggestion[]} */
    const found = await find('a/complete', text);
    return found.map(({ recipient }) => recipient);
  });

/**
 * The same for a field that takes the name of one user.
 * @param {HTMLInputElement} input
 */
export const userSuggestions = (input) =>
  listFor(input, async (text) => {
    /** @type {User[]} */
    const found = await find('u/', text);
    return found.slice(0, MAX_USERS).map(({ name }) => name);
  });

/** @param {HTMLInputElement} input @param {(text: string) => Promise<string[]>} namesLike */
function listFor(input, namesLike) {
  const list = element('datalist', { id: `${input.id}-people` });
  input.setAttribute('list', list.id);
  /** @type {number | undefined} */
  let timer;
  let asked = '';
  const ask = async () => {
    const at = input.value.lastIndexOf(',') + 1;
    const before = at === 0 ? '' : `${input.value.slice(0, at)} `;
    const text = input.value.slice(at).trim();
    if (text === asked || text === '') return;
    asked = text;
    const names = await namesLike(text);
    if (asked !== text) return;
    list.replaceChildren(...names.map((name) => element('option', { value: before + name })));
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  return list;
}

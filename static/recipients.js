// Suggests people while a recipient is typed.

import { getJson } from './api.js';
import { element } from './elements.js';

const WAIT_MS = 200;
const MAX_USERS = 20;

const find = (path, text) => getJson(`../${path}?${new URLSearchParams({ q: text })}`).catch(() => []);

/** The list that belongs to `input`, a field of recipients parted by commas. */
export const suggestions = (input) =>
  listFor(input, async (text) => (await find('a/complete', text)).map(({ recipient }) => recipient));

/** The same for a field that takes the name of one user. */
export const userSuggestions = (input) =>
  listFor(input, async (text) => (await find('u/', text)).slice(0, MAX_USERS).map(({ name }) => name));

function listFor(input, namesLike) {
  const list = element('datalist', { id: `${input.id}-people` });
  input.setAttribute('list', list.id);
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

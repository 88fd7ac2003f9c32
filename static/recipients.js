// Suggests people while a recipient is typed.

import { getJson } from './api.js';
import { element } from './elements.js';

const WAIT_MS = 200;

/** The list that belongs to `input`, a field of recipients parted by commas. */
export function suggestions(input) {
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
    const people = await getJson(`../a/complete?${new URLSearchParams({ q: text })}`).catch(() => []);
    if (asked !== text) return;
    list.replaceChildren(...people.map(({ recipient }) => element('option', { value: before + recipient })));
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  return list;
}

// Suggests names while one of them is typed.

import { element } from '../core/dom.js';

const WAIT_MS = 200;

/**
 * The list that belongs to `input`, a field of names parted by commas.
 * @param {HTMLInputElement} input @param {(words: string) => Promise<string[]>} namesLike
 */
export function nameList(input, namesLike) {
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
    timer = window.setTimeout(ask, WAIT_MS);
  });
  return list;
}

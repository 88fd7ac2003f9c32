// Pictures of people and rooms: shown where there is one, chosen, taken away.

import { getBlob, messageOf, request } from '../api/request.js';
import { element } from '../core/dom.js';
import { announce } from './notices.js';

/**
 * The picture at `path`, or undefined where there is none; fetched, for an image sends no password of a room.
 * @param {string} path @param {string} alt @param {AbortSignal} [signal]
 */
export async function pictureAt(path, alt, signal) {
  const blob = await getBlob(path, signal).catch(() => undefined);
  return blob && element('img', { class: 'picture', alt, src: URL.createObjectURL(blob) });
}

/**
 * Shows the picture at `path`, and lets it be changed. `words` are `{ alt, changed, removed }`; `hear` gets the new
 * one, undefined for none.
 * @param {string} path
 * @param {HTMLImageElement | undefined} shown
 * @param {{ alt: string, changed: string, removed: string }} words
 * @param {(picture?: HTMLImageElement) => void} [hear]
 */
export function pictureField(path, shown, words, hear = () => {}) {
  const place = element('div', {}, shown);
  const input = element('input', { type: 'file', id: 'picture', accept: 'image/*', class: 'visually-hidden' });
  const problem = element('p', { class: 'error-text', role: 'alert' });
  const remove = element('button', { type: 'button', hidden: !shown }, 'Remove the picture');
  /**
   * @param {{ method: string, headers?: Record<string, string>, body?: Blob }} options
   * @param {string} said
   */
  const change = async (options, said) => {
    problem.textContent = '';
    try {
      await request(path, options);
      const picture = options.body && (await pictureAt(path, words.alt));
      place.replaceChildren(...(picture ? [picture] : []));
      remove.hidden = !picture;
      hear(picture || undefined);
      announce(said);
    } catch (error) {
      problem.textContent = messageOf(error);
    }
  };
  input.addEventListener('change', () => {
    const [body] = /** @type {FileList} */ (input.files);
    input.value = '';
    if (body) change({ method: 'PUT', headers: { 'Content-Type': body.type }, body }, words.changed);
  });
  remove.addEventListener('click', async () => {
    await change({ method: 'DELETE' }, words.removed);
    input.focus();
  });
  return [
    place,
    element('label', { class: 'button file-button', for: 'picture' }, 'Choose a picture'),
    input,
    remove,
    problem,
  ];
}

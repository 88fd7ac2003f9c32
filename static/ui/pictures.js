// Pictures of people and rooms: shown where there is one, chosen, taken away.

import { messageOf } from '../api/request.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { announce } from './notices.js';

/** Fetched before, for an image sends no password of a room. @param {Blob} blob @param {string} alt */
export const pictureOf = (blob, alt) => element('img', { class: 'picture', alt, src: URL.createObjectURL(blob) });

/**
 * Shows the picture, or what stands for none, and lets it be changed; `write` without a picture takes it away.
 * @param {Blob | undefined} shown
 * @param {{ alt: string, changed: string, removed: string }} words
 * @param {(picture?: Blob) => Promise<unknown>} write
 * @param {HTMLElement} [none]
 */
export function pictureField(shown, words, write, none) {
  const show = (/** @type {Blob | undefined} */ picture) => (picture ? pictureOf(picture, words.alt) : none);
  const place = element('div', {}, show(shown));
  const input = element('input', { type: 'file', id: 'picture', accept: 'image/*', class: 'visually-hidden' });
  const problem = element('p', { class: 'error', role: 'alert' });
  const remove = element('button', { type: 'button', class: 'btn', hidden: !shown }, t('picture.remove'));
  /** @param {Blob | undefined} picture @param {string} said */
  const change = async (picture, said) => {
    problem.textContent = '';
    try {
      await write(picture);
      place.replaceChildren(...[show(picture)].filter((node) => node !== undefined));
      remove.hidden = !picture;
      announce(said);
    } catch (error) {
      problem.textContent = messageOf(error);
    }
  };
  input.addEventListener('change', () => {
    const [picture] = /** @type {FileList} */ (input.files);
    input.value = '';
    if (picture) change(picture, words.changed);
  });
  remove.addEventListener('click', async () => {
    await change(undefined, words.removed);
    input.focus();
  });
  return element(
    'div',
    { class: 'stack' },
    place,
    element(
      'p',
      { class: 'group', 'data-gap': '2' },
      input,
      element('label', { class: 'btn file-button', for: 'picture' }, t('picture.choose')),
      remove,
    ),
    problem,
  );
}

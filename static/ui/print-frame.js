// Messages on paper: a page of their own in a frame out of sight, which runs no script, as that of a message on the
// screen does not, and is printed by itself. A frame within the page would be cut where the paper ends.

import { element, queryAll } from '../core/dom.js';
import { appendHtml, FRAME } from './message-frame.js';

/** pictures that take longer are left out */
const PICTURES_MS = 5000;
/** some browsers go on reading it while they show what it will look like */
const KEPT_MS = 60_000;

/** @typedef {{ head: Node[], html: string }} Sheet what stands above, and the text as the gateway has made it safe */

/** @type {HTMLElement | undefined} */
let shown;

/** @param {Sheet[]} sheets @param {string} title of the page */
export function printSheets(sheets, title) {
  shown?.remove();
  const frame = element('iframe', {
    class: 'print-frame',
    title,
    'aria-hidden': 'true',
    tabindex: -1,
    // a dialog, which is that of printing: what stands in it can open none
    sandbox: 'allow-same-origin allow-modals',
    srcdoc: FRAME,
  });
  frame.addEventListener('load', () => print(frame, sheets, title), { once: true });
  document.body.append(frame);
  shown = frame;
  setTimeout(() => frame.remove(), KEPT_MS);
}

/** @param {HTMLIFrameElement} frame @param {Sheet[]} sheets @param {string} title */
async function print({ contentDocument: page, contentWindow: view }, sheets, title) {
  if (!page || !view) return;
  page.title = title;
  page.documentElement.className = 'paper';
  for (const { head, html } of sheets) {
    const text = element('div', { dir: 'auto' });
    page.body.append(element('header', { class: 'print-head' }, ...head), text);
    appendHtml(text, html);
  }
  const pictures = [.../** @type {NodeListOf<HTMLImageElement>} */ (queryAll(page, 'img'))];
  const loaded = Promise.allSettled(pictures.map((picture) => picture.decode()));
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, PICTURES_MS))]);
  view.print();
}

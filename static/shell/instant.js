// Instant messages that have come: they stay in sight until they are put away, for the server keeps them no longer.
// Every window of this browser shows what one of them has fetched.

import { getJson } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { shortTime } from '../formats/times.js';

/** @import { InstantMessage } from '../api/interface.d.ts' */

const windows = new BroadcastChannel(`instant messages of ${new URL('..', location.href).pathname}`);
windows.addEventListener('message', ({ data }) => show(data));

/** Looks for new ones; a failure is for the next time. */
export async function fetchInstantMessages() {
  /** @type {InstantMessage[]} */
  const messages = await getJson('../a/im').catch(() => []);
  if (messages.length === 0) return;
  show(messages);
  windows.postMessage(messages);
}

export function clearInstantMessages() {
  byId('instant').replaceChildren();
}

/** @param {InstantMessage[]} messages */
function show(messages) {
  byId('instant').append(...messages.map(item));
}

/** @param {InstantMessage} message @returns {HTMLElement} */
function item({ time, from, text }) {
  /** @type {HTMLElement} */
  const node = element(
    'div',
    { class: 'instant' },
    element('p', { class: 'instant-from' }, element('bdi', {}, from), ' ', element('time', {}, shortTime(time))),
    element('p', { class: 'instant-text', dir: 'auto' }, text.trim()),
    element(
      'p',
      { class: 'actions' },
      element('a', { class: 'button', href: `#/people/${encodeURIComponent(from)}` }, 'Answer'),
      element('button', { type: 'button', on: { click: () => node.remove() } }, 'Close'),
    ),
  );
  return node;
}

// Instant messages that have come: they stay in sight until they are put away, for the server keeps them no longer.
// Every window of this browser shows what one of them has fetched.

import { takeInstantMessages } from '../api/people.js';
import { byId, element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress } from '../core/router.js';
import { shortTime } from '../formats/times.js';
import { icon } from '../ui/icon.js';
import { notify } from '../ui/notifications.js';

/** @import { InstantMessage } from '../api/interface.d.ts' */

const windows = new BroadcastChannel(`instant messages of ${new URL('..', location.href).pathname}`);
windows.addEventListener('message', ({ data }) => show(data));

/** Looks for new ones; a failure is for the next time. */
export async function fetchInstantMessages() {
  const messages = await takeInstantMessages().catch(() => []);
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
  for (const { from, text } of messages) {
    notify(from, { body: text.trim(), tag: `im ${from}`, address: pageAddress('people', from) });
  }
}

/** @param {InstantMessage} message @returns {HTMLElement} */
function item({ time, from, text }) {
  const close = t('ui.close');
  /** @type {HTMLElement} */
  const node = element(
    'div',
    { class: 'toast instant' },
    element(
      'div',
      { class: 'grow' },
      element('p', { class: 'strong' }, element('bdi', {}, from), ' ', element('time', {}, shortTime(time))),
      element('p', { dir: 'auto' }, text.trim()),
    ),
    element('a', { href: pageAddress('people', from) }, t('instant.answer')),
    element(
      'button',
      { type: 'button', 'aria-label': close, title: close, on: { click: () => node.remove() } },
      icon('close', { size: 'small' }),
    ),
  );
  return node;
}

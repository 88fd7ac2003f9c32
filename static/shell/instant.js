// Instant messages that have come: they stay in sight until they are put away, for the server keeps them no longer.
// Every window of this browser shows what one of them has fetched.
import { byId, element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress } from '../core/router.js';
import { shortTime } from '../formats/times.js';
import { fetchInstants, whenInstants } from '../model/instants.js';
import { isOneself } from '../model/session.js';
import { icon } from '../ui/icon.js';
import { notify } from '../ui/notifications.js';

/** @import { Instant } from '../model/instants.js' */

whenInstants((messages) => show(messages));

export const fetchInstantMessages = fetchInstants;

/** Those of a talk that is open stand in it already. @param {Instant[]} messages */
function show(messages) {
  const others = messages.filter(({ from }) => !isOneself(from) && location.hash !== pageAddress('chat', from));
  byId('instant').append(...others.map(item));
  for (const { from, text } of others) {
    notify(from, { body: text.trim(), tag: `im ${from}`, address: pageAddress('chat', from) });
  }
}

/** @param {Instant} message @returns {HTMLElement} */
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
    element('a', { href: pageAddress('chat', from) }, t('instant.answer')),
    element(
      'button',
      { type: 'button', 'aria-label': close, title: close, on: { click: () => node.remove() } },
      icon('close', { size: 'small' }),
    ),
  );
  return node;
}

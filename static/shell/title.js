// What the window is called, `(12) Mail – House`, the dot on its icon, and the badge of an installed app.

import { totalUnread } from '../model/room-list.js';
import { serverName } from '../model/session.js';

const ICON = '../s/favicon.svg';
const UNREAD_ICON = '../s/favicon-unread.svg';

/** @type {string[]} */
let names = [];

/** What is shown first, the house last. @param {(string | undefined)[]} shown */
export function setTitle(...shown) {
  names = shown.filter((name) => name !== undefined);
  showTitle();
}

/** Also when the count has changed. */
export function showTitle() {
  const unread = totalUnread();
  const count = unread > 0 ? `(${unread}) ` : '';
  document.title = count + [...names, serverName.get()].filter(Boolean).join(' – ');
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'));
  const address = unread > 0 ? UNREAD_ICON : ICON;
  if (icon && icon.getAttribute('href') !== address) icon.href = address;
  // not in every browser, and not without permission
  const badge = unread > 0 ? navigator.setAppBadge?.(unread) : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

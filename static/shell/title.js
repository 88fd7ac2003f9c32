// What the window is called, `(12) Mail – House`, and the badge of an installed app.

import { totalUnread } from '../model/room-list.js';
import { serverName } from '../model/session.js';

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
  // not in every browser, and not without permission
  const badge = unread > 0 ? navigator.setAppBadge?.(unread) : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

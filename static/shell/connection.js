// What is said while the server cannot be reached, and of what waits to be sent: a banner above all else, which goes by
// itself. When the connection is back, what was missed is read and what waits is sent.

import { doubtConnection, isConnected } from '../api/connection.js';
import { connect } from '../api/events.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { outbox, read, sendAll, sendBy, waitingEntries, whenSent } from '../model/outbox.js';
import { isUnderWay } from '../model/outbox-store.js';
import { loadRooms } from '../model/room-list.js';
import { user } from '../model/session.js';
// it has to open without a connection
import '../pages/outbox.js';
import { icon } from '../ui/icon.js';
import { announce } from '../ui/notices.js';
import { actionButton } from '../ui/pane.js';

/** @import { RoomStore } from '../model/room-store.js' */

/**
 * Answers the banner. `show` shows anew what the address names; `begin` asks who is here, where nobody could tell.
 * @param {{ openStore: () => RoomStore | undefined, show: () => unknown, begin: () => unknown }} shell
 */
export function watchConnection({ openStore, show, begin }) {
  const banner = element('div', { class: 'banner connection', 'data-tone': 'brass', role: 'status' });
  let wasConnected = true;

  function showBanner() {
    const isThere = isConnected.get();
    const waiting = user.get() ? waitingEntries() : [];
    const stuck = waiting.filter((entry) => !isUnderWay(entry)).length;
    const isStuck = isThere || stuck === waiting.length;
    const count = isStuck ? stuck : waiting.length - stuck;
    const link =
      count > 0 && element('a', { href: '#/outbox' }, t(isStuck ? 'outbox.stuck' : 'outbox.count', { count }));
    if (isThere) return banner.replaceChildren(...(link ? [icon('warning'), element('p', {}, link)] : []));
    const said = user.get() ? t('connection.about') : t('connection.trying');
    banner.replaceChildren(
      icon('clock'),
      element(
        'p',
        { class: 'grow' },
        element('b', {}, t('connection.lost')),
        element('span', { class: 'not-phone' }, ` ${said}`),
        ' ',
        link || '',
      ),
      actionButton({ label: t('ui.retry'), icon: 'repeat', run: doubtConnection }),
    );
  }

  async function mend() {
    if (!user.get()) return begin();
    connect();
    await sendAll();
    try {
      await loadRooms();
      await openStore()?.refresh();
    } catch {
      return; // the next time
    }
    // the inbox is no list that is told of changes, and what could not be shown can be now
    if (location.hash.length < 3 || document.querySelector('.stage .banner[role="alert"]')) show();
  }

  isConnected.subscribe((isThere) => {
    showBanner();
    if (isThere && !wasConnected) {
      announce(t('connection.back'));
      mend();
    }
    wasConnected = isThere;
  });
  outbox.subscribe(showBanner);
  user.subscribe(async () => {
    await read();
    if (isConnected.get() && outbox.get().length > 0) await sendAll();
    if (user.get()) await (await import('../kinds/list/importing.js')).offerStopped();
  });
  sendBy(async () => (await import('../model/outbox-sending.js')).sendEach());
  whenSent(async (rooms) => {
    await loadRooms().catch(() => {});
    const store = openStore();
    if (store && rooms.has(store.name)) await store.refresh().catch(() => {});
  });
  return banner;
}

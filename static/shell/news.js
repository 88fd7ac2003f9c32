// What changes while the page is open: it appears as the server tells it, and where it tells nothing the page asks now
// and then.

import { VIEW } from '../../src/model.ts';
import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { connect, isLive, listenUnseen, whenNews } from '../api/events.js';
import { language, t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { lists, loadRooms, ownRoom, roomTitle, unreadCount } from '../model/room-list.js';
import { user } from '../model/session.js';
import { announce, tellQuietly } from '../ui/notices.js';
import { areNotificationsOn, notify } from '../ui/notifications.js';
import { fetchInstantMessages } from './instant.js';

/** @import { News } from '../api/events.js' */
/** @import { RoomStore } from '../model/room-store.js' */

const REFRESH_MS = 60_000;
/** rooms that are named at once */
const MOST_NAMED = 4;

/**
 * Only members are told.
 * @param {{ openStore: () => RoomStore | undefined, changed: () => void }} shell `changed`: something is new somewhere
 */
export function keepUpToDate({ openStore, changed }) {
  const isHere = () => user.get() !== undefined;
  listenUnseen(areNotificationsOn);
  whenNews((news) => isHere() && showNews(news));
  const refresh = () => isHere() && document.visibilityState === 'visible' && !isLive() && askForNews();
  const look = () => isHere() && lookForInstantMessages();
  for (const ask of [refresh, look]) {
    document.addEventListener('visibilitychange', ask);
    setInterval(ask, REFRESH_MS);
  }

  /** @param {News} news */
  async function showNews({ rooms, mail, hasInstant, isFirst }) {
    if (hasInstant) {
      fetchInstantMessages();
      if (rooms.size === 0 && mail === 0 && !isFirst) return;
    }
    if (mail > 0) notify(t('news.mail', { count: mail }), { tag: 'mail', address: routeTo(OWN_ROOM.mail) });
    const store = openStore();
    try {
      const before = unreadNow();
      await loadRooms();
      changed();
      tellOfOthers(before, store?.name, mail > 0);
      if (store && rooms.has(store.name)) await store.refresh();
      else if (mail > 0) announce(t('news.mail', { count: mail }));
    } catch {
      // the next time will do, and whoever clicks something is told
    }
  }

  async function askForNews() {
    connect();
    try {
      await loadRooms();
      changed();
      await openStore()?.refresh();
    } catch {
      // as above
    }
  }
}

/** By the name of the room. */
const unreadNow = () => new Map(lists.get().rooms.map((room) => [room.name, unreadCount(room)]));

/**
 * Where something has come beside the room that is open: the sidebar counts it, and it is read out.
 * @param {Map<string, number>} before @param {string | undefined} open @param {boolean} isMailTold
 */
function tellOfOthers(before, open, isMailTold) {
  const mail = ownRoom(VIEW.mailbox)?.name;
  const names = [...unreadNow()]
    .filter(([name, count]) => count > (before.get(name) ?? 0) && name !== open && !(isMailTold && name === mail))
    .map(([name]) => roomTitle(name));
  if (names.length === 0) return;
  const told = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED - 1), '…'] : names;
  tellQuietly(t('news.rooms', { rooms: new Intl.ListFormat(language, { type: 'conjunction' }).format(told) }));
}

/** Also while the page is out of sight: the server keeps them for minutes only. */
function lookForInstantMessages() {
  if (!isLive()) fetchInstantMessages();
}

// What changes while the page is open: it appears as the server tells it, and where it tells nothing the page asks now
// and then. Announced is what others have brought and the reader does not see: nothing of one's own, from whatever
// device, and nothing that was only moved.

import { VIEW } from '../../src/model.ts';
import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { connect, isLive, listenUnseen, whenNews } from '../api/events.js';
import { MOST_ROWS, readMailbox } from '../api/messages.js';
import { language, t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { kindOf } from '../kinds/index.js';
import { highestOf, isArrival, mayHaveArrivals } from '../model/arrivals.js';
import { isNewsRoom, lists, loadRooms, ownRoom, roomNamed, roomTitle, unreadCount } from '../model/room-list.js';
import { user } from '../model/session.js';
import { announce, tellQuietly } from '../ui/notices.js';
import { areNotificationsOn, notify } from '../ui/notifications.js';
import { fetchInstantMessages } from './instant.js';

/** @import { MailboxEntry as Row, RoomListEntry } from '../api/interface.d.ts' */
/** @import { News } from '../api/events.js' */
/** @import { RoomStore } from '../model/room-store.js' */

const REFRESH_MS = 60_000;
/** rooms that are named at once */
const MOST_NAMED = 4;

/** the highest message number of all rooms that the reader knows of: a message that is only moved has a lower one */
let newest = 0;
/** the user whom that is about @type {string | undefined} */
let reader;

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
  lists.subscribe(({ rooms }) => {
    if (rooms.length === 0 || reader === user.get()?.username) return;
    reader = user.get()?.username;
    newest = highestOf(lists.get().rooms);
  });

  /** @param {News} news */
  function showNews({ rooms, mail, hasInstant, isFirst }) {
    if (hasInstant) {
      fetchInstantMessages();
      if (rooms.size === 0 && mail === 0 && !isFirst) return;
    }
    return catchUp(mail, (room) => rooms.has(room));
  }

  function askForNews() {
    connect();
    return catchUp(0, () => true);
  }

  /** @param {number} mail that has come into the inbox @param {(room: string) => boolean} hasChanged */
  async function catchUp(mail, hasChanged) {
    const store = openStore();
    const before = unreadNow();
    try {
      await loadRooms();
      changed();
      const isBehind = store && (roomNamed(store.name)?.highest ?? 0) > store.highest;
      const rows = store && (isBehind || hasChanged(store.name)) ? await store.refresh() : [];
      const known = newest;
      newest = Math.max(newest, highestOf(lists.get().rooms));
      const here = rows.filter((row) => isArrival(row, known));
      if (store && store === openStore()) tellOfRoom(store, here);
      const inbox = ownRoom(VIEW.mailbox);
      const isOpen = inbox !== undefined && inbox.name === store?.name;
      const hasMail = inbox && (mail > 0 || mayHaveArrivals(inbox, before.get(inbox.name) ?? 0, known));
      const letters = isOpen ? here : hasMail ? await newsIn(inbox.name, known, mail || 1) : [];
      if (letters.length > 0) tellOfMail(letters.length, isOpen);
      const others = lists.get().rooms.filter(({ name }) => name !== store?.name && name !== inbox?.name);
      await tellOfOthers(others, before, known);
    } catch {
      // the next time will do, and whoever clicks something is told
    }
  }
}

/** By the name of the room. */
const unreadNow = () => new Map(lists.get().rooms.map((room) => [room.name, unreadCount(room)]));

/** What others have brought there. Throws Problem. @param {string} room @param {number} known @param {number} last */
async function newsIn(room, known, last) {
  const { msgs } = await readMailbox(room, known > 0 ? { after: known } : { last: Math.min(last, MOST_ROWS) });
  return msgs.filter((row) => isArrival(row, known));
}

/** In the room that is open. @param {RoomStore} store @param {Row[]} rows */
function tellOfRoom({ info, name }, rows) {
  const count = rows.length;
  if (count === 0 || !isNewsRoom(info)) return;
  // events and tasks that change are new versions: nobody has written
  if (kindOf(info).isDated) tellQuietly(t('news.entries', { count, room: roomTitle(name) }));
  else (isInView(rows[count - 1]) ? tellQuietly : announce)(t('news.messages', { count }));
}

/** @param {Row} row */
function isInView({ msgnum }) {
  return [...document.querySelectorAll(`.stage [data-msgnum="${msgnum}"]`)].some((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

/** @param {number} count @param {boolean} isOpen */
function tellOfMail(count, isOpen) {
  const words = t('news.mail', { count });
  notify(words, { tag: 'mail', address: routeTo(OWN_ROOM.mail) });
  if (isOpen) return;
  // the inbox of all rooms shows it
  if (document.body.dataset.page === '') tellQuietly(words);
  else announce(words);
}

/**
 * Where something has come elsewhere: the sidebar counts it, and it is read out.
 * @param {RoomListEntry[]} rooms @param {Map<string, number>} before what was unread in each @param {number} known
 */
async function tellOfOthers(rooms, before, known) {
  const names = [];
  for (const room of rooms) {
    const { name } = room;
    const were = before.get(name) ?? 0;
    if (!mayHaveArrivals(room, were, known)) continue;
    if (names.length === MOST_NAMED) {
      names.splice(MOST_NAMED - 1, 1, '…');
      break;
    }
    if ((await newsIn(name, known, unreadCount(room) - were)).length > 0) names.push(roomTitle(name));
  }
  if (names.length === 0) return;
  tellQuietly(t('news.rooms', { rooms: new Intl.ListFormat(language, { type: 'conjunction' }).format(names) }));
}

/** Also while the page is out of sight: the server keeps them for minutes only. */
function lookForInstantMessages() {
  if (!isLive()) fetchInstantMessages();
}

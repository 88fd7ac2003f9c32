// What changes while the page is open: it appears as the server tells it, and where it tells nothing the page asks now
// and then.

import { openRoomName, refreshRoom } from '../kinds/mail/room.js';
import { connect, isLive, whenNews } from '../model/events.js';
import { announce } from '../ui/notices.js';
import { fetchInstantMessages } from './instant.js';
import { loadRooms } from './rooms.js';

/** @import { News } from '../model/events.js' */

const REFRESH_MS = 60_000;

/**
 * `isSomebodyHere` says whether somebody is logged in: only members are told.
 * @param {() => boolean} isSomebodyHere
 */
export function keepUpToDate(isSomebodyHere) {
  whenNews((news) => isSomebodyHere() && showNews(news));
  const refresh = () => isSomebodyHere() && document.visibilityState === 'visible' && !isLive() && askForNews();
  const look = () => isSomebodyHere() && lookForInstantMessages();
  for (const ask of [refresh, look]) {
    document.addEventListener('visibilitychange', ask);
    setInterval(ask, REFRESH_MS);
  }
}

/** @param {News} news */
async function showNews({ rooms, mail, hasInstant }) {
  if (hasInstant) {
    fetchInstantMessages();
    if (rooms.size === 0 && mail === 0) return;
  }
  const name = openRoomName();
  try {
    await loadRooms();
    if (name !== undefined && rooms.has(name)) await refreshRoom();
    else if (mail > 0) announce(mail === 1 ? 'You have new mail.' : `You have ${mail} new mails.`);
  } catch {
    // the next time will do, and whoever clicks something is told
  }
}

async function askForNews() {
  connect();
  try {
    await loadRooms();
    await refreshRoom();
  } catch {
    // as above
  }
}

/** Also while the page is out of sight: the server keeps them for minutes only. */
export function lookForInstantMessages() {
  if (!isLive()) fetchInstantMessages();
}

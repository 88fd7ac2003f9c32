// Live news of the server (Server-Sent Events): one stream while the page is in sight, for a browser opens only a few
// connections to a server over all its windows. Where there is no stream landing.js asks now and then.

import { shownAccount } from './account.js';
import { doubtConnection } from './connection.js';

/** news that come together are told together */
const SETTLE_MS = 200;

/** @typedef {{ rooms: Set<string>, mail: number, hasInstant?: boolean, isFirst?: boolean }} News */

/** @type {EventSource | undefined} */
let source;
/** @typedef {{ name: string, after: number }} Followed */

/** @type {Followed | undefined | false} the room to be followed, undefined for none; false: nothing at all */
let wanted = false;
/** @type {string | undefined} name of the room that `source` follows */
let followed;
/** where the last stream ended: the next one goes on from there */
let lastId = '';
/** no stream has been open since somebody came */
let isNew = true;
/** @type {News | undefined} */
let news;
/** @type {(news: News) => unknown} */
let tell = () => {};

/**
 * `listener` gets `{ rooms, mail, hasInstant }`: a set of the names of rooms that have changed, the number of new
 * mails, and whether instant messages wait.
 * @param {(news: News) => unknown} listener
 */
export function whenNews(listener) {
  tell = listener;
  document.addEventListener('visibilitychange', connect);
}

/** @type {() => boolean} */
let isWantedUnseen = () => false;

/** Whether news are wanted also while the page is out of sight. @param {() => boolean} test */
export function listenUnseen(test) {
  isWantedUnseen = test;
}

/** News come by themselves at the moment. */
export const isLive = () => source?.readyState === EventSource.OPEN;

/**
 * Follows the rooms, the mail, and the messages of the room that is open: `after` is the highest one known.
 * @param {Followed} [room]
 */
export function follow(room) {
  wanted = room;
  connect();
}

export function unfollow() {
  wanted = false;
  lastId = '';
  isNew = true;
  connect();
}

/** What a stream tells is new to who has read the lists of this time, unless one has told more. @param {string} id */
export function beginEventsAt(id) {
  if (lastId === '') lastId = id;
}

/** Also after a while, when the server has refused. */
export function connect() {
  const room = (document.visibilityState === 'visible' || isWantedUnseen()) && wanted;
  const isThere = source && source.readyState !== EventSource.CLOSED;
  if (room !== false && isThere && followed === room?.name) return;
  source?.close();
  source = undefined;
  if (room !== false) open(room);
}

/** @param {Followed} [room] */
function open(room) {
  followed = wanted ? wanted.name : undefined;
  const query = new URLSearchParams({ account: String(shownAccount() ?? 0) });
  if (room) {
    query.set('room', room.name);
    query.set('after', String(room.after));
  }
  if (lastId !== '') query.set('last_event_id', lastId);
  const opened = new EventSource(`../a/events?${query}`);
  for (const name of ['biff', 'room', 'message', 'im']) opened.addEventListener(name, hear);
  // what came after the list was read and before the stream began, where that goes on from nowhere
  const isFirst = lastId === '';
  opened.addEventListener('open', () => {
    if (opened !== source) return;
    // instant messages come to who has asked for them once
    if (isFirst || isNew) tell({ rooms: new Set(), mail: 0, hasInstant: true, isFirst });
    isNew = false;
  });
  // of a room that asks for its password only the room server's list tells
  opened.addEventListener('error', () => {
    if (opened === source) doubtConnection();
    if (room && opened === source && opened.readyState === EventSource.CLOSED) open(undefined);
  });
  source = opened;
}

/** @param {MessageEvent} event */
function hear({ type, data, lastEventId }) {
  lastId = lastEventId;
  const { name, room, new: mail } = JSON.parse(data);
  if (!news) {
    /** @type {News} */
    const gathered = { rooms: new Set(), mail: 0, hasInstant: false };
    news = gathered;
    setTimeout(() => {
      news = undefined;
      tell(gathered);
    }, SETTLE_MS);
  }
  if (type === 'biff') news.mail += mail;
  else if (type === 'im') news.hasInstant = true;
  else news.rooms.add(name ?? room);
}

// The web client's beginning: who is here, what the address asks for, which pane shows it. Everything else hangs from
// the functions called here.

import { forgetRoomPasswords, isPasswordProblem, messageOf, Problem, whenLoggedOut } from './api/request.js';
import { byId, query } from './core/dom.js';
import { parseRoute, routeTo } from './core/router.js';
import { openForm } from './kinds/mail/compose.js';
import { focusRow, markCurrentMessage } from './kinds/mail/list.js';
import { openMessage } from './kinds/mail/reading.js';
import { closeRoom, highestKnown, openRoom, openRoomName } from './kinds/mail/room.js';
import { isWiki, openPageForm } from './kinds/wiki/edit.js';
import { showHistory, showMissingPage } from './kinds/wiki/history.js';
import { dropAllDrafts } from './model/drafts.js';
import { follow, unfollow } from './model/events.js';
import { showAccount } from './pages/account.js';
import { showFloors } from './pages/floors.js';
import { logOut, prepareLogIn, readUser, showLogIn } from './pages/log-in.js';
import { showPeople } from './pages/people.js';
import { showProfile } from './pages/profile.js';
import { passwordForm } from './pages/room-password.js';
import { showNewRoom, showSettings } from './pages/room-settings.js';
import { showSearch } from './pages/search.js';
import { showUsers } from './pages/users.js';
import { clearInstantMessages } from './shell/instant.js';
import { keepUpToDate, lookForInstantMessages } from './shell/news.js';
import { areRoomsLoaded, clearRooms, focusRoom, loadRooms, markCurrent, showHome } from './shell/rooms.js';
import { readServerInfo, setTitle } from './shell/server-info.js';
import { announce, errorBox, loadingNote } from './ui/notices.js';

/** @import { WhoAmI } from './api/interface.d.ts' */
/** @import { MessageRoute, PageRoute, RoomRoute, Route } from './core/router.js' */

const SESSION_ENDED = 'Your session has ended. Log in again to go on; what you were writing is kept.';

/** @type {Record<string, string>} titles of the pages beside the rooms */
const PAGE_TITLES = {
  search: 'Search',
  account: 'Your account',
  people: 'Who is online',
  'new-room': 'New room',
  user: 'User',
  users: 'Users',
  floors: 'Floors',
};

/** @typedef {Route | { page: 'none' }} Before where the reader has been */

/** @type {WhoAmI | undefined} */
let user;
let isGuestWelcome = false;
let note = '';
/** @type {string | undefined} whose instant messages and passwords of rooms the page knows */
let lastUser;
/** what is being shown; a new address breaks off the one before */
let running = new AbortController();
/** @type {Before} */
let previous = { page: 'none' };

async function start() {
  whenLoggedOut(endSession);
  prepareLogIn(enter);
  byId('log-out').addEventListener('click', leave);
  byId('skip').addEventListener('click', skip);
  keepUpToDate(() => user !== undefined);
  await enter();
}

/** Also after a log-in: asks who is here and shows what the address names. */
async function enter() {
  try {
    [user, isGuestWelcome] = await Promise.all([readUser(), readServerInfo()]);
  } catch (problem) {
    setState('out', 'home');
    showProblem('home', problem, enter);
    return;
  } finally {
    // not before: whoever is not known yet would be shown the log-in
    addEventListener('hashchange', show);
  }
  note = '';
  if (user && user.username !== lastUser) forgetFormer();
  clearRooms();
  closeRoom();
  byId('who').textContent = user?.fullname ?? '';
  await show();
  if (user) lookForInstantMessages();
}

function endSession() {
  if (!user) return;
  user = undefined;
  note = SESSION_ENDED;
  show();
}

async function leave() {
  try {
    await logOut();
  } catch (problem) {
    announce(messageOf(problem));
    return;
  }
  dropAllDrafts();
  forgetFormer();
  user = undefined;
  previous = { page: 'none' };
  history.replaceState(null, '', '#/');
  await enter();
}

/** What one user has told the page, or was told, is nothing for the next. */
function forgetFormer() {
  forgetRoomPasswords();
  clearInstantMessages();
  lastUser = user?.username;
}

/** What the address asks for, for whoever is here. */
async function show() {
  running.abort();
  running = new AbortController();
  if (!user) unfollow();
  const { signal } = running;
  const route = parseRoute(location.hash);
  const before = previous;
  previous = route;
  try {
    await showRoute(route, before, signal);
  } catch (problem) {
    if (!signal.aborted) showFailure(route, problem);
  }
}

/**
 * @param {Route} route
 * @param {Before} before
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
async function showRoute(route, before, signal) {
  if (!user && (!isGuestWelcome || route.page === 'login' || note !== '')) return showEntry();
  if (user && route.page === 'login') return location.replace('#/');
  const isFirst = before.page === 'none';
  setState(user ? 'in' : 'guest', paneOf(route));
  if (!areRoomsLoaded()) {
    if (isFirst) hideBut(undefined);
    await loadRooms();
    signal.throwIfAborted();
  }
  markCurrent(roomOf(route));
  if (route.page === 'home') return showHomePage(before);
  if (!('room' in route)) return showPage(route, signal);
  await showRoom(route, before, signal);
}

function showEntry() {
  setState('out', 'entry');
  hideBut('entry');
  clearRooms();
  closeRoom();
  closeDetail();
  setTitle('Log in');
  showLogIn(note);
}

/** @param {Before} before */
function showHomePage(before) {
  const isFirst = before.page === 'none';
  closeRoom();
  if (user) follow();
  hideBut('home');
  showHome(user?.fullname);
  setTitle();
  if (isFirst) return;
  byId('home-title').focus();
  // a small screen shows the rooms instead
  if (document.activeElement !== byId('home-title')) focusRoom(roomOf(before));
}

/** What the page holds. Throws Problem. @param {PageRoute} route @param {WhoAmI} reader @param {AbortSignal} signal */
async function fillPage(route, reader, signal) {
  if (route.page === 'search') await showSearch(route.words, signal);
  else if (route.page === 'account') await showAccount(reader, signal);
  else if (route.page === 'people') await showPeople(reader, route, signal);
  else if (route.page === 'new-room') showNewRoom();
  else if (route.page === 'user') await showProfile(reader, route, signal);
  else if (route.page === 'users') await showUsers(reader, signal);
  else if (route.page === 'floors') showFloors(reader);
}

/**
 * A page beside the rooms, in the place of one.
 * @param {PageRoute} route @param {AbortSignal} signal
 */
async function showPage(route, signal) {
  if (!user) return location.replace('#/login');
  closeRoom();
  closeDetail();
  follow();
  hideBut('room');
  setTitle('name' in route ? route.name : PAGE_TITLES[route.page]);
  await fillPage(route, user, signal);
  byId('room-title').focus();
}

/** @param {Before} route */
const roomOf = (route) => ('room' in route ? route.room : undefined);

/** @param {Before} route */
const msgnumOf = (route) => ('msgnum' in route ? route.msgnum : undefined);

/**
 * @param {RoomRoute | MessageRoute} route
 * @param {Before} before
 * @param {AbortSignal} signal
 */
async function showRoom(route, before, signal) {
  if (openRoomName()?.toLowerCase() !== route.room.toLowerCase()) {
    hideBut('room');
    byId('room').replaceChildren(loadingNote('Loading the room…'));
    closeDetail();
  }
  const room = await openRoom(route.room, !user, signal);
  if (user) follow({ name: room.name, after: highestKnown() });
  markCurrent(room.name);
  markCurrentMessage(msgnumOf(route));
  if (route.page === 'room') {
    closeDetail();
    hideBut('room');
    setTitle(room.name);
    const last = roomOf(before) === route.room && msgnumOf(before);
    if (last) focusRow(last);
    else byId('room-title').focus();
    return;
  }
  if (route.page === 'named') {
    const page = room.rows.find((row) => row.subject === route.name);
    if (page) return location.replace(routeTo(room.name, page.msgnum));
  }
  hideBut('room', 'detail');
  byId('detail').scrollTop = 0;
  if (route.page === 'message') {
    const subject = await openMessage(room, route.msgnum, signal, route.part);
    setTitle(subject || 'Message', room.name);
    byId('message-title').focus();
  } else if (route.page === 'named' || route.page === 'history') {
    const title = route.page === 'named' ? showMissingPage(room, route.name) : await showHistory(room, route, signal);
    setTitle(title, room.name);
    byId('message-title').focus();
  } else if (route.page === 'settings') {
    await showSettings(room, user, signal);
    setTitle('Room settings', room.name);
    byId('message-title').focus();
  } else {
    if (!user) return location.replace('#/login');
    const { username } = user;
    const title =
      route.page === 'edit' || (route.page === 'new' && isWiki(room.info))
        ? await openPageForm(room, route, username, signal)
        : await openForm(room, route, username, signal);
    setTitle(title, room.name);
  }
}

/** @param {Route} route @param {unknown} problem */
function showFailure(route, problem) {
  const pane = route.page === 'home' ? 'home' : openRoomName() && route.page !== 'room' ? 'detail' : 'room';
  if (pane === 'room' && isPasswordProblem(problem)) {
    hideBut('room');
    const room = roomOf(route) ?? '';
    setTitle(room);
    byId('room').replaceChildren(...passwordForm(room, show));
    byId('room-password').focus();
    return;
  }
  if (!(problem instanceof Problem)) console.error(problem);
  showProblem(pane, problem, show);
}

/** @param {string} pane @param {unknown} problem @param {() => void} retry */
function showProblem(pane, problem, retry) {
  hideBut(pane, pane === 'detail' ? 'room' : undefined);
  if (pane === 'room') closeRoom();
  setTitle(problem instanceof Problem ? problem.title : 'Error');
  byId(pane).replaceChildren(errorBox(problem, retry));
  query(byId(pane), '.error-box button')?.focus();
}

function closeDetail() {
  byId('detail').replaceChildren();
}

/** @param {Route} route */
const paneOf = ({ page }) => (page === 'home' ? 'home' : page === 'room' || PAGE_TITLES[page] ? 'room' : 'detail');

/**
 * `state` is out, guest or in; `pane` is what a small screen shows.
 * @param {string} state @param {string} pane
 */
function setState(state, pane) {
  document.body.dataset.state = state;
  document.body.dataset.pane = pane;
  byId('rooms').hidden = state === 'out';
  byId('account').hidden = state !== 'in';
  byId('invitation').hidden = state !== 'guest';
}

/** @param {(string | undefined)[]} shown */
function hideBut(...shown) {
  for (const id of ['entry', 'home', 'room', 'detail']) byId(id).hidden = !shown.includes(id);
}

/**
 * The address keeps its part behind the #, so the link is followed by hand.
 * @param {MouseEvent} event
 */
function skip(event) {
  event.preventDefault();
  const heading = query(byId('main'), 'section:not([hidden]) [tabindex="-1"]');
  (heading ?? byId('main')).focus();
}

start();

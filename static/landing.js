// The web client's beginning: who is here, what the address asks for. Everything else hangs from what is called here.

import { endAccount, forgetAccount, lastAccount, showAccount, whenOver } from './api/account.js';
import { doubtConnection } from './api/connection.js';
import { unfollow } from './api/events.js';
import { logOut } from './api/people.js';
import { noConnection } from './api/request.js';
import { readStart } from './api/rooms.js';
import { forgetAnswers, startWorker } from './api/worker.js';
import { element } from './core/dom.js';
import { leaveFocus } from './core/focus.js';
import { direction, language, t } from './core/i18n.js';
import { pageAddress, parseRoute, routeTo } from './core/router.js';
import { areDraftsLeft, dropOwnDrafts } from './model/drafts.js';
import { forgetInstants } from './model/instants.js';
import { clearOutbox, waitingEntries } from './model/outbox.js';
import { settle } from './model/pending.js';
import {
  areRoomsLoaded,
  clearRooms,
  isNewsRoom,
  lists,
  loadRooms,
  nextUnreadRoom,
  setRooms,
} from './model/room-list.js';
import { isAdministrator, isGuestWelcome, serverName, user } from './model/session.js';
import { openHelp, prepareCommands } from './shell/commands.js';
import { watchConnection } from './shell/connection.js';
import { currentCursor, restoreCursor, watchCursor } from './shell/cursor.js';
import { buildFrame } from './shell/frame.js';
import { keepUpToDate } from './shell/news.js';
import { PAGES } from './shell/pages.js';
import { prepareStage } from './shell/stage.js';
import { setTitle, showTitle } from './shell/title.js';
import { avatar } from './ui/avatar.js';
import { openMenu } from './ui/menu.js';
import { announce, confirm, errorBox, tellProblem } from './ui/notices.js';
import { clearNotifications } from './ui/notifications.js';
import { closeToasts, showToast } from './ui/toast.js';

/** @import { WhoAmI } from './api/interface.d.ts' */
/** @import { Cursor } from './shell/cursor.js' */

const GUIDE = '../s/guide/';
/** for browsers that do not tell when they are idle */
const IDLE_MS = 2000;
/** where an unread message may be waiting, beside the inbox */
const UNREAD = '.row[data-unread] .row-main';

/** in this window, whose page the one before was, whether the session ended by itself, and where was being written */
const FORMER = 'former';
/** the address of a page that shows the same to everybody who comes there */
const PAGE_ALONE = /^#\/[\w-]*$/;

let note = '';
/** what is being shown; a new address breaks off the one before */
let running = new AbortController();

document.documentElement.lang = language;
document.documentElement.dir = direction;
for (const name of ['theme', 'density']) {
  const chosen = localStorage.getItem(name);
  if (chosen) document.documentElement.dataset[name] = chosen;
}
const frame = buildFrame({ openHelp, openAccount });
const gate = element('div', { id: 'gate' });
const stage = prepareStage(frame.stage, frame);

async function start() {
  const connection = watchConnection({ openStore: stage.openStore, show, begin: enter });
  document.body.append(connection, frame.frame, gate);
  whenOver((hasEnded) => beginAnew(hasEnded));
  watchCursor();
  prepareCommands({ nextUnread });
  keepUpToDate({ openStore: stage.openStore, changed: showTitle });
  lists.subscribe(showTitle);
  await enter();
  startWorker({
    begun: () => void (user.get() && loadRooms().catch(() => {})),
    renewed: () =>
      showToast(t('connection.renewed'), { action: { label: t('connection.reload'), run: () => location.reload() } }),
  });
}

/** Also after a log-in: asks who is here and shows what the address names. */
async function enter() {
  try {
    forgetAccount();
    const start = await readStart();
    serverName.set(start.serverName || t('shell.unnamed'));
    frame.setName(serverName.get());
    isGuestWelcome.set(start.isGuestWelcome);
    clearRooms();
    stage.close();
    follow(start.user);
    if (start.user || start.isGuestWelcome) setRooms(start);
  } catch (problem) {
    setState('in');
    stage.showProblem(undefined, problem, enter);
    return;
  } finally {
    // not before: whoever is not known yet would be shown the log-in
    addEventListener('hashchange', showNext);
  }
  showButton();
  await show();
  whenIdle(() => areRemindersWanted() && startReminders());
}

/** What the first view does not wait for. @param {() => unknown} act */
const whenIdle = (act) => ('requestIdleCallback' in window ? requestIdleCallback(act) : setTimeout(act, IDLE_MS));

/** The calendars are asked from now on, whatever is open; nobody else loads what asks them. */
const startReminders = () =>
  import('./kinds/calendar/reminders.js').then((module) => module.startReminders()).catch(doubtConnection);

const areRemindersWanted = () => user.get() !== undefined && localStorage.getItem('reminders') === 'on';

/** @returns {{ account?: number, hasEnded?: boolean, cursor?: Cursor }} */
const formerPage = () => JSON.parse(sessionStorage.getItem(FORMER) ?? '{}');

/** Who is here now, after who was. @param {WhoAmI | undefined} next */
function follow(next) {
  const account = next?.usernum ?? 0;
  const former = formerPage();
  note = !next && former.hasEnded ? t('log-in.session-ended') : '';
  if (next) {
    // the rooms, words and people of another are no place to begin
    if (former.account && former.account !== account && !PAGE_ALONE.test(location.hash))
      history.replaceState(null, '', '#/');
    if (former.cursor && former.account === account) restoreCursor(former.cursor);
    sessionStorage.removeItem(FORMER);
    forgetInstants(next.username);
  } else if (note !== '') sessionStorage.setItem(FORMER, JSON.stringify({ ...former, hasEnded: undefined }));
  if (account !== lastAccount()) clearNotifications();
  showAccount(account);
  user.set(next);
}

/**
 * The session of the browser is not the page's any more: nothing of whom it was for stays, and a new page shows who is
 * here now. What was being written is kept on the device.
 * @param {boolean} hasEnded @param {boolean} [isWanted] by the reader, who leaves nothing behind
 */
function beginAnew(hasEnded, isWanted) {
  const former = formerPage();
  const account = user.get()?.usernum ?? former.account;
  const cursor = isWanted ? undefined : (currentCursor() ?? former.cursor);
  sessionStorage.setItem(FORMER, JSON.stringify({ account, hasEnded, cursor }));
  user.set(undefined);
  unfollow();
  running.abort();
  stage.close();
  clearRooms();
  // whatever is told from now on is for nobody
  document.body.replaceChildren(...['instant', 'toasts', 'heard'].map((id) => element('div', { id, hidden: true })));
  setTitle();
  closeToasts();
  clearNotifications();
  // nobody is asked whether to stay
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
  location.reload();
}

async function leave() {
  const count = waitingEntries().length;
  const question = count > 0 ? t('outbox.log-out-question', { count }) : areDraftsLeft() && t('log-in.out-question');
  if (question && !(await confirm(question, t('log-in.out')))) return;
  await tellProblem(async () => {
    await settle();
    await endAccount(logOut);
    await Promise.all([clearOutbox(), forgetAnswers()]);
    dropOwnDrafts();
    forgetInstants();
    history.replaceState(null, '', '#/');
    beginAnew(false, true);
  });
}

function showNext() {
  leaveFocus();
  return show();
}

/** What the address asks for, for whoever is here. */
async function show() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const { page, args } = parseRoute(location.hash);
  const isRoom = page === 'r';
  const isIn = user.get() !== undefined;
  if (!isIn) unfollow();
  if (!isIn && (!isGuestWelcome.get() || page === 'login' || note !== '')) return showGate();
  if (page === 'login' || (!isRoom && !PAGES[page])) return location.replace('#/');
  if (!isIn && !isRoom && PAGES[page].needsUser !== false) return location.replace('#/login');
  setState(isIn ? 'in' : 'guest');
  document.body.dataset.page = isRoom ? 'room' : page;
  try {
    if (!areRoomsLoaded()) await loadRooms();
    signal.throwIfAborted();
    frame.setCurrent({ page, room: isRoom ? args[0] : undefined });
    if (isRoom) await stage.showRoom(args[0], args.slice(1), signal);
    else await stage.showPage(page, args, signal);
  } catch (problem) {
    if (!signal.aborted) stage.showProblem(isRoom ? args[0] : undefined, problem, show);
  }
}

async function showGate() {
  setState('out');
  clearRooms();
  stage.close();
  frame.stage.replaceChildren();
  setTitle(t('log-in.title'));
  try {
    const { showLogIn } = await import('./pages/log-in.js');
    showLogIn(gate, note, enter);
  } catch {
    doubtConnection();
    gate.replaceChildren(errorBox(noConnection(), showGate));
  }
}

/** `out`, `guest` or `in`. @param {string} state */
function setState(state) {
  document.body.dataset.state = state;
  frame.frame.hidden = state === 'out';
  gate.hidden = state !== 'out';
  if (state !== 'out') gate.replaceChildren();
}

/** The way in, or to one's own things. */
function showButton() {
  const name = user.get()?.fullname;
  /** @type {HTMLElement} */
  const button =
    name === undefined
      ? element('a', { class: 'btn', 'data-kind': 'primary', href: '#/login' }, t('log-in.action'))
      : element(
          'button',
          {
            type: 'button',
            class: 'btn-icon',
            id: 'account',
            'aria-label': t('shell.account', { name }),
            'aria-haspopup': 'menu',
            on: { click: () => openAccount(button) },
          },
          avatar(name),
        );
  frame.account.replaceChildren(button);
}

/** @param {HTMLElement} button */
function openAccount(button) {
  const go = (/** @type {string} */ page) => () => {
    location.hash = pageAddress(page);
  };
  openMenu(button, [
    { label: t('page.account'), icon: 'person', run: go('account') },
    { label: t('settings.places'), icon: 'settings', run: go('settings') },
    { label: t('page.people'), icon: 'people', run: go('people') },
    { label: t('page.new-room'), icon: 'plus', run: go('new-room') },
    ...(isAdministrator()
      ? [
          { separator: true },
          { label: t('page.users'), icon: 'people', run: go('users') },
          { label: t('page.floors'), icon: 'stairs', run: go('floors') },
          { label: t('page.all-rooms'), icon: 'room', run: go('all-rooms') },
        ]
      : []),
    { separator: true },
    { label: t('shell.help'), icon: 'help', keys: '?', run: openHelp },
    { label: t('page.guide'), icon: 'info', run: () => location.assign(GUIDE) },
    { label: t('log-in.out'), icon: 'log-out', run: leave },
  ]);
}

/** The next unread message here, in sight or not, or the next room that has one. */
function nextUnread() {
  const store = stage.openStore();
  const isQuiet = store && !isNewsRoom(store.info);
  const links = /** @type {HTMLAnchorElement[]} */ (isQuiet ? [] : [...frame.stage.querySelectorAll(UNREAD)]);
  const next = links.find((link) => !link.hasAttribute('aria-current'));
  if (next) return next.click();
  const isElsewhere = (/** @type {number} */ msgnum) => store && routeTo(store.name, msgnum) !== location.hash;
  const left = store?.isTalk && !isQuiet && store.rows.findLast(({ seen, msgnum }) => !seen && isElsewhere(msgnum));
  if (store && left) return location.assign(routeTo(store.name, left.msgnum));
  const room = nextUnreadRoom(store?.name);
  if (room) location.hash = routeTo(room.name);
  else announce(t('news.all-read'));
}

start();

// What stands on the stage: the open room, shown by its kind, or a page beside the rooms.

import { doubtConnection } from '../api/connection.js';
import { follow } from '../api/events.js';
import { isPasswordProblem, noConnection, Problem, roomPath } from '../api/request.js';
import { addCommands } from '../core/commands.js';
import { element } from '../core/dom.js';
import { takeFocus } from '../core/focus.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { kindOf } from '../kinds/index.js';
import { loadKind } from '../kinds/loaders.js';
import { roomTitle } from '../model/room-list.js';
import { openRoom, setOpenRoom } from '../model/room-store.js';
import { user } from '../model/session.js';
import { errorBox } from '../ui/notices.js';
import { actionButton, pagePane } from '../ui/pane.js';
import { skeleton } from '../ui/states.js';
import { PAGES } from './pages.js';
import { setTitle } from './title.js';

/** @import { Bar, View } from '../kinds/kind.d.ts' */
/** @import { RoomStore } from '../model/room-store.js' */

/** A module of the client could not be fetched: browsers have no better word. @param {unknown} error */
const isPartMissing = (error) => error instanceof TypeError && /\bmodule\b/i.test(error.message);

/**
 * @param {HTMLElement} stage
 * @param {{ setBar: (bar: { title: string, back?: { href: string, label: string }, actions?: HTMLElement[] }) => void,
 *   focusRoom: (name: string) => void }} frame
 */
export function prepareStage(stage, { setBar, focusRoom }) {
  /** @type {RoomStore | undefined} */
  let store;
  /** @type {{ view: View<any>, end: () => void } | undefined} */
  let mounted;
  let isFirst = true;
  /** by which a browser finds the feed of the room that is open */
  const feed = element('link', { rel: 'alternate', type: 'application/atom+xml' });
  /** where the reader was last */
  let lastRoom = '';

  function unmount() {
    mounted?.end();
    mounted = undefined;
  }

  function close() {
    lastRoom = store?.name ?? lastRoom;
    unmount();
    store = undefined;
    feed.remove();
    setOpenRoom(undefined);
  }

  /** @param {Bar} bar */
  const showBar = ({ title, back, actions }) => setBar({ title, back, actions: actions.map(actionButton) });

  /** The title, where the focus of those who come from elsewhere begins. */
  function focusTitle() {
    const titles = [...document.querySelectorAll('h1')].filter((each) => each.checkVisibility());
    takeFocus(titles[0]);
  }

  /**
   * A page beside the rooms. Throws Problem.
   * @param {string} name
   * @param {string[]} args
   * @param {AbortSignal} signal
   */
  async function showPage(name, args, signal) {
    const page = PAGES[name] ?? PAGES[''];
    close();
    // a section of the settings is below their list
    const under = name === 'settings' && args.length > 0 ? name : page.under;
    const back = under === undefined ? undefined : { href: pageAddress(under), label: t(PAGES[under].title) };
    const bar = { back, actions: user.get() ? page.actions?.map(actionButton) : [] };
    setBar({ title: t(page.title), ...bar });
    if (user.get()) follow();
    const { show } = await page.load();
    signal.throwIfAborted();
    const title = (await show(stage, args, signal)) || t(page.title);
    signal.throwIfAborted();
    setBar({ title, ...bar });
    setTitle(title);
    // at first the focus stays at the beginning of the page
    if (name === 'rooms') focusRoom(lastRoom);
    else if (!isFirst && !stage.contains(document.activeElement)) focusTitle();
    isFirst = false;
  }

  /** Throws Problem. @param {string} name @param {string[]} rest @param {AbortSignal} signal */
  async function showRoom(name, rest, signal) {
    if (store?.name.toLowerCase() !== name.toLowerCase()) {
      close();
      isFirst = false;
      setBar({ title: roomTitle(name) });
      stage.replaceChildren(pagePane({ title: roomTitle(name) }, skeleton(6)));
      const isTalk = (/** @type {import('../kinds/index.js').Viewed} */ info) => kindOf(info).isTalk === true;
      const opened = await openRoom(name, { isGuest: !user.get(), isTalk }, signal);
      signal.throwIfAborted();
      store = opened;
      feed.href = roomPath(store.name, '|feed');
      document.head.append(feed);
      setOpenRoom(store);
    }
    if (!store) return;
    if (user.get()) follow({ name: store.name, after: store.highest });
    if (rest[0] === 'settings') return showSettings(store, signal);
    mounted ??= await mountRoom(store, signal);
    const { view } = mounted;
    const route = view.parseRoute(rest);
    if (route === undefined) return location.replace(routeTo(store.name));
    const title = await view.show(route, signal);
    signal.throwIfAborted();
    setTitle(title, roomTitle(store.name));
  }

  /** @param {RoomStore} room @param {AbortSignal} signal */
  async function mountRoom(room, signal) {
    const { mount } = await loadKind(room.info);
    signal.throwIfAborted();
    const leaveRoom = () => {
      focusRoom(room.name);
      // a phone shows the rooms on a page of their own
      if (stage.contains(document.activeElement) || document.activeElement === document.body) location.hash = '#/rooms';
    };
    const username = user.get()?.username ?? '';
    const view = mount(stage, { store: room, username, setBar: showBar, leaveRoom });
    const dropCommands = addCommands(view.commands);
    const unlisten = room.listen((delta) => view.update(delta));
    const end = () => {
      unlisten();
      dropCommands();
      view.unmount();
    };
    return { view, end };
  }

  /** @param {RoomStore} room @param {AbortSignal} signal */
  async function showSettings(room, signal) {
    unmount();
    setBar({ title: t('settings.title'), back: { href: routeTo(room.name), label: roomTitle(room.name) } });
    const { showSettings: show } = await import('../pages/room-settings.js');
    await show(stage, room, signal);
    signal.throwIfAborted();
    setTitle(t('settings.title'), roomTitle(room.name));
    focusTitle();
  }

  /**
   * The list stays: only what was chosen of it could not be shown.
   * @param {Element} detail
   * @param {unknown} problem
   * @param {() => void} retry
   */
  function showBeside(detail, problem, retry) {
    if (!(problem instanceof Problem)) console.error(problem);
    detail.replaceChildren(element('div', { class: 'pane-body', 'data-pad': true }, errorBox(problem, retry)));
    setTitle(problem instanceof Problem ? problem.title : t('ui.error'), store && roomTitle(store.name));
    takeFocus(detail.querySelector('button'));
  }

  /** What is not there, as the reader would call it. @param {unknown} error @param {string | undefined} room */
  function inWords(error, room) {
    if (room === undefined || !(error instanceof Problem) || error.status !== 404) return error;
    return store
      ? new Problem(404, t('message.missing'), t('message.missing-detail'))
      : new Problem(404, t('room.missing'), t('room.missing-detail', { name: room }));
  }

  /** @param {string | undefined} room whose address it was @param {unknown} error @param {() => void} retry */
  async function showProblem(room, error, retry) {
    const problem = isPartMissing(error) ? noConnection() : inWords(error, room);
    if (isPartMissing(error)) doubtConnection();
    const detail = stage.querySelector('.pane.detail');
    if (mounted && detail && !isPasswordProblem(problem)) return showBeside(detail, problem, retry);
    close();
    if (room !== undefined && isPasswordProblem(problem)) {
      const { showPasswordForm } = await import('../pages/room-password.js');
      showPasswordForm(stage, room, retry);
      setTitle(room);
      return;
    }
    if (!(problem instanceof Problem)) console.error(problem);
    const title = problem instanceof Problem ? problem.title : t('ui.error');
    stage.replaceChildren(pagePane({ title }, errorBox(problem, retry)));
    setBar({ title });
    setTitle(title);
    takeFocus(stage.querySelector('button'));
  }

  return { showPage, showRoom, showProblem, close, openStore: () => store };
}

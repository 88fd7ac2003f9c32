// What stands around every room: top bar, sidebar, stage, toasts, the bottom bar of phones.

import { VIEW } from '../../src/model.ts';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { lists, ownRoom, totalUnread } from '../model/room-list.js';
import { brand } from '../ui/brand.js';
import { icon } from '../ui/icon.js';
import { omnibox } from './omnibox.js';
import { railButton } from './rail.js';
import { sidebar } from './sidebar.js';

/**
 * Made once: the parts that others fill.
 * @param {{ openHelp: () => void, openAccount: (button: HTMLElement) => void }} actions
 */
export function buildFrame({ openHelp, openAccount }) {
  const stage = element('main', { class: 'stage', id: 'main', tabindex: -1 });
  const side = sidebar();
  const account = element('div', { class: 'group' });
  const bar = phoneBar();
  const bottom = bottomBar();
  const skip = (/** @type {MouseEvent} */ event) => {
    // the address keeps its part behind the #, so the link is followed by hand
    event.preventDefault();
    (stage.querySelector('h1') ?? stage).focus();
  };
  const mark = brand();
  const frame = element(
    'div',
    { class: 'app', id: 'app' },
    element('a', { class: 'skip', href: '#main', on: { click: skip } }, t('shell.skip')),
    element(
      'header',
      { class: 'topbar' },
      bar.back,
      mark.node,
      bar.title,
      omnibox(),
      element(
        'div',
        { class: 'top-actions' },
        bar.actions,
        railButton(),
        element(
          'button',
          {
            type: 'button',
            class: 'btn-icon not-phone',
            'aria-label': t('shell.help'),
            title: `${t('shell.help')} (?)`,
            on: { click: openHelp },
          },
          icon('help'),
        ),
        account,
      ),
    ),
    side.node,
    stage,
    element(
      'div',
      { class: 'toast-area' },
      element('div', { class: 'instants', id: 'instant', role: 'log', 'aria-label': t('instant.title') }),
      // of a stack only what is new is read out
      element('div', { class: 'toasts', id: 'toasts', role: 'status', 'aria-atomic': 'false' }),
    ),
    element('p', { class: 'visually-hidden', id: 'heard', role: 'status' }),
    bottom.node,
  );
  return {
    frame,
    stage,
    account,
    openAccount,
    setBar: bar.set,
    setName: mark.set,
    setCurrent,
    focusRoom: side.focusRoom,
  };

  /** @param {{ page: string, room?: string }} place */
  function setCurrent(place) {
    side.setCurrent(place);
    bottom.setCurrent(place);
  }
}

/** What the top bar says on a phone, in the place of the heads of panes. */
function phoneBar() {
  const back = element('a', { class: 'btn-icon only-phone', href: '#/rooms' });
  const title = element('h1', { class: 'pane-title', tabindex: -1, dir: 'auto' });
  const actions = element('div', { class: 'group only-phone' });
  /** @param {{ title: string, back?: { href: string, label: string }, actions?: HTMLElement[] }} bar */
  const set = ({ title: text, back: way, actions: nodes = [] }) => {
    title.textContent = text;
    back.href = way?.href ?? '#/rooms';
    back.ariaLabel = way?.label ?? t('page.rooms');
    back.replaceChildren(icon(way ? 'arrow-left' : 'menu'));
    actions.replaceChildren(...nodes);
  };
  return { back, title, actions, set };
}

function bottomBar() {
  const badge = element('span', { class: 'badge', hidden: true });
  /** @type {(key: string, href: string, name: string, text: string, mark?: HTMLElement) => HTMLAnchorElement} */
  const place = (key, href, name, text, mark) =>
    element('a', { href, 'data-place': key }, icon(name), element('span', {}, text), mark);
  const calendar = place('calendar', '#/', 'calendar', t('kind.calendar'));
  const tasks = place('tasks', '#/', 'tasks', t('kind.tasks'));
  const node = element(
    'nav',
    { class: 'bottombar', 'aria-label': t('shell.main') },
    place('', '#/', 'inbox', t('page.inbox'), badge),
    place('rooms', '#/rooms', 'stairs', t('page.rooms')),
    place('search', '#/search', 'search', t('page.search')),
    calendar,
    tasks,
  );
  lists.subscribe(() => {
    const count = totalUnread();
    badge.hidden = count === 0;
    badge.replaceChildren(String(Math.min(count, 999)), element('span', { class: 'visually-hidden' }, t('row.unread')));
    for (const [link, view] of /** @type {const} */ ([
      [calendar, VIEW.calendar],
      [tasks, VIEW.tasks],
    ])) {
      const room = ownRoom(view);
      link.hidden = !room;
      link.dataset.place = `r/${room?.name}`;
      link.href = routeTo(room?.name ?? '');
    }
  });
  return {
    node,
    /** @param {{ page: string, room?: string }} place */
    setCurrent({ page, room }) {
      const key = page === 'r' ? `r/${room}` : page;
      for (const link of node.querySelectorAll('a')) {
        if (link.dataset.place === key) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    },
  };
}

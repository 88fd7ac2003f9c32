// The pages beside rooms: what the address calls them, what they are called, and the module that shows them. Each
// exports `show(host, args, signal)`, which fills the stage and may answer a title of its own.

import { t } from '../core/i18n.js';

/**
 * @typedef {{ show: (host: HTMLElement, args: string[], signal: AbortSignal) => Promise<string | void> | string |
 *   void }} Page
 */

/** @import { PaneAction } from '../ui/pane.js' */

/**
 * `needsUser` false: guests may see it, too. `under` is the page that it leads back to, and `actions` are for members:
 * both in the top bar of a phone.
 * @typedef {{ title: string, needsUser?: boolean, under?: string, actions?: PaneAction[], load: () => Promise<Page> }}
 *   Listed
 */

/** @type {Record<string, Listed>} */
export const PAGES = {
  '': {
    title: 'page.inbox',
    needsUser: false,
    actions: [{ label: t('today.title'), icon: 'clock', href: '#/today' }],
    load: () => import('../pages/home.js'),
  },
  today: { title: 'today.title', under: '', load: () => import('../pages/today.js') },
  rooms: { title: 'page.rooms', needsUser: false, load: () => import('../pages/rooms.js') },
  search: { title: 'page.search', load: () => import('../pages/search.js') },
  account: { title: 'page.account', under: 'settings', load: () => import('../pages/account.js') },
  settings: { title: 'settings.places', load: () => import('../pages/settings.js') },
  outbox: { title: 'outbox.title', load: () => import('../pages/outbox.js') },
  people: { title: 'page.people', under: 'settings', load: () => import('../pages/people.js') },
  chat: { title: 'page.chat', load: () => import('../pages/chat.js') },
  user: { title: 'page.user', load: () => import('../pages/profile.js') },
  users: { title: 'page.users', under: 'settings', load: () => import('../pages/users.js') },
  floors: { title: 'page.floors', under: 'settings', load: () => import('../pages/floors.js') },
  'all-rooms': { title: 'page.all-rooms', under: 'settings', load: () => import('../pages/all-rooms.js') },
  'new-room': { title: 'page.new-room', load: () => import('../pages/new-room.js') },
};

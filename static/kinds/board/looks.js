// A room of messages that answer each other as a board or as a chat: the reader chooses, for each room on the device.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { parseMessageRoute } from '../common/routes.js';

/** @import { Command } from '../../core/commands.js' */
/** @import { Mount, View } from '../kind.d.ts' */

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const key = `look of ${store.name}`;
  /** @type {Command[]} those of what is shown; the shell keeps this very list */
  const commands = [];
  /** @type {{ view: View, isChat: boolean } | undefined} */
  let shown;

  /** @param {boolean} isChat */
  function choose(isChat) {
    if (isChat) localStorage.setItem(key, 'chat');
    else localStorage.removeItem(key);
    const list = routeTo(store.name);
    if (location.hash === list) view.show({ page: 'list' }, new AbortController().signal);
    else location.hash = list;
  }

  /** @param {boolean} isChat @param {AbortSignal} signal */
  async function use(isChat, signal) {
    if (shown?.isChat === isChat) return shown.view;
    const kind = isChat ? await import('../chat/chat.js') : await import('./board.js');
    signal.throwIfAborted();
    const other = isChat
      ? { label: t('chat.as-board'), icon: 'forum', run: () => choose(false) }
      : { label: t('chat.as-chat'), icon: 'chat', run: () => choose(true) };
    shown?.view.unmount();
    shown = { view: kind.mount(host, { ...context, looks: [other] }), isChat };
    commands.splice(0, commands.length, ...shown.view.commands);
    return shown.view;
  }

  /** @type {View} */
  const view = {
    parseRoute: parseMessageRoute,
    async show(route, signal) {
      // one message by itself, and writing with a subject, are a board's
      const isChat = localStorage.getItem(key) === 'chat' && route.page === 'list';
      return (await use(isChat, signal)).show(route, signal);
    },
    update: (delta) => shown?.view.update(delta),
    unmount: () => shown?.view.unmount(),
    commands,
  };
  return view;
}

// A room of messages that answer each other as a board or as a chat, and one with a directory as files, too: the reader
// chooses, for each room on the device.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { parseFileRoute } from '../files/routes.js';
import { parseMessageRoute } from '../list/routes.js';

/** @import { Command } from '../../core/commands.js' */
/** @import { Mount, View } from '../kind.d.ts' */

/** @typedef {'board' | 'chat' | 'files'} Look */

const LOOKS = {
  files: { label: 'chat.as-files', icon: 'folder', load: () => import('../files/files.js') },
  board: { label: 'chat.as-board', icon: 'forum', load: () => import('./board.js') },
  chat: { label: 'chat.as-chat', icon: 'chat', load: () => import('../chat/chat.js') },
};

/** of a message, which may be a letter among the files @param {string | undefined} segment */
const isNumber = (segment) => /^[1-9]\d*$/.test(segment ?? '');

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const key = `look of ${store.name}`;
  /** the first is what it has until the reader chooses @type {Look[]} */
  const offered = store.info.is_directory ? ['files', 'board', 'chat'] : ['board', 'chat'];
  /** @type {Command[]} those of what is shown; the shell keeps this very list */
  const commands = [];
  /** @type {{ view: View, look: Look } | undefined} */
  let shown;

  const chosen = () => offered.find((look) => look === localStorage.getItem(key)) ?? offered[0];

  /** @param {Look} look */
  function choose(look) {
    if (look === offered[0]) localStorage.removeItem(key);
    else localStorage.setItem(key, look);
    const list = routeTo(store.name);
    if (location.hash === list) view.show(view.parseRoute([]), new AbortController().signal);
    else location.hash = list;
  }

  /** @param {Look} look @param {AbortSignal} signal */
  async function use(look, signal) {
    if (shown?.look === look) return shown.view;
    const kind = await LOOKS[look].load();
    signal.throwIfAborted();
    const looks = offered
      .filter((other) => other !== look)
      .map((other) => ({ label: t(LOOKS[other].label), icon: LOOKS[other].icon, run: () => choose(other) }));
    shown?.view.unmount();
    shown = { view: kind.mount(host, { ...context, looks }), look };
    commands.splice(0, commands.length, ...shown.view.commands);
    return shown.view;
  }

  /** @type {View} */
  const view = {
    parseRoute: (rest) => (chosen() === 'files' && !isNumber(rest[0]) ? parseFileRoute(rest) : parseMessageRoute(rest)),
    async show(route, signal) {
      const look = chosen();
      // one message by itself, and writing with a subject, are a board's
      const isWhole = ['list', 'folder', 'file'].includes(route.page);
      return (await use(isWhole ? look : 'board', signal)).show(route, signal);
    },
    update: (delta) => shown?.view.update(delta),
    unmount: () => shown?.view.unmount(),
    commands,
  };
  return view;
}

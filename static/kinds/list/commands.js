// The keys of a room of messages.

import { commandsIn } from '../../core/commands.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { printMessages } from '../message/print.js';
import { showSource } from '../message/source.js';
import { archive, canBeSpam, chooseRoom, deleteMessages, markMessages, markSpam } from './actions.js';

/** @import { Command } from '../../core/commands.js' */
/** @import { Context } from '../kind.d.ts' */

/**
 * @typedef {object} Room
 * @property {Context} context
 * @property {{ stop: () => any, toggle: (item: any, isSpan: boolean) => void, selected: () => unknown[], clear: () =>
 *   void, hasFocus: () => boolean }} list
 * @property {() => number[]} targets messages that are selected, open, or where the keyboard is
 * @property {() => number | undefined} current the message that is open
 * @property {() => number | undefined} [outer] the message that the one in sight came with
 * @property {(step: 1 | -1) => number | undefined} neighbour of what is open
 */

/** @param {Room} room @returns {Command[]} */
export function commandsOf({ context, list, targets, current, outer = () => undefined, neighbour }) {
  const { store } = context;
  const isIn = () => !store.isGuest;
  const canAnswer = () => isIn() && store.canPost && current() !== undefined;
  const has = () => isIn() && targets().length > 0;
  const canTake = () => has() && store.canDelete;
  const command = commandsIn(t('commands.messages'));
  const open = (/** @type {(string | number)[]} */ ...rest) => {
    location.hash = routeTo(store.name, ...rest);
  };
  const answer = (/** @type {string} */ how) => () => open(Number(current()), how);
  const step = (/** @type {1 | -1} */ by) => () => {
    const next = neighbour(by);
    if (next !== undefined) open(next);
  };
  const act = (/** @type {(numbers: number[]) => unknown} */ what) => () => {
    const numbers = targets();
    if (list.selected().length > 0) list.clear();
    what(numbers);
  };
  const back = () => {
    const around = outer();
    if (list.selected().length > 0) list.clear();
    else if (around !== undefined) open(around);
    else if (location.hash !== routeTo(store.name)) open();
    else context.leaveRoom();
  };
  const isUnread = () => targets().some((msgnum) => store.byNumber.get(msgnum)?.seen === false);
  return [
    command('reply', ['r'], 'reply', answer('reply'), canAnswer),
    command('reply-all', ['a'], 'reply-all', answer('reply-all'), () => canAnswer() && store.info.is_mailbox),
    command('forward', ['f'], 'forward', answer('forward'), () => isIn() && current() !== undefined),
    command('next', ['j'], 'chevron-right', step(1), () => current() !== undefined),
    command('previous', ['k'], 'chevron-left', step(-1), () => current() !== undefined),
    command('back', ['u', 'Escape'], 'arrow-left', back),
    command(
      'select',
      ['x'],
      'check-circle',
      () => list.stop() && list.toggle(list.stop(), false),
      () => isIn() && list.hasFocus(),
    ),
    command(
      'archive',
      ['e'],
      'archive',
      act((numbers) => archive(store, numbers)),
      () => canTake() && store.info.is_mailbox,
    ),
    command(
      'delete',
      ['#', 'Delete'],
      'trash',
      act((numbers) => deleteMessages(store, numbers)),
      canTake,
    ),
    command(
      'spam',
      ['!'],
      'flag',
      act((numbers) => markSpam(store, numbers)),
      () => has() && canBeSpam(store),
    ),
    command(
      'move',
      ['v'],
      'folder',
      act((numbers) => chooseRoom(store, numbers)),
      canTake,
    ),
    command('mark', ['U'], 'mail', () => markMessages(store, targets(), isUnread()), has),
    command(
      'source',
      [],
      'code',
      () => showSource(store, Number(current())),
      () => current() !== undefined,
    ),
    command(
      'print',
      ['Ctrl+P'],
      'file',
      () => printMessages(store, targets()),
      () => current() !== undefined,
    ),
  ];
}

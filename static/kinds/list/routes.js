// What the address says behind a room of messages: '' the list, 'new', 'new/bob' a message to him, '12' the message 12,
// '12/reply', '12/reply-all', '12/reply-list', '12/forward', '12/edit', 'attach/12,15' these attached to a new one,
// '12/history', '12/history/VERSION', '12/2.1' the message in its part 2.1, 'page/home' the page of that name, 'new/home' a new page of that name.

/** @import { AnswerKind } from '../../formats/answer-to.js' */

/**
 * @typedef {{ page: 'list' } | { page: 'new', name?: string } | { page: 'named', name: string }
 *   | { page: 'message', msgnum: number, part?: string } | { page: 'history', msgnum: number, version?: string }
 *   | { page: AnswerKind | 'forward' | 'edit', msgnum: number }
 *   | { page: 'attach', msgnum: number, name: string }} MessageRoute
 */

/** @type {readonly string[]} */
const WRITING = ['reply', 'reply-all', 'reply-list', 'forward', 'edit'];

/** @param {string[]} rest @returns {MessageRoute} */
export function parseMessageRoute([member, action, detail]) {
  if (member === 'new') return { page: member, name: action };
  if (member === 'page' && action) return { page: 'named', name: action };
  if (member === 'attach' && /^[1-9]\d*(?:,[1-9]\d*)*$/.test(action ?? ''))
    return { page: member, msgnum: Number.parseInt(action, 10), name: action };
  if (!/^[1-9]\d*$/.test(member ?? '')) return { page: 'list' };
  const msgnum = Number(member);
  if (action === 'history') return { page: action, msgnum, version: detail };
  if (/^\d[\d.]*$/.test(action ?? '')) return { page: 'message', msgnum, part: action };
  return { page: isWriting(action) ? action : 'message', msgnum };
}

/** @param {string} action @returns {action is AnswerKind | 'forward' | 'edit'} */
function isWriting(action) {
  return WRITING.includes(action);
}

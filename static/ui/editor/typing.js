// Markdown as it is written: `- `, `1. `, `> ` and `# ` at the start of a line, `**bold**`, `*italic*`, `` `code` ``
// and `[text](address)` when the last sign is written become what they mean. Undo gives the signs back.

import { safeAddress } from '../../formats/rich-text.js';
import { around, selectBefore, takeBack, toggleCode } from './commands.js';

/** what is looked at before the caret */
const MAX_LOOK_BACK = 500;

/** @type {[RegExp, (command: (name: string, value?: string) => void) => void][]} */
const BLOCKS = [
  [/^[-*+]$/, (command) => command('insertUnorderedList')],
  [/^1[.)]$/, (command) => command('insertOrderedList')],
  [/^>$/, (command) => command('formatBlock', 'blockquote')],
  [/^#$/, (command) => command('formatBlock', 'h2')],
  [/^##$/, (command) => command('formatBlock', 'h3')],
];

/** @type {[sign: string, pattern: RegExp, command: string][]} */
const INLINES = [
  ['*', /\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'bold'],
  ['*', /(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'italic'],
  ['_', /(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, 'italic'],
  ['`', /`([^`]+)`$/, 'code'],
];
const LINK = /\[([^[\]]+)\]\(([^()\s]+)\)$/;

/** @param {HTMLElement} area */
export function markdownTyping(area) {
  area.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'insertText' && event.data === ' ' && !event.isComposing && startBlock(area)) {
      event.preventDefault();
    }
  });
  area.addEventListener('input', (event) => {
    const { inputType, data, isComposing } = /** @type {InputEvent} */ (event);
    if (inputType === 'insertText' && data && !isComposing) finishInline(area, data);
  });
}

/** @param {HTMLElement} area */
function startBlock(area) {
  const before = textBefore();
  if (before === undefined || before.length > 3 || around(area, 'li, pre, font')) return false;
  const found = BLOCKS.find(([pattern]) => pattern.test(before));
  if (!found || !isAtStart(area)) return false;
  takeBack(before.length);
  found[1]((name, value) => document.execCommand(name, false, value));
  return true;
}

/** @param {HTMLElement} area @param {string} sign */
function finishInline(area, sign) {
  if (!/[*_`)]$/.test(sign) || around(area, 'pre, font')) return;
  const before = textBefore()?.slice(-MAX_LOOK_BACK) ?? '';
  const link = sign.endsWith(')') ? LINK.exec(before) : null;
  const href = link && safeAddress(link[2]);
  if (link && href)
    return style(
      link[0],
      link[1],
      () => document.execCommand('createLink', false, href),
      () => {},
    );
  for (const [end, pattern, command] of INLINES) {
    const match = sign.endsWith(end) ? pattern.exec(before) : null;
    if (!match) continue;
    return style(match[0], match[1], () => (command === 'code' ? toggleCode(area) : document.execCommand(command)));
  }
}

/**
 * By commands of the browser: an element that is inserted is given a style, which the security policy refuses.
 * @param {string} written @param {string} words
 * @param {() => void} on @param {() => void} [off] for what is written next
 */
function style(written, words, on, off = on) {
  selectBefore(written.length);
  document.execCommand('insertText', false, words);
  selectBefore(words.length);
  on();
  getSelection()?.collapseToEnd();
  off();
}

/** What stands before the caret in its text; undefined where more than a caret is there. */
function textBefore() {
  const selection = getSelection();
  const node = selection?.anchorNode;
  return selection?.isCollapsed && node instanceof Text ? node.data.slice(0, selection.anchorOffset) : undefined;
}

/** Whether nothing stands before this text in its line. @param {HTMLElement} area */
function isAtStart(area) {
  for (let node = getSelection()?.anchorNode ?? area; node !== area; node = node.parentNode ?? area) {
    if (node.previousSibling && node.previousSibling.nodeName !== 'BR') {
      return node instanceof HTMLElement && /^(?:P|DIV|H\d|BLOCKQUOTE|LI)$/.test(node.tagName);
    }
    if (node instanceof HTMLElement && /^(?:P|DIV|H\d|BLOCKQUOTE|LI)$/.test(node.tagName)) return true;
  }
  return true;
}

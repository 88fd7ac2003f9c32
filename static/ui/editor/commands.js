// What can be done to the text of the editor. The browser's own editing commands do it, because only what they do can
// be undone by the browser's own undo.

import { richToHtml } from '../../formats/rich-output.js';

/** @typedef {import('../../formats/rich-text.js').RichNode} RichNode */

/** @param {string} command @param {string} [value] */
const run = (command, value) => document.execCommand(command, false, value);

/** The block elements that matter here, around the caret, the innermost first. @param {HTMLElement} area */
export function blocksAround(area) {
  const found = [];
  for (let node = getSelection()?.anchorNode ?? null; node && node !== area; node = node.parentNode) {
    if (node instanceof HTMLElement) found.push(node);
  }
  return area.contains(getSelection()?.anchorNode ?? null) ? found : [];
}

/** @param {HTMLElement} area @param {string} selector */
export const around = (area, selector) => blocksAround(area).find((node) => node.matches(selector));

/** Puts this at the caret, in place of what is selected. A single paragraph goes into the one that is there. */
export function insertRich(/** @type {RichNode[]} */ nodes) {
  const [only] = nodes;
  const isLine = nodes.length === 1 && typeof only !== 'string' && only.tag === 'p';
  // the tree has no tag and no attribute but its own, so this is text and form and nothing else
  run('insertHTML', richToHtml(isLine ? only.children : nodes));
}

/** Lines stay lines. @param {string} text */
export const insertPlain = (text) => run('insertText', text);

/** Selects what stands before the caret in its text. @param {number} count characters */
export function selectBefore(count) {
  const selection = /** @type {Selection} */ (getSelection());
  const { anchorNode: node, anchorOffset: end } = selection;
  if (node) selection.setBaseAndExtent(node, end - count, node, end);
}

/** Takes it away. @param {number} count characters before the caret */
export function takeBack(count) {
  selectBefore(count);
  if (count > 0) run('delete');
}

/** The address that is around the caret. @param {HTMLElement} area */
export const linkAround = (area) => /** @type {HTMLAnchorElement | undefined} */ (around(area, 'a'));

/**
 * @typedef {object} Command
 * @property {string} name `bold`; the text of its button is `ui.editor.bold`
 * @property {string} icon
 * @property {string} [keys]
 * @property {(area: HTMLElement) => boolean} isOn
 * @property {(area: HTMLElement) => void} run
 */

/** @type {Command[]} */
export const COMMANDS = [
  {
    name: 'bold',
    icon: 'bold',
    keys: 'Control+B',
    isOn: () => document.queryCommandState('bold'),
    run: () => run('bold'),
  },
  {
    name: 'italic',
    icon: 'italic',
    keys: 'Control+I',
    isOn: () => document.queryCommandState('italic'),
    run: () => run('italic'),
  },
  {
    name: 'list',
    icon: 'list',
    isOn: (area) => around(area, 'ul, ol')?.tagName === 'UL',
    run: () => run('insertUnorderedList'),
  },
  {
    name: 'numbers',
    icon: 'list-numbers',
    isOn: (area) => around(area, 'ul, ol')?.tagName === 'OL',
    run: () => run('insertOrderedList'),
  },
  { name: 'quote', icon: 'quote', isOn: (area) => around(area, 'blockquote') !== undefined, run: toggleQuote },
  { name: 'code', icon: 'code', isOn: isCode, run: toggleCode },
];

/** @param {HTMLElement} area */
function toggleQuote(area) {
  const quote = around(area, 'blockquote');
  if (quote) unquote(quote);
  else run('formatBlock', 'blockquote');
}

/** Its lines become paragraphs. @param {HTMLElement} quote */
export function unquote(quote) {
  const isEmpty = quote.textContent?.trim() === '';
  getSelection()?.selectAllChildren(quote);
  run('formatBlock', 'p');
  if (quote.isConnected && isEmpty) quote.remove();
}

/** Code is what has this font: the one way to mark it that browsers can undo and need no style for. */
export const CODE_FONT = 'monospace';

/** @param {HTMLElement} area */
export function toggleCode(area) {
  run('fontName', isCode(area) ? getComputedStyle(area).fontFamily : CODE_FONT);
}

/** @param {HTMLElement} area */
function isCode(area) {
  return document.queryCommandValue('fontName') === CODE_FONT || around(area, 'pre') !== undefined;
}

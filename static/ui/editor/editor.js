// Writing with a little form: bold, italic, lists, quotes, code, links and pictures within the text. What comes out
// holds the tags of formats/rich-text.js and no others, whatever was pasted. Alt+F10 goes to the buttons.

import { element } from '../../core/dom.js';
import { parseHtml } from '../../formats/html-tree.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { richToHtml, richToText } from '../../formats/rich-output.js';
import { readRich } from '../../formats/rich-text.js';
import { richNodes } from '../rich-nodes.js';
import { around, CODE_FONT, insertPlain, insertRich, unquote } from './commands.js';
import { openLinkForm } from './link.js';
import { toolbar } from './toolbar.js';
import { markdownTyping } from './typing.js';

/**
 * @typedef {object} EditorOptions
 * @property {string} label
 * @property {string} [html] what it begins with
 * @property {string} [markdown] the same as Markdown
 * @property {string} [placeholder]
 * @property {() => void} [onChange]
 * @property {(files: File[]) => void} [onFiles] files that are no pictures, pasted or chosen
 * @property {(file: File) => boolean} [hasRoom] whether a picture can go along; those that cannot are told as files
 * @property {(src: string) => string | undefined} [image] where a picture of the text (`cid:`) is found
 * @property {InlineImage[]} [pictures] that `html` holds by their `cid:`
 */
/** @typedef {{ cid: string, file: File }} InlineImage goes with the message, named by `cid:` in its HTML */

let count = 0;

/** @param {EditorOptions} options */
export function editor(options) {
  const { label, html, markdown, placeholder, onChange, onFiles, hasRoom = () => true, image, pictures = [] } = options;
  /** @type {Map<string, InlineImage & { url: string }>} by their source */
  const images = new Map();
  for (const each of pictures) images.set(`cid:${each.cid}`, { ...each, url: URL.createObjectURL(each.file) });
  const area = element('div', {
    class: 'editor prose',
    id: `editor-${++count}`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-placeholder': placeholder,
    'data-placeholder': placeholder,
    contenteditable: 'true',
    dir: 'auto',
  });
  const chooser = element('input', { type: 'file', accept: 'image/*', multiple: true, hidden: true });
  const bar = toolbar(area, [
    { name: 'link', icon: 'link', keys: 'Control+K', press: (button) => openLinkForm(area, button) },
    { name: 'picture', icon: 'image', press: () => chooser.click() },
  ]);

  const begin = () => {
    if (area.childNodes.length === 0) area.append(element('p', {}, element('br')));
  };
  const set = (/** @type {{ html?: string, markdown?: string }} */ content) => {
    const nodes =
      content.markdown === undefined ? readRich(parseHtml(content.html ?? '')) : parseMarkdown(content.markdown);
    area.replaceChildren(...richNodes(nodes, { image: (src) => images.get(src)?.url ?? image?.(src) }));
    for (const code of area.querySelectorAll(':not(pre) > code')) {
      const font = document.createElement('font');
      font.face = CODE_FONT;
      font.append(...code.childNodes);
      code.replaceWith(font);
    }
    begin();
    showEmpty();
  };
  const showEmpty = () => area.toggleAttribute('data-empty', area.textContent === '' && !area.querySelector('img, li'));
  const insertFiles = (/** @type {File[]} */ files) => {
    const pictures = files.filter((file) => /^image\/(?:png|jpeg|gif|webp)$/.test(file.type) && hasRoom(file));
    const others = files.filter((file) => !pictures.includes(file));
    if (others.length > 0) onFiles?.(others);
    for (const file of pictures) {
      const cid = `${crypto.randomUUID()}@picture`;
      const url = URL.createObjectURL(file);
      images.set(`cid:${cid}`, { cid, file, url });
      area.focus();
      insertPicture(element('img', { src: url, alt: file.name, 'data-source': `cid:${cid}` }));
    }
  };

  /** By hand: the browser's own commands make styles around a picture, which the page's policy forbids. */
  const insertPicture = (/** @type {HTMLElement} */ picture) => {
    const selection = /** @type {Selection} */ (getSelection());
    if (!area.contains(selection.anchorNode)) selection.setPosition(area.lastElementChild ?? area);
    const range = selection.getRangeAt(0);
    range.deleteContents();
    range.insertNode(picture);
    range.setStartAfter(picture);
    range.collapse(true);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  };

  document.execCommand('defaultParagraphSeparator', false, 'p');
  // elements, where a style would be refused by the security policy
  document.execCommand('styleWithCSS', false, 'false');
  markdownTyping(area);
  area.addEventListener('input', () => {
    begin();
    showEmpty();
    onChange?.();
  });
  area.addEventListener('paste', (event) => {
    const data = event.clipboardData;
    if (!data) return;
    event.preventDefault();
    const pasted = data.getData('text/html');
    if (data.files.length > 0 && pasted === '') return insertFiles([...data.files]);
    if (pasted === '') return void insertPlain(data.getData('text/plain'));
    insertRich(readRich(parseHtml(pasted)));
  });
  area.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    area.focus();
    const point = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    if (point && area.contains(point.offsetNode)) getSelection()?.setPosition(point.offsetNode, point.offset);
    insertFiles(files);
  });
  area.addEventListener('keydown', (event) => {
    const quote = event.key === 'Enter' ? around(area, 'blockquote') : undefined;
    if (event.altKey && event.key === 'F10') bar.focus();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
      openLinkForm(area, bar.button('link'));
    else if (quote && !event.shiftKey && quote.textContent?.trim() === '') unquote(quote);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  chooser.addEventListener('change', () => {
    insertFiles([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  const listening = new AbortController();
  document.addEventListener(
    'selectionchange',
    () => area.contains(getSelection()?.anchorNode ?? null) && bar.refresh(),
    { signal: listening.signal },
  );
  set({ html, markdown });

  return {
    node: element('div', { class: 'rich-editor' }, bar.node, area, chooser),
    set,
    /** As HTML, as text and as the tree that both are made of; the pictures that are still in it. */
    value() {
      const tree = readRich(area);
      const used = [...area.querySelectorAll('img[data-source]')].map((each) => each.getAttribute('data-source') ?? '');
      /** @type {InlineImage[]} */
      const found = [...images].flatMap(([source, { cid, file }]) => (used.includes(source) ? [{ cid, file }] : []));
      return { html: richToHtml(tree), text: richToText(tree), tree, images: found };
    },
    insertFiles,
    isEmpty: () => area.hasAttribute('data-empty'),
    focus: () => area.focus(),
    /** Gives back what it holds of the page; it is of no use after. */
    close() {
      listening.abort();
      for (const { url } of images.values()) URL.revokeObjectURL(url);
    },
  };
}

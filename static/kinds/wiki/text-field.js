// The text of a page that is being written: as it is kept with what it becomes beside it (tabs on a phone), or HTML as
// rich text. What rich text would not keep is named before anything is lost.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { richToHtml } from '../../formats/rich-output.js';
import { readRich } from '../../formats/rich-text.js';
import { editor } from '../../ui/editor/editor.js';
import { lines } from '../../ui/form.js';
import { confirm } from '../../ui/notices.js';
import { segmented } from '../../ui/tabs.js';
import { lostAsRich, parsePage, withAddresses } from './links.js';
import { isMarkdown, richPage } from './page.js';

/** @import { RoomStore } from '../../model/room-store.js' */

export const MARKDOWN = 'text/markdown; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
export const PLAIN = 'text/plain; charset=utf-8';

/** keys that are pressed one soon after the other are shown together */
const PREVIEW_MS = 150;

/**
 * @param {RoomStore} store @param {string} type @param {string} value
 */
export function textField(store, type, value) {
  const node = element('div', { class: 'stack' });
  const source = lines('page-text', value, { rows: '18', spellcheck: 'true' });
  const label = element('label', { for: 'page-text', class: 'visually-hidden' });
  const preview = element('div', {
    class: 'card box page-preview',
    'aria-label': t('wiki.preview'),
    role: 'region',
    tabindex: 0,
  });
  const split = element(
    'div',
    { class: 'split', 'data-side': 'write' },
    element('div', { class: 'field' }, label, source),
    preview,
  );
  /** @type {ReturnType<typeof editor> | undefined} */
  let rich;
  let timer = 0;
  let isHtml = /html/i.test(type);

  /** the text as it is kept */
  const read = () => (rich ? richToHtml(withAddresses(rich.value().tree)) : source.value);

  function showPreview() {
    preview.hidden = !isHtml && !isMarkdown(type);
    split.toggleAttribute('data-single', preview.hidden);
    if (preview.hidden) return;
    const tree = isHtml ? readRich(parsePage(source.value)) : parseMarkdown(source.value);
    preview.replaceChildren(
      tree.length > 0 ? richPage(store, tree) : element('p', { class: 'muted' }, t('wiki.nothing-yet')),
    );
  }
  source.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(showPreview, PREVIEW_MS);
  });

  /** On a phone one of the two. */
  const sides = () =>
    segmented(
      [
        { label: t('wiki.write-side'), value: 'write', selected: true },
        { label: t('wiki.preview'), value: 'preview' },
      ],
      {
        label: t('wiki.side'),
        onChange: (side) => {
          split.dataset.side = side;
          showPreview();
        },
      },
    );

  const looks = () =>
    segmented(
      [
        { label: t('wiki.rich'), value: 'rich', selected: rich !== undefined },
        { label: t('wiki.source'), value: 'source', selected: rich === undefined },
      ],
      { label: t('wiki.type'), onChange: (look) => (look === 'rich' ? toRich() : toSource()) },
    );

  async function toRich() {
    const lost = lostAsRich(parsePage(source.value));
    if (lost.length > 0 && !(await confirm(t('wiki.lossy', { what: lost.join(', ') }), t('wiki.rich')))) return show();
    beginRich();
    show();
    rich?.focus();
  }

  function beginRich() {
    rich = editor({ label: t('wiki.text'), html: richToHtml(readRich(parsePage(source.value))) });
  }

  function toSource() {
    const text = read();
    rich?.close();
    rich = undefined;
    source.value = text;
    show();
    source.focus();
  }

  function show() {
    label.textContent = t(isHtml ? 'wiki.text-html' : 'wiki.text');
    const plain = !isHtml && !isMarkdown(type);
    const side = element('div', { class: 'only-phone' }, sides());
    split.dataset.side = 'write';
    node.replaceChildren(
      element('div', { class: 'group', 'data-gap': '2' }, isHtml && looks(), !rich && !plain && side),
      rich ? rich.node : split,
      element('p', { class: 'hint' }, t(isHtml ? 'wiki.hint-html' : plain ? 'wiki.hint-plain' : 'wiki.hint')),
    );
    if (!rich) showPreview();
  }

  // a page that rich text would change is first shown as what it is
  if (isHtml && lostAsRich(parsePage(value)).length === 0) beginRich();
  show();

  return {
    node,
    value: read,
    focus() {
      if (rich) return rich.focus();
      source.focus();
      source.setSelectionRange(0, 0);
    },
    /** @param {string} next of a page that is new */
    setType(next) {
      const text = read();
      rich?.close();
      rich = undefined;
      type = next;
      isHtml = /html/i.test(type);
      source.value = text;
      if (isHtml && lostAsRich(parsePage(text)).length === 0) beginRich();
      show();
    },
  };
}

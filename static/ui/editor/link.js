// The little form that makes a link of the selected words, changes it or takes it away.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { isRecipient } from '../../formats/addresses.js';
import { safeAddress } from '../../formats/rich-text.js';
import { openPopover } from '../popover.js';
import { linkAround, selectBefore } from './commands.js';

/** @param {HTMLElement} area @param {HTMLElement} anchor what the form stands beside */
export function openLinkForm(area, anchor) {
  const selection = /** @type {Selection} */ (getSelection());
  const link = linkAround(area);
  if (link) selection.selectAllChildren(link);
  const range = selection.rangeCount > 0 && area.contains(selection.anchorNode) ? selection.getRangeAt(0) : undefined;
  const words = range?.toString() ?? '';
  const field = (/** @type {string} */ name, /** @type {string} */ value) =>
    element('input', { class: 'input', id: `editor-link-${name}`, value, autocomplete: 'off' });
  const address = field('address', link?.getAttribute('href') ?? (wholeAddress(words) ? words : ''));
  const text = field('text', words);
  const error = element('p', { class: 'error', role: 'alert', hidden: true }, t('ui.editor.link.wrong'));

  const back = () => {
    opened?.close(false);
    area.focus();
    if (!range) return;
    selection.removeAllRanges();
    selection.addRange(range);
    if (link) selection.selectAllChildren(link);
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const href = wholeAddress(address.value);
    error.hidden = href !== undefined;
    if (href === undefined) return address.focus();
    back();
    const shown = text.value.trim() || address.value.trim();
    if (shown !== words) {
      document.execCommand('insertText', false, shown);
      selectBefore(shown.length);
    }
    document.execCommand('createLink', false, href);
    selection.collapseToEnd();
  };
  const unlink = () => {
    back();
    document.execCommand('unlink');
  };
  const form = element(
    'form',
    { class: 'stack', novalidate: true, on: { submit } },
    element('p', { class: 'field' }, element('label', { for: address.id }, t('ui.editor.link.address')), address),
    element('p', { class: 'field' }, element('label', { for: text.id }, t('ui.editor.link.text')), text),
    error,
    element(
      'div',
      { class: 'group', 'data-gap': '2' },
      element('button', { type: 'submit', class: 'btn', 'data-kind': 'primary' }, t('ui.editor.link.set')),
      link && element('button', { type: 'button', class: 'btn', on: { click: unlink } }, t('ui.editor.link.remove')),
    ),
  );
  const opened = openPopover(anchor, form, { label: t('ui.editor.link'), side: 'below' });
  if (opened) address.focus();
}

/** What people write without its scheme has one here. @param {string} written */
function wholeAddress(written) {
  const text = written.trim();
  if (text.includes('@') && !/[/:]/.test(text) && isRecipient(text)) return safeAddress(`mailto:${text}`);
  return safeAddress(/^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text) ? `https://${text}` : text);
}

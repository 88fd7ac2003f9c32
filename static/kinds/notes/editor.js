// A note on the board while it is written: title and text in place, colour, pin, and whether it is saved.

import { messageOf, Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { icon } from '../../ui/icon.js';
import { openPopover } from '../../ui/popover.js';
import { colourOf, hueOfColour } from './colours.js';

/** @typedef {import('../../formats/notes.js').Note} Note */
/** @typedef {Omit<Note, 'uid'>} Fields */

const HUES = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * @param {Fields} note
 * @param {object} actions
 * @param {boolean} actions.canChange
 * @param {(fields: Fields) => void} actions.changed
 * @param {() => void} actions.done
 * @param {(() => void) | undefined} actions.remove
 * @param {() => void} actions.retry
 */
export function noteEditor(note, { canChange, changed, done, remove, retry }) {
  const title = element('textarea', {
    class: 'note-title',
    rows: '1',
    'aria-label': t('notes.title'),
    readonly: !canChange,
    placeholder: t('notes.title'),
    dir: 'auto',
  });
  const text = element('textarea', {
    class: 'note-text',
    rows: '4',
    'aria-label': t('notes.text'),
    readonly: !canChange,
    placeholder: t('notes.text'),
    dir: 'auto',
  });
  const state = element('span', { class: 'small', role: 'status' });
  const warning = element('div', { class: 'banner', 'data-tone': 'danger', role: 'alert', hidden: true });
  let { colour, isPinned } = note;

  const fields = () => ({ title: title.value.replaceAll('\n', ' '), text: text.value, colour, isPinned });
  const tell = () => {
    show();
    changed(fields());
  };
  const setColour = (/** @type {number} */ hue) => {
    colour = colourOf(hue);
    tell();
  };
  const pin = button('pin', t('notes.pin'), () => {
    isPinned = !isPinned;
    tell();
  });
  const paint = button('image', t('notes.colour'), () => {
    const opened = openPopover(paint, palette(hueOfColour(colour), setColour), {
      label: t('notes.colour'),
      side: 'below',
      onClose: () => opened && text.isConnected && paint.focus(),
    });
  });
  paint.replaceChildren(element('span', { class: 'swatch', 'aria-hidden': 'true' }));
  const finish = element('button', { type: 'button', class: 'btn push', on: { click: done } }, t('notes.done'));
  const node = element(
    'article',
    { class: 'sticky note-editor', 'aria-label': t('notes.editing') },
    title,
    text,
    warning,
    element(
      'footer',
      { class: 'group' },
      canChange && pin,
      canChange && paint,
      remove && button('trash', t('notes.delete'), remove),
      state,
      finish,
    ),
  );
  title.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    text.focus();
  });
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopPropagation();
    done();
  });
  for (const each of [title, text]) each.addEventListener('input', tell);

  function show() {
    node.dataset.hue = String(hueOfColour(colour));
    pin.setAttribute('aria-pressed', String(isPinned));
  }

  /** Shows what is kept, where nothing else is written. @param {Fields} kept */
  function fill(kept) {
    if (title.value !== kept.title) title.value = kept.title;
    if (text.value !== kept.text) text.value = kept.text;
    ({ colour, isPinned } = kept);
    show();
  }
  fill(note);

  return {
    node,
    fields,
    fill,
    focus: () => (title.value === '' ? title : text).focus(),
    /** `waits` for the connection. @param {'waiting' | 'saved' | 'waits' | unknown} now */
    setState(now) {
      if (now === 'waiting' || now === 'saved' || now === 'waits') {
        state.textContent = now === 'waiting' ? '' : t(now === 'saved' ? 'notes.saved' : 'outbox.waits');
        if (warning.dataset.cause !== 'conflict') warning.hidden = true;
        return;
      }
      state.textContent = '';
      const again = element('button', { type: 'button', class: 'btn', on: { click: retry } }, t('ui.retry'));
      const said = now instanceof Problem && now.title ? `${now.title}. ${now.detail}` : messageOf(now);
      warning.dataset.cause = 'problem';
      warning.replaceChildren(
        icon('warning'),
        element('span', { class: 'grow' }, t('notes.not-saved', { reason: said })),
        again,
      );
      warning.hidden = false;
    },
    /**
     * Somebody else, or another device, has changed it meanwhile; undefined: that is settled.
     * @param {{ takeTheirs: () => void, keepOwn: () => void }} [ways]
     */
    setConflict(ways) {
      warning.hidden = ways === undefined;
      warning.dataset.cause = ways ? 'conflict' : '';
      if (!ways) return;
      warning.replaceChildren(
        icon('warning'),
        element('span', { class: 'grow' }, t('notes.changed')),
        element('button', { type: 'button', class: 'btn', on: { click: ways.takeTheirs } }, t('notes.take-theirs')),
        element('button', { type: 'button', class: 'btn', on: { click: ways.keepOwn } }, t('notes.keep-own')),
      );
    },
  };
}

/** @param {string} name @param {string} label @param {() => void} click */
const button = (name, label, click) =>
  element(
    'button',
    { type: 'button', class: 'btn-icon', 'aria-label': label, title: label, on: { click } },
    icon(name),
  );

/** @param {number} chosen @param {(hue: number) => void} choose */
function palette(chosen, choose) {
  const name = 'note-hue';
  const swatches = HUES.map((hue) => {
    const label = t(`notes.hue-${hue}`);
    const on = { change: () => choose(hue) };
    const input = element('input', {
      type: 'radio',
      name,
      value: hue,
      checked: hue === chosen,
      'aria-label': label,
      on,
    });
    input.autofocus = hue === chosen;
    return element('label', { class: 'swatch', 'data-hue': hue, title: label }, input);
  });
  return element('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('notes.colour') }, swatches);
}

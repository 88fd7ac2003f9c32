// The buttons above the text (WAI-ARIA toolbar): one stop of Tab, arrows move, Escape goes back to the text.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { icon } from '../icon.js';
import { COMMANDS } from './commands.js';

/**
 * @typedef {object} ToolbarButton
 * @property {string} name
 * @property {string} icon
 * @property {string} [keys]
 * @property {(button: HTMLButtonElement) => void} press
 * @property {() => boolean} [isOn]
 */

/**
 * @param {HTMLElement} area
 * @param {ToolbarButton[]} further behind the commands
 */
export function toolbar(area, further) {
  /** @type {ToolbarButton[]} */
  const all = [
    ...COMMANDS.map((command) => ({
      ...command,
      press: () => {
        area.focus();
        command.run(area);
        refresh();
      },
      isOn: () => command.isOn(area),
    })),
    ...further,
  ];
  const buttons = all.map((each, at) => {
    const button = element('button', {
      type: 'button',
      class: 'btn-icon',
      'aria-label': t(`ui.editor.${each.name}`),
      'aria-pressed': each.isOn ? 'false' : undefined,
      'aria-keyshortcuts': each.keys,
      title: t(`ui.editor.${each.name}`),
      tabindex: at === 0 ? 0 : -1,
      on: {
        // the selection in the text stays what it is
        pointerdown: (event) => event.preventDefault(),
      },
    });
    button.addEventListener('click', () => each.press(button));
    button.append(icon(each.icon));
    return button;
  });
  const refresh = () => {
    all.forEach(({ isOn }, at) => {
      if (isOn) buttons[at].setAttribute('aria-pressed', String(isOn()));
    });
  };
  const move = (/** @type {number} */ at) => {
    for (const each of buttons) each.tabIndex = -1;
    buttons[at].tabIndex = 0;
    buttons[at].focus();
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step = getComputedStyle(node).direction === 'rtl' ? -1 : 1;
    const { length } = buttons;
    if (event.key === 'ArrowRight') move((at + step + length) % length);
    else if (event.key === 'ArrowLeft') move((at - step + length) % length);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(length - 1);
    else if (event.key === 'Escape') area.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const on = { keydown };
  const attributes = {
    class: 'toolbar',
    role: 'toolbar',
    'aria-label': t('ui.editor.toolbar'),
    'aria-controls': area.id,
  };
  const node = element('div', { ...attributes, on }, buttons);
  return {
    node,
    refresh,
    focus: () => buttons.find((button) => button.tabIndex === 0)?.focus(),
    button: (/** @type {string} */ name) => buttons[all.findIndex((each) => each.name === name)],
  };
}

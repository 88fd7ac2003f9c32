// A field for several people or rooms: each becomes a chip, suggestions come while one writes (WAI-ARIA combobox with a
// list). Enter or a comma makes a chip, Backspace takes the last, the left arrow goes to the chips; what is pasted
// becomes as many chips as it names. What cannot be right stays, marked, with the reason below.

import { element, hiddenText } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { parseRecipient, splitRecipients } from '../formats/addresses.js';
import { avatar } from './avatar.js';
import { icon } from './icon.js';
import { suggestions } from './suggestions.js';

/**
 * @typedef {object} ChipsOptions
 * @property {string} id of the input
 * @property {string} label
 * @property {string[]} [values]
 * @property {string} [typed] what is written and no chip yet
 * @property {(words: string) => Promise<Suggestion[]>} [suggest]
 * @property {(value: string) => string | undefined | Promise<string | undefined>} [check] why it cannot be right
 * @property {(values: string[]) => void} [onChange]
 * @property {'line' | 'field'} [layout] the label before the chips, as in a message, or above
 */
/** @typedef {import('./suggestions.js').Suggestion} Suggestion */
/** @typedef {{ value: string, node: HTMLElement, fault?: string }} Chip */

/** @param {ChipsOptions} options */
export function chipsField({ id, label, values = [], typed = '', suggest, check, onChange, layout = 'line' }) {
  /** @type {Chip[]} */
  let chips = [];
  let isReady = false;
  const input = element('input', {
    id,
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': `${id}-list`,
    'aria-describedby': `${id}-faults`,
  });
  const faults = element('p', { class: 'error', id: `${id}-faults`, role: 'status', hidden: true });
  const said = element('span', { class: 'visually-hidden', role: 'status' });
  const list = suggestions(input, `${id}-list`, suggest, (chosen) => {
    input.value = '';
    add(chosen.value, chosen.label);
  });
  const box = element('div', { class: 'chips', role: 'group', 'aria-label': label }, input, list.node, said);

  const showFaults = () => {
    const broken = chips.filter(({ fault }) => fault !== undefined);
    faults.replaceChildren(...broken.map(({ value, fault }) => element('span', {}, `${shortOf(value)}: ${fault}`)));
    faults.hidden = broken.length === 0;
    if (broken.length > 0) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  const changed = () => {
    showFaults();
    if (isReady) onChange?.(chips.map(({ value }) => value));
  };
  const remove = (/** @type {Chip} */ chip) => {
    chips = chips.filter((each) => each !== chip);
    chip.node.remove();
    said.textContent = t('ui.chips.removed', { name: shortOf(chip.value) });
    changed();
  };
  const mark = async (/** @type {Chip} */ chip) => {
    const fault = await check?.(chip.value);
    if (fault === undefined || !chips.includes(chip)) return;
    chip.fault = fault;
    chip.node.setAttribute('data-tone', 'danger');
    chip.node.title = fault;
    chip.node.querySelector('.avatar')?.replaceWith(icon('warning'));
    chip.node.append(hiddenText(`, ${fault}`));
    showFaults();
  };
  const add = (/** @type {string} */ value, /** @type {string | undefined} */ text = undefined) => {
    if (chips.some((each) => each.value === value)) return;
    const name = text ?? shortOf(value);
    /** @type {Chip} */
    const chip = { value, node: chipNode(name, value, () => leave(chip)) };
    chips.push(chip);
    input.before(chip.node);
    said.textContent = t('ui.chips.added', { name });
    void mark(chip);
    changed();
  };
  const leave = (/** @type {Chip} */ chip) => {
    const at = chips.indexOf(chip);
    remove(chip);
    (at > 0 ? removeButton(chips[at - 1]) : input).focus();
  };
  const addWritten = () => {
    const written = input.value;
    if (written.trim() === '') return;
    input.value = '';
    list.close();
    for (const piece of splitRecipients(written)) add(piece);
  };

  input.addEventListener('keydown', (event) => {
    if (event.isComposing || list.takes(event)) return;
    const isAtStart = input.selectionStart === 0 && input.selectionEnd === 0;
    const last = chips.at(-1);
    if ((event.key === 'Enter' || isEnd(event.key, input.value)) && input.value.trim() !== '') addWritten();
    else if (event.key === 'Backspace' && input.value === '' && last) remove(last);
    else if (event.key === 'ArrowLeft' && isAtStart && last) removeButton(last).focus();
    else return;
    event.preventDefault();
  });
  input.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const pieces = splitRecipients(pasted);
    if (pieces.length < 2) return;
    event.preventDefault();
    for (const piece of pieces) add(piece);
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) addWritten();
  });
  box.addEventListener('keydown', (event) => {
    const at = chips.findIndex((chip) => removeButton(chip) === event.target);
    if (at < 0) return;
    if (event.key === 'ArrowLeft') removeButton(chips[Math.max(at - 1, 0)]).focus();
    else if (event.key === 'ArrowRight') (at + 1 < chips.length ? removeButton(chips[at + 1]) : input).focus();
    else if (event.key === 'Delete' || event.key === 'Backspace') leave(chips[at]);
    else return;
    event.preventDefault();
  });
  box.addEventListener('click', ({ target }) => target === box && input.focus());

  for (const value of values) add(value);
  said.textContent = '';
  input.value = typed;
  isReady = true;
  const name = element('label', { for: id }, label);
  const isLine = layout === 'line';
  if (!isLine) box.classList.add('input');
  const node = element('div', { class: isLine ? 'address' : 'field' }, name, box, faults);
  return {
    node,
    /** What is written and not yet a chip becomes one first. */
    values() {
      addWritten();
      return chips.map(({ value }) => value);
    },
    /** What is a chip already, and what is none yet. */
    now: () => ({ values: chips.map(({ value }) => value), typed: input.value }),
    /** @returns {boolean} whether one of them is marked as wrong */
    hasFaults: () => chips.some(({ fault }) => fault !== undefined),
    add,
    focus: () => input.focus(),
  };
}

/** @param {string} name @param {string} value @param {() => void} remove */
function chipNode(name, value, remove) {
  const click = { on: { click: remove } };
  const label = t('ui.chips.remove', { name });
  const button = element('button', { type: 'button', tabindex: -1, 'aria-label': label, ...click });
  button.append(icon('close', { size: 'small' }));
  const title = name === value ? undefined : value;
  const person = avatar(name, { size: 'small' });
  return element('span', { class: 'chip', 'data-shape': 'person', title }, person, element('bdi', {}, name), button);
}

/** @param {Chip} chip */
const removeButton = (chip) => /** @type {HTMLButtonElement} */ (chip.node.querySelector('button'));

/** A comma inside quotes ends nothing. @param {string} key @param {string} written */
const isEnd = (key, written) => (key === ',' || key === ';') && written.split('"').length % 2 === 1;

/** @param {string} value */
function shortOf(value) {
  const { name, address } = parseRecipient(value);
  return name || address;
}

// What the pages beside rooms are made of: a heading with the way back, forms, fields.

import { element } from '../core/dom.js';
import { errorBox } from './notices.js';

/** @import { Child, Control, Properties } from '../core/dom.js' */

/** @param {string} title @param {string} [note] */
export function pageHeader(title, note) {
  return element(
    'header',
    { class: 'pane-header' },
    element('a', { class: 'back to-rooms', href: '#/' }, 'Rooms'),
    element('h2', { id: 'room-title', tabindex: '-1', dir: 'auto' }, title),
    element('p', { class: 'pane-note' }, note ?? ''),
  );
}

/**
 * A label above its control, which has an id.
 * @param {string} label @param {Control} control
 */
export function field(label, control) {
  return element('p', { class: 'field' }, element('label', { for: control.id }, label), control);
}

/**
 * An input with its value.
 * @param {string} id
 * @param {string} value
 * @param {Properties} [properties]
 */
export function line(id, value, properties = {}) {
  const input = element('input', { id, autocomplete: 'off', ...properties });
  input.value = value;
  return input;
}

/**
 * `choices` are `[value, text]`.
 * @param {string} id
 * @param {[string | number, string][]} choices
 * @param {string | number | undefined} value
 */
export function choice(id, choices, value) {
  const options = choices.map(([each, text]) => element('option', { value: each }, text));
  const select = element('select', { id }, options);
  select.value = String(value);
  return select;
}

/**
 * A form that runs `save` once at a time and shows the Problem that it throws.
 * @param {string} action
 * @param {Child | Child[]} fields
 * @param {() => Promise<void>} save
 */
export function savingForm(action, fields, save) {
  const problems = element('div');
  const button = element('button', { type: 'submit', class: 'primary' }, action);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    problems.replaceChildren();
    try {
      await save();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    } finally {
      button.ariaDisabled = null;
    }
  };
  return element(
    'form',
    { class: 'form', on: { submit } },
    fields,
    problems,
    element('p', { class: 'actions' }, button),
  );
}

// Forms of the pages beside rooms: fields with their labels, and saving once at a time.

import { element } from '../core/dom.js';
import { draftAt } from '../model/drafts.js';
import { errorBox } from './notices.js';
import { keepWriting, keptNote } from './writing.js';

/** @import { Child, Control, Properties } from '../core/dom.js' */
/** @import { Draft } from '../model/drafts.js' */

/**
 * A label above its control, which has an id.
 * @param {string} label @param {Control} control @param {string} [hint]
 */
export function field(label, control, hint) {
  if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return element(
    'p',
    { class: 'field' },
    element('label', { for: control.id }, label),
    control,
    hint && element('span', { class: 'hint', id: `${control.id}-hint` }, hint),
  );
}

/**
 * An input with its value.
 * @param {string} id
 * @param {string} value
 * @param {Properties} [properties]
 */
export function line(id, value, properties = {}) {
  const input = element('input', { id, class: 'input', autocomplete: 'off', ...properties });
  input.value = value;
  return input;
}

/**
 * Several lines of text.
 * @param {string} id
 * @param {string} value
 * @param {Properties} [properties]
 */
export function lines(id, value, properties = {}) {
  const area = element('textarea', { id, class: 'input', dir: 'auto', ...properties });
  area.value = value;
  return area;
}

/**
 * `choices` are `[value, text]`.
 * @param {string} id
 * @param {[string | number, string][]} choices
 * @param {string | number | undefined} value
 */
export function choice(id, choices, value) {
  const options = choices.map(([each, text]) => element('option', { value: each }, text));
  const select = element('select', { id, class: 'input' }, options);
  select.value = String(value);
  return select;
}

/**
 * A form that runs `save` once at a time and shows the Problem that it throws. What is written in it is kept until
 * that is done.
 * @param {string} action
 * @param {Child | Child[]} fields
 * @param {() => Promise<void>} save
 * @param {{ draft?: Draft, value?: () => unknown }} [kept] where, and what no control has; undefined: by the address
 */
export function savingForm(action, fields, save, { draft = draftAt(location.hash, action), value } = {}) {
  const problems = element('div');
  const button = element('button', { type: 'submit', class: 'btn', 'data-kind': 'primary' }, action);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    problems.replaceChildren();
    try {
      await untilSaved(save);
      note?.remove();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    } finally {
      button.ariaDisabled = null;
    }
  };
  const note = draft.read() && keptNote(draft);
  const form = element(
    'form',
    { class: 'stack form', on: { submit } },
    note,
    fields,
    problems,
    element('p', { class: 'group actions', 'data-gap': '2' }, button),
  );
  const untilSaved = keepWriting(form, draft, value);
  return form;
}

/** A part of a page, with its heading. @param {string} title @param {(Child | Child[])[]} content */
export function pageSection(title, ...content) {
  return element(
    'section',
    { class: 'stack page-section', 'aria-label': title },
    element('h2', { class: 'section' }, title),
    ...content,
  );
}

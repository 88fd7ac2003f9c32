// Fields of which there may be several: numbers, addresses.

import { element, query } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { choice, line } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { typeText } from './card.js';

/** @import { Properties } from '../../core/dom.js' */
/** @typedef {import('../../formats/contacts.js').Reach} Reach */
/** @typedef {import('../../formats/contacts.js').Place} Place */

/**
 * One line for each value with its type, and a button for one more. The last one cannot be taken away, only emptied.
 * @template {{ type: string }} T
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.label of one of them
 * @param {string} options.add
 * @param {T[]} options.values
 * @param {T} options.blank
 * @param {(value: T, id: string) => { node: HTMLElement, value: () => T }} options.row
 */
function severalFields({ id, label, add, values, blank, row }) {
  /** @type {{ node: HTMLElement, value: () => T }[]} */
  let rows = [];
  let made = 0;
  const list = element('div', { class: 'stack', 'data-gap': '2' });
  const append = (/** @type {T} */ value) => {
    const one = row(value, `${id}-${++made}`);
    const remove = element(
      'button',
      { type: 'button', class: 'btn-icon', 'aria-label': t('contacts.remove', { name: label }) },
      icon('close'),
    );
    const line = element('div', { class: 'several' }, one.node, remove);
    remove.addEventListener('click', () => {
      rows = rows.filter((each) => each !== one);
      line.remove();
      more.focus();
    });
    rows.push(one);
    list.append(line);
    return line;
  };
  const more = element(
    'button',
    { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click: () => query(append(blank), 'input')?.focus() } },
    icon('plus', { size: 'small' }),
    add,
  );
  for (const value of values) append(value);
  return {
    node: element('fieldset', { class: 'plain-fields several-fields' }, element('legend', {}, label), list, more),
    /** @param {boolean} isDone without those that nothing is written in */
    values: (isDone) =>
      rows
        .map(({ value }) => value())
        .filter(({ type: _, ...parts }) => !isDone || Object.values(parts).some((part) => part !== '')),
  };
}

/**
 * The select of a type, with what the card says though the form does not offer it.
 * @param {string} id
 * @param {string[]} types
 * @param {string} type
 */
function typeChoice(id, types, type) {
  const known = types.includes(type) ? types : [...types, type];
  const select = choice(
    id,
    known.map((each) => [each, each === '' ? t('contacts.type-none') : typeText(each)]),
    type,
  );
  select.ariaLabel = t('contacts.type');
  return select;
}

/**
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.label
 * @param {string} options.add
 * @param {Reach[]} options.values
 * @param {string[]} options.types
 * @param {Properties} options.input
 */
export const reachFields = ({ types, label, input, ...options }) =>
  severalFields({
    ...options,
    label,
    blank: { value: '', type: types[0] },
    row: ({ value, type }, id) => {
      const select = typeChoice(`${id}-type`, types, type);
      const text = line(id, value, { 'aria-label': label, dir: 'ltr', ...input });
      return {
        node: element('div', { class: 'reach-field' }, select, text),
        value: () => ({ value: text.value.trim(), type: select.value }),
      };
    },
  });

const PARTS = /** @type {const} */ (['street', 'code', 'city', 'region', 'country']);

/** @param {Place[]} values */
export const placeFields = (values) =>
  severalFields({
    id: 'contact-place',
    label: t('contacts.place'),
    add: t('contacts.place-add'),
    values,
    blank: { street: '', city: '', region: '', code: '', country: '', type: 'home' },
    row: (place, id) => {
      const select = typeChoice(`${id}-type`, ['home', 'work', ''], place.type);
      const fields = PARTS.map((part) =>
        line(`${id}-${part}`, place[part], {
          'aria-label': t(`contacts.${part}`),
          placeholder: t(`contacts.${part}`),
          dir: 'auto',
        }),
      );
      const value = () => {
        const [street, code, city, region, country] = fields.map((field) => field.value.trim());
        return { street, code, city, region, country, type: select.value };
      };
      return { node: element('div', { class: 'place-field' }, select, fields), value };
    },
  });

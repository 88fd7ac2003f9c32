// The words of the page in the language of its reader: one catalogue a language in ../words/.
// A name in the catalogue is `part.thing`; `{count}` and other names in braces are filled in.

import { catalogue, chosenDirection, language } from './language.js';

export { chooseLanguage, LANGUAGES, language } from './language.js';

/** the language with the country of the browser, where that speaks it: dates and weeks go by country */
export const locale = (navigator.languages ?? []).find((tag) => tag.split('-', 1)[0] === language) ?? language;

/** of the page: as the reader has chosen on this device, else as the language is written @type {string} */
export const direction = chosenDirection() ?? directionOf(language);

const { words } = await catalogue;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/**
 * The text called `name`. A plural form is chosen by `values.count`; numbers are written as the language writes them.
 * A name that no catalogue has is shown as it is: a test finds it.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const found = words[name] ?? name;
  const text = typeof found === 'string' ? found : (found[plurals.select(Number(values.count))] ?? found.other ?? name);
  return text.replaceAll(/\{(\w+)\}/g, (whole, key) => {
    const value = values[key];
    return value === undefined ? whole : typeof value === 'number' ? numbers.format(value) : value;
  });
}

/** @param {string} tag */
function directionOf(tag) {
  const known = /** @type {{ getTextInfo?: () => { direction: string } }} */ (new Intl.Locale(tag));
  return known.getTextInfo?.().direction ?? 'ltr';
}

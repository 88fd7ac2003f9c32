// The words of the page in the language of its reader: one catalogue a language in ../words/, chosen by the reader or
// else by the browser. A name in the catalogue is `part.thing`; `{count}` and other names in braces are filled in.

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Words a text, or one for each plural form */
/** @typedef {Record<string, Words>} Catalogue */

/** languages with a catalogue, each by its own name */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

/** where the reader's choice is kept on the device */
const CHOICE = 'language';
/** and that of a side to begin lines at */
const DIRECTION = 'direction';

/** @type {keyof typeof LANGUAGES} */
export const language = chosenLanguage();

/** the language with the country of the browser, where that speaks it: dates and weeks go by country */
export const locale = (navigator.languages ?? []).find((tag) => tag.split('-', 1)[0] === language) ?? language;

/** of the page: as the reader has chosen on this device, else as the language is written @type {string} */
export const direction = localStorageOf(DIRECTION) ?? directionOf(language);

/** @type {{ words: Catalogue }} */
const { words } = await import(`../words/${language}.js`);

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

/** Kept for the next start of the page; undefined leaves the choice to the browser. @param {string} [choice] */
export function chooseLanguage(choice) {
  if (choice === undefined) localStorage.removeItem(CHOICE);
  else localStorage.setItem(CHOICE, choice);
}

/** Outside of a browser, where tests run, nobody has chosen. @param {string} name */
function localStorageOf(name) {
  return typeof document === 'object' && 'location' in globalThis ? localStorage.getItem(name) : null;
}

/** @param {string} tag */
function directionOf(tag) {
  const known = /** @type {{ getTextInfo?: () => { direction: string } }} */ (new Intl.Locale(tag));
  return known.getTextInfo?.().direction ?? 'ltr';
}

function chosenLanguage() {
  const wanted = [localStorageOf(CHOICE) ?? '', ...(navigator.languages ?? [])].map((tag) => tag.split('-', 1)[0]);
  return /** @type {keyof typeof LANGUAGES} */ (wanted.find((tag) => tag in LANGUAGES) ?? 'en');
}

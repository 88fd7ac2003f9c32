// The language of the page: chosen by the reader or else by the browser. Its catalogue in ../words/ is asked for as
// soon as this is known; i18n.js has its words.

/** languages with a catalogue, each by its own name */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

/** where the reader's choice is kept on the device */
const CHOICE = 'language';
/** and that of a side to begin lines at */
const DIRECTION = 'direction';

/** @type {keyof typeof LANGUAGES} */
export const language = chosenLanguage();

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Words a text, or one for each plural form */
/** @typedef {Record<string, Words>} Catalogue */

/** @type {Promise<{ words: Catalogue }>} */
export const catalogue = import(`../words/${language}.js`);

/** Kept for the next start of the page; undefined leaves the choice to the browser. @param {string} [choice] */
export function chooseLanguage(choice) {
  if (choice === undefined) localStorage.removeItem(CHOICE);
  else localStorage.setItem(CHOICE, choice);
}

/** `ltr`, `rtl`, or null. */
export const chosenDirection = () => chosen(DIRECTION);

/** Outside of a browser, where tests run, nobody has chosen. @param {string} name */
function chosen(name) {
  return typeof document === 'object' && 'location' in globalThis ? localStorage.getItem(name) : null;
}

function chosenLanguage() {
  const wanted = [chosen(CHOICE) ?? '', ...(navigator.languages ?? [])].map((tag) => tag.split('-', 1)[0]);
  return /** @type {keyof typeof LANGUAGES} */ (wanted.find((tag) => tag in LANGUAGES) ?? 'en');
}

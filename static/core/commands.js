// What can be done, in one table: buttons, the help behind `?`, the palette behind Ctrl+K and the keys all read it.
// Keys of one letter get in the way of speech input (WCAG 2.1.4), so they can be switched off.

import { t } from './i18n.js';

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} label in the reader's language
 * @property {string} group under which the help lists it, in the reader's language
 * @property {string[]} [keys] `Ctrl+K`, `F6`, `n`, or one after the other: `g i`
 * @property {string} [icon]
 * @property {() => unknown} run
 * @property {() => boolean} [isReady] whether there is something to do it to; without it always
 * @property {boolean} [isHidden] has keys and nothing else
 */

const CHOICE = 'single-keys';
/** how long the second of two keys may take */
const SEQUENCE_MS = 1500;
const WRITING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable="true"]';

/** @type {Set<Command[]>} */
const tables = new Set();
let pressed = '';
let pressedAt = 0;

/**
 * Makes commands of a group, which have their labels in the catalogue as `command.ID`.
 * @param {string} group
 * @returns {(id: string, keys: string[], icon: string, run: () => unknown, isReady?: () => boolean) => Command}
 */
export const commandsIn = (group) => (id, keys, icon, run, isReady) => ({
  id,
  label: t(`command.${id}`),
  group,
  keys,
  icon,
  run,
  isReady,
});

/** They are there until the function that it answers is called. @param {Command[]} commands */
export function addCommands(commands) {
  tables.add(commands);
  return () => tables.delete(commands);
}

/** Those that can be done now, the latest added first. */
export const allCommands = () =>
  [...tables]
    .reverse()
    .flat()
    .filter(({ isReady }) => isReady?.() ?? true);

export const areSingleKeysOn = () => localStorage.getItem(CHOICE) !== 'off';

/** @param {boolean} isOn */
export function setSingleKeys(isOn) {
  if (isOn) localStorage.removeItem(CHOICE);
  else localStorage.setItem(CHOICE, 'off');
}

/**
 * Does what the key stands for. For keys in frames, too, whose events the page does not hear.
 * @param {KeyboardEvent} event
 */
export function handleKey(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  const target = /** @type {Element | null} */ (event.target);
  const isPlain = event.key.length === 1 && !/^(Ctrl|Alt)\+/.test(name);
  if (document.querySelector('dialog[open]')) return;
  if (isPlain && (!areSingleKeysOn() || target?.closest?.(`${WRITING}, [role=menu], [role=listbox]`))) return;
  const sequence = performance.now() - pressedAt < SEQUENCE_MS && pressed !== '' ? `${pressed} ${name}` : name;
  const commands = allCommands();
  const command =
    commands.find(({ keys }) => keys?.includes(sequence)) ?? commands.find(({ keys }) => keys?.includes(name));
  const isBeginning = commands.some(({ keys }) => keys?.some((each) => each.startsWith(`${name} `)));
  pressed = isBeginning ? name : '';
  pressedAt = performance.now();
  if (!command) return;
  event.preventDefault();
  command.run();
}

/** `Ctrl+K`, `Shift+F6`, `?` @param {KeyboardEvent} event */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const isCharacter = key.length === 1;
  const modifiers = [ctrlKey || metaKey ? 'Ctrl+' : '', altKey ? 'Alt+' : '', shiftKey && !isCharacter ? 'Shift+' : ''];
  const hasModifier = ctrlKey || metaKey || altKey;
  return modifiers.join('') + (isCharacter && hasModifier ? key.toUpperCase() : key);
}

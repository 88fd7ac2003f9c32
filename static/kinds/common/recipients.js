// Whom a message goes to: people and addresses as chips, suggested while one types; what cannot be right is marked, and
// so is a name that nobody here has.

import { completeRecipient, findUsers } from '../../api/people.js';
import { t } from '../../core/i18n.js';
import { isRecipient, parseRecipient, splitRecipients } from '../../formats/addresses.js';
import { chipsField } from '../../ui/chips.js';

/**
 * `text` is everything that is in it, `finish` makes a chip of what is still being typed, `broken` are those that can
 * reach nobody.
 * @param {string} id
 * @param {string} label
 * @param {string} value parted by commas
 * @param {() => void} changed
 */
export function recipientsField(id, label, value, changed) {
  let values = splitRecipients(value);
  const onChange = (/** @type {string[]} */ now) => {
    values = now;
    changed();
  };
  const field = chipsField({ id, label, values, suggest, check, onChange });
  const typed = () => /** @type {HTMLInputElement | null} */ (field.node.querySelector(`#${id}`))?.value.trim() ?? '';
  return {
    node: field.node,
    focus: field.focus,
    text: () => [...values, typed()].filter(Boolean).join(', '),
    finish() {
      values = field.values();
    },
    broken: () => values.filter((each) => !isRecipient(each)),
  };
}

/** @param {string} words */
async function suggest(words) {
  const found = await completeRecipient(words);
  return found.map((recipient) => {
    const { name, address } = parseRecipient(recipient);
    return { value: recipient, label: name || address, detail: name ? address : undefined };
  });
}

/** Why it cannot be right. @param {string} value */
async function check(value) {
  if (!isRecipient(value)) return t('compose.not-a-recipient');
  const { address } = parseRecipient(value);
  if (address.includes('@')) return undefined;
  const users = await findUsers(address).catch(() => undefined);
  const isHere = !users || users.some(({ name }) => name.toLowerCase() === address.toLowerCase());
  return isHere ? undefined : t('compose.unknown');
}

// What a form has changed of a contact.

/** @typedef {import('../../formats/contacts.js').Contact} Contact */
/** @typedef {import('../../formats/contacts.js').ContactChange} ContactChange */

/**
 * What is not as it was. A name that was made of its parts is made of them again.
 * @param {Contact} before @param {Partial<Contact>} after @returns {ContactChange}
 */
export function differences(before, after) {
  /** @type {Record<string, unknown>} */
  const change = {};
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(value) !== JSON.stringify(before[/** @type {keyof Contact} */ (key)])) change[key] = value;
  }
  const made = [before.prefix, before.given, before.additional, before.family, before.suffix].filter(Boolean).join(' ');
  const isMade = [made, before.organization, before.emails[0]?.value ?? ''].includes(before.name);
  const isRenamed = ['prefix', 'given', 'additional', 'family', 'suffix', 'organization', 'emails'].some(
    (key) => key in change,
  );
  if (isMade && isRenamed && change.name === undefined && !before.isGroup) change.name = '';
  return change;
}

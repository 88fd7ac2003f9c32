// Addresses that write a mail: mailto:ann@x.example?subject=Hello (RFC 6068). Of their fields only those count that say
// to whom and what.

import { isRecipient, splitRecipients } from './addresses.js';

/**
 * Undefined for what is no such address or names nobody.
 * @param {string} address
 * @returns {{ to: string[], subject: string, body: string } | undefined}
 */
export function parseMailto(address) {
  const [, path, query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(address) ?? [];
  if (path === undefined) return undefined;
  // a plus stands for itself here
  const fields = new URLSearchParams(query.replaceAll('+', '%2B'));
  const to = [path, ...fields.getAll('to').map(encodeURIComponent)].flatMap((list) => splitRecipients(decoded(list)));
  const [subject, body] = ['subject', 'body'].map((name) => fields.get(name) ?? '');
  return to.length > 0 && to.every(isRecipient) ? { to, subject: subject.replaceAll(/\s+/g, ' '), body } : undefined;
}

/** '' for what cannot be decoded. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

// Addresses that write a mail: mailto:ann@x.example?subject=Hello (RFC 6068). Only the fields with the recipients,
// subject and text count.

import { isRecipient, splitRecipients } from './addresses.js';

/**
 * Undefined for what is no such address, says nothing, or names somebody who cannot be reached.
 * @param {string} address
 * @returns {{ to: string[], cc: string[], bcc: string[], subject: string, body: string } | undefined}
 */
export function parseMailto(address) {
  const [, path, query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(address) ?? [];
  if (path === undefined) return undefined;
  // a plus stands for itself here
  const fields = [...new URLSearchParams(query.replaceAll('+', '%2B'))];
  const all = (/** @type {string} */ wanted) =>
    fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const [to, cc, bcc] = [[decoded(path), ...all('to')], all('cc'), all('bcc')].map((lists) =>
    lists.flatMap(splitRecipients),
  );
  const [[subject = ''], [body = '']] = [all('subject'), all('body')];
  const everybody = [...to, ...cc, ...bcc];
  if (everybody.length === 0 && subject === '' && body === '') return undefined;
  return everybody.every(isRecipient) && (path === '' || to.length > 0)
    ? { to, cc, bcc, subject: subject.replaceAll(/\s+/g, ' '), body }
    : undefined;
}

/** '' for what cannot be decoded. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

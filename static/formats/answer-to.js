// Whom an answer goes to (RFC 5322 section 3.6.3, RFC 2369 section 3.4).

import { isRecipient, parseRecipient } from './addresses.js';
import { parseMailto } from './mailto.js';

/**
 * What is known of the message that is answered: see Message of openapi.json.
 * @typedef {{ from?: string, rfca?: string, locl?: boolean, reply_to?: string[], list_post?: string, rcpt?: string[],
 *   cccc?: string[] }} Answered
 */
/** `addresses`: all of them. @typedef {{ username: string, email: string, addresses: string[] }} Oneself */
/** @typedef {'reply' | 'reply-all' | 'reply-list'} AnswerKind */

/**
 * Whom an answer goes to: where Reply-To says, else the author; of all others each once, without oneself. An answer to
 * one's own message goes on to those whom it went to.
 * @param {Answered} message @param {Oneself} me @param {AnswerKind} how
 * @returns {{ to: string[], cc: string[] }}
 */
export function answerTo({ from = '', rfca = '', locl, reply_to, list_post, rcpt = [], cccc = [] }, me, how) {
  const list = parseMailto(list_post ?? '')?.to ?? [];
  if (how === 'reply-list' && list.length > 0) return { to: list, cc: [] };
  const domain = me.email.split('@')[1]?.toLowerCase() ?? '';
  const personOf = (/** @type {string} */ recipient) => personIn(recipient, domain);
  const author = locl ? from : rfca;
  const own = new Set([me.username, ...me.addresses].filter(Boolean).map(personOf));
  const isOwn = own.has(personOf(author));
  const asked = (reply_to ?? []).filter(isRecipient);
  const to = isOwn ? rcpt : asked.length > 0 ? asked : [author].filter(Boolean);
  if (how !== 'reply-all') return { to, cc: [] };
  const known = new Set([...own, ...to.map(personOf)]);
  const others = (isOwn ? cccc : [...rcpt, ...cccc]).filter((each) => {
    const isNew = !known.has(personOf(each));
    known.add(personOf(each));
    return isNew;
  });
  return { to, cc: others };
}

/**
 * What tells people apart: the name of those at `domain`, where it is the address as well, and the address of others.
 * Where the server tells no domain ('') it is the name of all.
 * @param {string} recipient @param {string} domain
 */
function personIn(recipient, domain) {
  const address = parseRecipient(recipient).address.toLowerCase();
  const at = address.lastIndexOf('@');
  const isHere = at < 0 || domain === '' || address.slice(at + 1) === domain;
  return isHere ? address.slice(0, at < 0 ? undefined : at).replaceAll('_', ' ') : address;
}

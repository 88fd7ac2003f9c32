// Suggestions for a recipient that is being typed (verbs AUTO and LIST, protocol sections 18.2 and 18.9).

import { MAX_COMPLETIONS } from '../limits/backend.ts';
import { isPersonLike, type Person, recipientOf } from '../mime/objects/properties.ts';
import { command } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';
import { userRowsFrom } from './users.ts';

const INFO = command('INFO');
const FQDN_LINE = 3;

export interface Suggestion {
  name: string;
  address: string;
  /** what to write into a list of recipients */
  recipient: string;
}

/**
 * People from the address books, as AUTO tells them and then `more`, then users: AUTO need not find those, and each has
 * the address that is made of the name (protocol section 7).
 */
export async function suggestRecipients(
  pool: Pool,
  identity: Identity,
  text: string,
  more: () => Promise<readonly Person[]> = async () => [],
): Promise<Suggestion[]> {
  const [people, users, info] = await pool.read(identity, [command('AUTO', text), command('LIST', text), INFO]);
  const host = expectClass(info!, REPLY.listing).lines[FQDN_LINE]?.trim() ?? '';
  const isUnknown = people!.code === STATUS.unsupported;
  const found = isUnknown ? [] : expectClass(people!, REPLY.listing).lines.map(parseSuggestion);
  const addresses = new Set(found.map(({ address }) => address.toLowerCase()));
  for (const person of await more()) {
    const address = person.address.toLowerCase();
    if (addresses.has(address) || !isPersonLike(person, text.toLowerCase())) continue;
    addresses.add(address);
    found.push({ ...person, recipient: recipientOf(person) });
  }
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  for (const { name } of userRowsFrom(users!)) {
    if (names.has(name.toLowerCase())) continue;
    const address = host === '' ? '' : `${name.toLowerCase().replace(/[^a-z0-9.-]/g, '_')}@${host}`;
    found.push({ name, address, recipient: name });
  }
  return found.slice(0, MAX_COMPLETIONS);
}

/** `'"Smith, Bob" <bob@x>'` → its name without quotes, its address, and all of it */
export function parseSuggestion(line: string): Suggestion {
  const [, phrase = '', address = line.trim()] = /^(.*)<([^<>]*)>\s*$/.exec(line) ?? [];
  const name = phrase.trim().replace(/^"(.*)"$/s, (_, inner: string) => inner.replace(/\\(.)/gs, '$1'));
  return { name, address, recipient: line.trim() };
}

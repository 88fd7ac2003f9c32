// The name under which each message of a room is listed: what it was PUT under, else its UID in rooms that know UIDs,
// else its number. Of two with one name the first has it, as where a name is looked for (message/find.ts).

import type { EuidRow } from '../../client/stored-headers.ts';
import { type EnteredRoom, EUID_VIEWS } from '../../model.ts';
import { isAddressable } from '../../protocol/member-names.ts';
import type { StoredTraits } from '../message/stored-traits.ts';

/** Of one listing, which takes the messages ascending by number. */
export class MemberNames {
  readonly #taken = new Set<string>();
  readonly #hasUids: boolean;

  constructor({ defaultView }: Pick<EnteredRoom, 'defaultView'>) {
    this.#hasUids = EUID_VIEWS.has(defaultView);
  }

  /** Nobody else gets it. */
  take({ msgnum, euid }: Pick<EuidRow, 'msgnum' | 'euid'>, { name }: Pick<StoredTraits, 'name'>): string {
    for (const candidate of [name, this.#hasUids ? euid : undefined]) {
      if (candidate === undefined || !isAddressable(candidate) || this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
    return String(msgnum);
  }
}

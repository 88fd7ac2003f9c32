// The name under which each message of a room is listed: what it was PUT under, else one of its own
// (protocol/member-names.ts), else its number. Of two with one name the first has it, as where a name is looked for
// (message/find.ts).

import { type EnteredRoom, hasNames } from '../../model.ts';
import { isMemberName, ownNames } from '../../protocol/member-names.ts';
import type { EuidRow } from '../../room-server/messages.ts';
import type { StoredTraits } from '../message/stored-traits.ts';

/** Of one listing, which takes the messages ascending by number. */
export class MemberNames {
  readonly #taken = new Set<string>();
  readonly #view: number;
  readonly #isNameFirst: boolean;

  constructor({ defaultView, flags }: Pick<EnteredRoom, 'defaultView' | 'flags'>) {
    this.#view = defaultView;
    this.#isNameFirst = hasNames({ defaultView, flags });
  }

  /** Nobody else gets it. */
  take(row: Pick<EuidRow, 'msgnum' | 'euid'>, { name }: Pick<StoredTraits, 'name'>): string {
    const isFree = (candidate: string) => !this.#taken.has(candidate);
    const given = name !== undefined && isMemberName(name, this.#isNameFirst) && isFree(name) ? name : undefined;
    const taken = given ?? ownNames(this.#view, row).find(isFree);
    if (taken === undefined) return String(row.msgnum);
    this.#taken.add(taken);
    return taken;
  }
}

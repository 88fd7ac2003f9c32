// What DAV lists of a message, from its stored header, cached by number: a message never changes. Callers have checked
// that the reader may enter the room that lists it.

import { MAX_STORED_TRAITS } from '../../limits/dav.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue } from '../../mime/headers.ts';
import type { ObjectFacts } from '../../mime/objects/properties.ts';
import { nameFrom, sendableType, sizeFrom, storedContent } from '../../mime/stored-content.ts';
import { type EnteredRoom, hasNames } from '../../model.ts';
import { isMemberName, ownNames, titleOf } from '../../protocol/member-names.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { Member } from '../collections.ts';
import { perPool } from '../connection/pool.ts';
import { type EuidRow, storedTimeOf } from '../messages.ts';

export interface HeaderFacts {
  /** euid and time identify the message: a restored room server may reuse its number */
  readonly euid: string;
  readonly time: number;
  /** when it was stored; undefined if unknown */
  readonly stored?: number | undefined;
  /** under which it was PUT */
  readonly name: string | undefined;
  readonly subject: string;
  readonly contentType: string;
  /** bytes that GET sends; undefined until measured */
  readonly size: number | undefined;
  /** known once its content was read */
  readonly object: ObjectFacts | undefined;
}

export class HeaderFactsCache {
  readonly #facts = new BoundedMap<number, HeaderFacts>(MAX_STORED_TRAITS);

  of({ msgnum, euid, time }: EuidRow): HeaderFacts | undefined {
    const facts = this.#facts.get(msgnum);
    return facts?.euid === euid && facts.time === time ? facts : undefined;
  }

  /** Of the last message that had this number. */
  lastOf(msgnum: number): HeaderFacts | undefined {
    return this.#facts.get(msgnum);
  }

  /** `headers` as MSG2 prints them. */
  add({ msgnum, euid, time }: EuidRow, headers: readonly HeaderField[]): HeaderFacts {
    return this.set(msgnum, { euid, time, stored: storedTimeOf(headers, msgnum), ...factsFrom(headers) });
  }

  set(msgnum: number, facts: HeaderFacts): HeaderFacts {
    this.#facts.set(msgnum, facts);
    return facts;
  }
}

export const headerFacts = perPool(() => new HeaderFactsCache());

function factsFrom(headers: readonly HeaderField[]) {
  const { contentType, lines } = storedContent(headers, '4');
  return {
    name: nameFrom(headers),
    subject: decodeWords(headerValue(headers, 'subject') ?? ''),
    contentType: sendableType(contentType),
    size: lines?.length ?? sizeFrom(headers),
    object: undefined,
  };
}

/** `name`: under which it is listed. */
export function memberOf({ msgnum, euid }: EuidRow, name: string, facts: HeaderFacts): Member {
  return {
    msgnum,
    name,
    euid,
    time: facts.stored ?? 0,
    displayName: titleOf({ msgnum, euid }, name, facts.subject),
    contentType: facts.contentType,
    size: facts.size,
    component: facts.object?.component,
    extent: facts.object?.extent,
  };
}

/**
 * Assigns the names of one listing, ascending by number: what a message was PUT under, else a default name
 * (protocol/member-names.ts), else its number. Of two with one name the first gets it.
 */
export class MemberNames {
  readonly #taken = new Set<string>();
  readonly #view: number;
  readonly #isNameFirst: boolean;

  constructor({ defaultView, flags }: Pick<EnteredRoom, 'defaultView' | 'flags'>) {
    this.#view = defaultView;
    this.#isNameFirst = hasNames({ defaultView, flags });
  }

  take(row: Pick<EuidRow, 'msgnum' | 'euid'>, { name }: Pick<HeaderFacts, 'name'>): string {
    const isFree = (candidate: string) => !this.#taken.has(candidate);
    const given = name !== undefined && isMemberName(name, this.#isNameFirst) && isFree(name) ? name : undefined;
    const taken = given ?? ownNames(this.#view, row).find(isFree);
    if (taken === undefined) return String(row.msgnum);
    this.#taken.add(taken);
    return taken;
  }
}

// What DAV shows of a message, from its stored header: a message never changes, so it is kept, by number. Whether a
// caller may see it is checked at each request: the message must be in the list of a room that he may enter.

import { MAX_STORED_TRAITS } from '../../limits/dav.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue, parseParameters } from '../../mime/headers.ts';
import { isCalendar, type ObjectFacts } from '../../mime/objects/properties.ts';
import { nameFrom, originalTimeFrom, sendableType, sizeFrom, storedContent } from '../../mime/stored-content.ts';
import { storedTimeFrom } from '../../protocol/message-fields.ts';
import type { EuidRow } from '../../room-server/messages.ts';
import { BoundedMap } from '../../system/bounded-map.ts';

export interface StoredTraits {
  /**
   * of the message itself; another one has the number when they differ, after a room server was put back to a backup
   */
  readonly euid: string;
  readonly time: number;
  /** when it was stored; undefined where that is not known */
  readonly stored?: number | undefined;
  /** under which it was PUT */
  readonly name: string | undefined;
  readonly subject: string;
  readonly contentType: string;
  /** bytes that GET sends, as far as it is known; learnt later for others */
  readonly size: number | undefined;
  /** learnt when its content is read first */
  readonly facts: ObjectFacts | undefined;
}

export class StoredTraitsCache {
  /** by message number */
  readonly #kept = new BoundedMap<number, StoredTraits>(MAX_STORED_TRAITS);

  /** What is kept of this message. */
  of({ msgnum, euid, time }: EuidRow): StoredTraits | undefined {
    const known = this.#kept.get(msgnum);
    return known?.euid === euid && known.time === time ? known : undefined;
  }

  /** What is kept under this number, which may have been another message's. */
  lastOf(msgnum: number): StoredTraits | undefined {
    return this.#kept.get(msgnum);
  }

  /** `headers` as MSG2 prints them. */
  keep({ msgnum, euid, time }: EuidRow, headers: readonly HeaderField[]): StoredTraits {
    return this.#set(msgnum, { euid, time, stored: storedTimeOf(headers, msgnum), ...traitsFrom(headers) });
  }

  /** The length of the content was not among the headers; `traits` without it. */
  keepSize(msgnum: number, traits: StoredTraits, size: number): StoredTraits {
    return this.#set(msgnum, { ...traits, size });
  }

  /** What its content has told; `traits` without it. */
  keepFacts(msgnum: number, traits: StoredTraits, facts: ObjectFacts): StoredTraits {
    return this.#set(msgnum, { ...traits, facts });
  }

  #set(msgnum: number, traits: StoredTraits): StoredTraits {
    this.#kept.set(msgnum, traits);
    return traits;
  }
}

/**
 * When a message was stored, which its id tells (protocol section 11), or written, where a copy has posted it again.
 * The time of an event is when it begins, that of Internet mail what its sender says. `headers` as MSG2 prints them.
 */
export function storedTimeOf(headers: readonly HeaderField[], msgnum: number): number | undefined {
  const isEvent = isCalendar(parseParameters(headerValue(headers, 'content-type') ?? '').value.toLowerCase());
  const original = isEvent ? undefined : originalTimeFrom(headers);
  return original ?? storedTimeFrom(headerValue(headers, 'message-id')?.replace('<', ''), msgnum);
}

function traitsFrom(headers: readonly HeaderField[]) {
  const { contentType, lines } = storedContent(headers, '4');
  const isEncodedMultipart = lines !== undefined;
  return {
    name: nameFrom(headers),
    subject: decodeWords(headerValue(headers, 'subject') ?? ''),
    contentType: sendableType(contentType),
    size: isEncodedMultipart ? lines.length : sizeFrom(headers),
    facts: undefined,
  };
}

// The calendar objects and cards of a room, parsed and cached. Callers have the members from the list of a room that
// the reader may enter.

import { LOOKS_AT_A_NAME, MAX_KEPT_OBJECT_BYTES } from '../../limits/dav.ts';
import { objectSource } from '../../mime/object-source.ts';
import { parseObject } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { asVersion3 } from '../../mime/stored-content.ts';
import type { Member } from '../../room-server/collections.ts';
import { perPool } from '../../room-server/connection/pool.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { RoomContext } from '../room-context.ts';
import { contentsOf, findMembers } from './collection.ts';

export interface MemberObject {
  member: Member;
  cached: CachedObject;
}

/**
 * The objects of these members, in batches, in their order. One that was replaced meanwhile comes last in its new
 * version: clients take a member that is not listed for deleted. Leaves out what is gone or no object. Throws as
 * contentsOf.
 */
export async function* objectsOf(
  context: RoomContext,
  members: readonly Member[],
): AsyncGenerator<readonly MemberObject[]> {
  let left = members;
  for (let attempt = 1; left.length > 0; attempt++) {
    const missing: Member[] = [];
    yield* inOrder(context, left, missing);
    if (missing.length === 0 || attempt === LOOKS_AT_A_NAME) return;
    const now = await findMembers(
      context,
      missing.map(({ name }) => name),
    );
    left = now.flatMap((found, i) => (found && found.msgnum !== missing[i]!.msgnum ? [found] : []));
  }
}

/** `missing` receives members without content. */
async function* inOrder(
  context: RoomContext,
  members: readonly Member[],
  missing: Member[],
): AsyncGenerator<readonly MemberObject[]> {
  const cache = objectCache(context.app.pool);
  let ready: MemberObject[] = [];
  let at = 0;
  /** members before this number, which are cached or missing */
  const upTo = (msgnum: number | undefined) => {
    for (; at < members.length && members[at]!.msgnum !== msgnum; at++) {
      const member = members[at]!;
      const cached = found.get(member.msgnum);
      if (cached) ready.push({ member, cached });
      else missing.push(member);
    }
  };
  const found = new Map<number, CachedObject>();
  for (const member of members) {
    const cached = cache.get(member.msgnum);
    if (cached?.isOf(member)) found.set(member.msgnum, cached);
  }
  const unread = found.size === members.length ? [] : members.filter(({ msgnum }) => !found.has(msgnum));
  if (unread.length > 0) {
    for await (const contents of contentsOf(context, unread)) {
      for (const { member, bytes } of contents) {
        upTo(member.msgnum);
        const cached = new CachedObject(member, objectSource(asVersion3(bytes)));
        cache.set(member.msgnum, cached);
        ready.push({ member, cached });
        at++;
      }
      yield ready;
      ready = [];
    }
  }
  upTo(undefined);
  yield ready;
}

/** memory of an entry without text and tree */
const ENTRY_BYTES = 300;
/** text, tree of lines, and the markup that reports cache with it */
const BYTES_PER_CHARACTER = 10;

/** euid and time identify the message: a restored room server may reuse its number */
interface ObjectOf {
  euid: string;
  time: number;
}

export class CachedObject {
  readonly text: string;
  readonly #euid: string;
  readonly #time: number;
  /** null: not parsed yet */
  #object: Component | undefined | null = null;

  constructor({ euid, time }: ObjectOf, text: string) {
    this.text = text;
    this.#euid = euid;
    this.#time = time;
  }

  /** undefined if the text is no object */
  get object(): Component | undefined {
    if (this.#object === null) this.#object = parseObject(this.text).object;
    return this.#object;
  }

  isOf({ euid, time }: ObjectOf): boolean {
    return this.#euid === euid && this.#time === time;
  }
}

/** By message number. */
export function newObjectCache(maxBytes = MAX_KEPT_OBJECT_BYTES): BoundedMap<number, CachedObject> {
  return new BoundedMap(maxBytes, objectBytes);
}

/** Memory that it takes, or may take once it is parsed. */
export function objectBytes({ text }: CachedObject): number {
  return ENTRY_BYTES + BYTES_PER_CHARACTER * text.length;
}

const objectCache = perPool(newObjectCache);

// The messages of a room as resources: name, type and length come from their stored headers, which are read in batches and
// kept (App.storedFacts), so that listing a room again costs one short command.

import type { RoomRef } from '../client/goto.ts';
import { readHead } from '../client/messages.ts';
import { type MemberRow, readStoredHeaders } from '../client/stored-headers.ts';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { headersOf, messageEtag, timeOf } from '../gateway/message-facts.ts';
import { isAddressable, UID_VIEWS } from '../gateway/message-name.ts';
import { parseMessageNumber } from '../gateway/paths.ts';
import { factsFrom, type StoredFacts } from '../gateway/stored-facts.ts';
import { FACTS_BATCH_MESSAGES } from '../limits.ts';
import type { EnteredRoom } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { Measuring } from './measuring.ts';
import type { Resource } from './resource.ts';

/** Every message of `rows`, ascending by number, but those that go meanwhile. `roomHref` ends in a slash. */
export async function* memberResources(
  app: App,
  caller: Caller,
  room: RoomRef,
  entered: EnteredRoom,
  rows: readonly MemberRow[],
  roomHref: string,
  isLengthWanted: boolean,
): AsyncGenerator<Resource> {
  const isUidRoom = UID_VIEWS.has(entered.defaultView);
  const measuring = isLengthWanted ? new Measuring(app, caller.identity, room) : undefined;
  const taken = new Set<string>();
  for (let at = 0; at < rows.length; at += FACTS_BATCH_MESSAGES) {
    const batch = rows.slice(at, at + FACTS_BATCH_MESSAGES);
    const facts = await factsOf(app, caller, room, batch);
    await measuring?.complete(facts);
    for (const { msgnum, euid, time } of batch) {
      const known = facts.get(msgnum);
      if (!known) continue;
      const name = isUidRoom ? usableUid(euid) : known.name;
      const isOwn = name !== undefined && isAddressable(name) && !taken.has(name);
      if (isOwn) taken.add(name);
      yield messageResource(`${roomHref}${encodeURIComponent(isOwn ? name : msgnum)}`, msgnum, time, known);
    }
  }
}

/** One message, whose length is looked for wherever it can be found. */
export async function messageResourceOf(
  app: App,
  caller: Caller,
  room: RoomRef,
  msgnum: number,
  href: string,
  isLengthWanted: boolean,
): Promise<Resource> {
  const head = await readHead(app.pool, caller.identity, room, msgnum);
  const facts = app.storedFacts.get(msgnum) ?? factsFrom(headersOf(head));
  app.storedFacts.set(msgnum, facts);
  if (isLengthWanted) await new Measuring(app, caller.identity, room).complete(new Map([[msgnum, facts]]));
  return messageResource(href, msgnum, timeOf(head), facts);
}

async function factsOf(
  app: App,
  caller: Caller,
  room: RoomRef,
  batch: readonly MemberRow[],
): Promise<Map<number, StoredFacts>> {
  const facts = new Map<number, StoredFacts>();
  const unknown: number[] = [];
  for (const { msgnum } of batch) {
    const known = app.storedFacts.get(msgnum);
    if (known) facts.set(msgnum, known);
    else unknown.push(msgnum);
  }
  if (unknown.length === 0) return facts;
  const headers = await readStoredHeaders(app.pool, caller.identity, room, unknown);
  unknown.forEach((msgnum, i) => {
    if (!headers[i]) return;
    const read = factsFrom(headers[i]);
    facts.set(msgnum, read);
    app.storedFacts.set(msgnum, read);
  });
  return facts;
}

function usableUid(euid: string): string | undefined {
  return euid !== '' && isFieldSafe(euid) && parseMessageNumber(euid) === undefined ? euid : undefined;
}

function messageResource(href: string, msgnum: number, time: number, facts: StoredFacts): Resource {
  return {
    href,
    isCollection: false,
    displayName: facts.name ?? (facts.subject || String(msgnum)),
    created: time,
    modified: time,
    contentType: facts.contentType,
    length: facts.size,
    etag: messageEtag(msgnum),
  };
}

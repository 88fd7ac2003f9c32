// The messages of a room as resources: name, type and length come from their stored headers, which are read in batches and
// kept (App.storedFacts), so that listing a room again costs one short command.

import type { RoomRef } from '../client/connection/goto.ts';
import { type EuidRow, listEuids, readStoredHeaders } from '../client/stored-headers.ts';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { messageEtag } from '../gateway/message/facts.ts';
import { namedHeadOf } from '../gateway/message/head.ts';
import { isAddressable, UID_VIEWS } from '../gateway/message/name.ts';
import { keepFacts, keptFacts, type StoredFacts } from '../gateway/message/stored-facts.ts';
import { parseMessageNumber } from '../gateway/paths.ts';
import { FACTS_BATCH_MESSAGES, LOOKS_AT_A_NAME } from '../limits/dav.ts';
import type { HeaderField } from '../mime/headers.ts';
import type { EnteredRoom } from '../model.ts';
import { isFieldSafe, toInt } from '../protocol/fields.ts';
import { Measuring, type StoredHeaders } from './content-lengths.ts';
import type { Resource } from './resource.ts';

/**
 * Every message of `rows`, ascending by number, but those that go meanwhile, in batches; behind them what has come since
 * where some have gone. `roomHref` ends in a slash.
 */
export async function* memberResources(
  app: App,
  caller: Caller,
  room: RoomRef,
  entered: EnteredRoom,
  rows: readonly EuidRow[],
  roomHref: string,
  isLengthWanted: boolean,
): AsyncGenerator<Resource[]> {
  const isUidRoom = UID_VIEWS.has(entered.defaultView);
  const measuring = isLengthWanted ? new Measuring(app, caller.identity, room) : undefined;
  const taken = new Set<string>();
  let left = rows;
  for (let look = 1; left.length > 0; look++) {
    let hasGone = false;
    for (let at = 0; at < left.length; at += FACTS_BATCH_MESSAGES) {
      const batch = left.slice(at, at + FACTS_BATCH_MESSAGES);
      const { facts, stored } = await factsOf(app, caller, room, batch);
      await measuring?.complete(facts, stored);
      const resources: Resource[] = [];
      for (const { msgnum, euid, time } of batch) {
        const known = facts.get(msgnum);
        if (!known) {
          hasGone = true;
          continue;
        }
        const name = isUidRoom ? usableUid(euid) : known.name;
        const isOwn = name !== undefined && isAddressable(name) && !taken.has(name);
        if (isOwn) taken.add(name);
        const href = `${roomHref}${isOwn ? encodeURIComponent(name) : msgnum}`;
        resources.push(messageResource(href, msgnum, time, known));
      }
      yield resources;
    }
    if (!hasGone || look === LOOKS_AT_A_NAME) return;
    // what has gone may have been replaced: a client would take a file that is not told for deleted
    const last = left.at(-1)!.msgnum;
    left = (await listEuids(app.pool, caller.identity, room)).rows.filter(({ msgnum }) => msgnum > last);
  }
}

/** One message, whose length is looked for wherever it can be found. `name` as for namedHeadOf. Throws not_found. */
export async function messageResourceOf(
  app: App,
  caller: Caller,
  room: RoomRef,
  name: string,
  href: string,
  isLengthWanted: boolean,
): Promise<Resource> {
  const { msgnum, head } = await namedHeadOf(app, caller, room, name);
  const row = { msgnum, euid: head.fields.get('exti') ?? '', time: toInt(head.fields.get('time')) };
  const facts = keptFacts(app, row) ?? keepFacts(app, row, head.headers);
  if (isLengthWanted) {
    await new Measuring(app, caller.identity, room).complete(
      new Map([[msgnum, facts]]),
      new Map([[msgnum, head.headers]]),
    );
  }
  return messageResource(href, msgnum, row.time, facts);
}

async function factsOf(
  app: App,
  caller: Caller,
  room: RoomRef,
  batch: readonly EuidRow[],
): Promise<{ facts: Map<number, StoredFacts>; stored: StoredHeaders }> {
  const facts = new Map<number, StoredFacts>();
  const stored = new Map<number, readonly HeaderField[]>();
  const unknown: EuidRow[] = [];
  for (const row of batch) {
    const known = keptFacts(app, row);
    if (known) facts.set(row.msgnum, known);
    else unknown.push(row);
  }
  if (unknown.length === 0) return { facts, stored };
  const numbers = unknown.map(({ msgnum }) => msgnum);
  const headers = await readStoredHeaders(app.pool, caller.identity, room, numbers);
  unknown.forEach((row, i) => {
    // another request may have read the same meanwhile
    if (!headers[i]) return;
    facts.set(row.msgnum, keptFacts(app, row) ?? keepFacts(app, row, headers[i]));
    stored.set(row.msgnum, headers[i]);
  });
  return { facts, stored };
}

function usableUid(euid: string): string | undefined {
  return euid !== '' && isFieldSafe(euid) && parseMessageNumber(euid) === undefined ? euid : undefined;
}

function messageResource(href: string, msgnum: number, time: number, facts: StoredFacts): Resource {
  return {
    href,
    isCollection: false,
    displayName: facts.name ?? (facts.subject || String(msgnum)),
    created: facts.originalTime ?? time,
    modified: facts.originalTime ?? time,
    contentType: facts.contentType,
    length: facts.size,
    etag: messageEtag(msgnum),
  };
}

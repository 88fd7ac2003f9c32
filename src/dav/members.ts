// The messages of a room as resources: name, type and length come from their stored headers, which are read in batches
// and kept (App.storedTraits), so that listing a room again costs one short command.

import { type EuidRow, listEuids, readStoredHeaders } from '../client/stored-headers.ts';
import type { App } from '../gateway/app.ts';
import { openNamed } from '../gateway/message/head.ts';
import { isAddressable } from '../gateway/message/name.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import type { StoredTraits } from '../gateway/message/stored-traits.ts';
import { parseMessageNumber } from '../gateway/paths.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { BATCH_MESSAGES, LOOKS_AT_A_NAME, MEMBERS_AT_ONCE } from '../limits/dav.ts';
import type { HeaderField } from '../mime/headers.ts';
import { type EnteredRoom, EUID_VIEWS } from '../model.ts';
import { isFieldSafe, toInt } from '../protocol/fields.ts';
import { ContentLengths, type HeadersByNumber, type TraitsByNumber } from './content-lengths.ts';
import type { Resource } from './resource.ts';

/**
 * Every message of `rows`, ascending by number, in batches. Messages that are deleted meanwhile are left out; then
 * those that have come since follow, which may have replaced them. `inRoom`: the room. Throws as
 * pool.readInRoom.
 */
export async function* memberResources(
  context: RoomContext,
  entered: EnteredRoom,
  rows: readonly EuidRow[],
  inRoom: Resource,
  isLengthWanted: boolean,
): AsyncGenerator<readonly Resource[]> {
  const { app, caller, room } = context;
  const isNamedByEuid = EUID_VIEWS.has(entered.defaultView);
  const lengths = isLengthWanted ? new ContentLengths(context) : undefined;
  const taken = new Set<string>();
  const resourceOf = ({ msgnum, euid, time }: EuidRow, traits: StoredTraits): Resource => {
    const name = isNamedByEuid ? usableEuid(euid) : traits.name;
    const isOwn = name !== undefined && isAddressable(name) && !taken.has(name);
    if (isOwn) taken.add(name);
    const href = `${inRoom.href}${isOwn ? encodeURIComponent(name) : msgnum}`;
    return messageResource(href, msgnum, time, traits, inRoom.privileges);
  };
  let left = rows;
  for (let look = 1; left.length > 0; look++) {
    let hasGone = false;
    for (let at = 0; at < left.length; ) {
      const known = knownMembers(app, left, at, isLengthWanted);
      if (known.length > 0) {
        yield known.map((traits, i) => resourceOf(left[at + i]!, traits));
        at += known.length;
        continue;
      }
      const batch = left.slice(at, at + BATCH_MESSAGES);
      const { traits, stored } = await traitsOf(context, batch);
      const complete = (await lengths?.complete(traits, stored)) ?? traits;
      const present = batch.filter(({ msgnum }) => complete.has(msgnum));
      hasGone ||= present.length < batch.length;
      yield present.map((row) => resourceOf(row, complete.get(row.msgnum)!));
      at += batch.length;
    }
    if (!hasGone || look === LOOKS_AT_A_NAME) return;
    // a message that is gone may have been replaced: a client would take a file that is not listed for deleted
    const last = left.at(-1)!.msgnum;
    left = (await listEuids(app.pool, caller.identity, room)).rows.filter(({ msgnum }) => msgnum > last);
  }
}

/** One message, whose length is looked for wherever it can be found. `name` as for openNamed. Throws not_found. */
export async function messageResourceOf(
  context: RoomContext,
  name: string,
  href: string,
  isLengthWanted: boolean,
): Promise<Resource> {
  const { app, msgnum, head } = await openNamed(context, name);
  const row = { msgnum, euid: head.fields.get('exti') ?? '', time: toInt(head.fields.get('time')) };
  const traits = app.storedTraits.of(row) ?? app.storedTraits.keep(row, head.headers);
  if (!isLengthWanted) return messageResource(href, msgnum, row.time, traits);
  const stored = new Map([[msgnum, head.headers]]);
  const complete = await new ContentLengths(context).complete(new Map([[msgnum, traits]]), stored);
  return messageResource(href, msgnum, row.time, complete.get(msgnum)!);
}

/** From `at` on, until something must be asked for. */
function knownMembers({ storedTraits }: App, rows: readonly EuidRow[], at: number, isLengthWanted: boolean) {
  const known: StoredTraits[] = [];
  for (let i = at; i < rows.length && known.length < MEMBERS_AT_ONCE; i++) {
    const traits = storedTraits.of(rows[i]!);
    if (!traits || (isLengthWanted && traits.size === undefined)) break;
    known.push(traits);
  }
  return known;
}

/** Of the messages that are there; `stored`: of those that were read for it. */
async function traitsOf(
  { app, caller, room }: RoomContext,
  batch: readonly EuidRow[],
): Promise<{ traits: TraitsByNumber; stored: HeadersByNumber }> {
  const traits = new Map<number, StoredTraits>();
  const stored = new Map<number, readonly HeaderField[]>();
  const unknown: EuidRow[] = [];
  for (const row of batch) {
    const known = app.storedTraits.of(row);
    if (known) traits.set(row.msgnum, known);
    else unknown.push(row);
  }
  if (unknown.length === 0) return { traits, stored };
  const numbers = unknown.map(({ msgnum }) => msgnum);
  const headers = await readStoredHeaders(app.pool, caller.identity, room, numbers);
  unknown.forEach((row, i) => {
    if (!headers[i]) return;
    // another request may have read the same meanwhile
    traits.set(row.msgnum, app.storedTraits.of(row) ?? app.storedTraits.keep(row, headers[i]));
    stored.set(row.msgnum, headers[i]);
  });
  return { traits, stored };
}

function usableEuid(euid: string): string | undefined {
  return euid !== '' && isFieldSafe(euid) && parseMessageNumber(euid) === undefined ? euid : undefined;
}

function messageResource(
  href: string,
  msgnum: number,
  time: number,
  traits: StoredTraits,
  privileges?: number,
): Resource {
  return {
    kind: 'member',
    href,
    displayName: traits.name ?? (traits.subject || String(msgnum)),
    created: traits.originalTime ?? time,
    modified: traits.originalTime ?? time,
    contentType: traits.contentType,
    length: traits.size,
    etag: messageEtag(msgnum),
    privileges,
  };
}

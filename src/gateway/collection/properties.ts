// What DAV shows of rooms beside their members: dead properties (RFC 4918 section 4; names, colours and the like, which
// only the embedded room server stores), quota, the home as a collection, privileges.

import { hash } from 'node:crypto';
import { unlessGone } from '../../errors.ts';
import { MAX_HELD_PROPERTY_BYTES, PROPERTY_MEMBERS_AT_ONCE } from '../../limits/dav.ts';
import {
  ACCESS,
  COMPONENT_SET,
  collectionKind,
  holdsObjects,
  ROOM_FLAG,
  ROOM_FLAG2,
  type RoomRow,
} from '../../model.ts';
import type { PropertyChange, Quota, RoomProperties, StoredProperty } from '../../room-server/collections.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import { listRooms } from '../../room-server/rooms.ts';
import { listOfToken, type TokenKind, tokenOfList } from '../../room-server/signed-list.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import type { RoomContext } from '../room-context.ts';

/** Finds properties of members by name. */
export interface PropertyLookup {
  /** names per request: the result is in memory */
  namesAtOnce: number;
  find(names: readonly string[]): Promise<ReadonlyMap<string, readonly StoredProperty[]>>;
}

const NONE: readonly StoredProperty[] = [];

type InRoom = Pick<RoomContext, 'app' | 'caller' | 'room'>;

/** Those of a member by its name (Member.name); of the room for ''. Throws as openCollection. */
export async function deadPropertiesOf(
  { app, caller, room }: InRoom,
  member: string,
): Promise<readonly StoredProperty[]> {
  const { properties } = await serverOf(app.pool, caller.identity);
  return (await unlessGone(properties.of(app.pool, caller.identity, room, member))) ?? NONE;
}

/**
 * Finds the properties of many members. Most rooms have few, which are read here and held in memory; of others, each
 * member is asked for, so no list is held whole. Throws as openCollection.
 */
export async function propertyLookup(
  context: RoomContext,
  maxBytes = MAX_HELD_PROPERTY_BYTES,
): Promise<PropertyLookup> {
  const { app, caller, room } = context;
  const found = new Map<string, StoredProperty[]>();
  const all = { namesAtOnce: Number.POSITIVE_INFINITY, find: async () => found };
  const server = await serverOf(app.pool, caller.identity);
  let bytes = 0;
  for await (const page of server.properties.all(app.pool, caller.identity, room)) {
    for (const [member, properties] of page) {
      found.getOrInsertComputed(member, () => []).push(...properties);
      for (const { value } of properties) bytes += Buffer.byteLength(value);
    }
    if (bytes > maxBytes) {
      return { namesAtOnce: PROPERTY_MEMBERS_AT_ONCE, find: (names) => propertiesOfEach(context, names) };
    }
  }
  return all;
}

async function propertiesOfEach(context: RoomContext, names: readonly string[]) {
  const found = await Promise.all(names.map((name) => deadPropertiesOf(context, name)));
  return new Map(names.map((name, i) => [name, found[i]!]));
}

/** Sync-tokens and properties of all rooms that the caller knows, by name; undefined if the server cannot list them. */
export async function homeRooms(
  app: App,
  identity: Identity,
): Promise<ReadonlyMap<string, RoomProperties> | undefined> {
  return (await serverOf(app.pool, identity)).properties.ofRooms(app.pool, identity);
}

/**
 * Makes all changes or none; returns false if the server stores none. `member`: as for deadPropertiesOf. Throws as
 * openCollection, forbidden, insufficient_storage.
 */
export async function changeProperties(
  { app, caller, room }: InRoom,
  member: string,
  changes: readonly PropertyChange[],
): Promise<boolean> {
  const { lacks, properties } = await serverOf(app.pool, caller.identity);
  if (lacks.properties) return false;
  await app.pool.visitRoom(caller.identity, room, (connection) => properties.change(connection, member, changes));
  return true;
}

/** What is a user's and no room. Its properties are kept with the user's inbox, which nobody else enters. */
export type OwnPlace = 'home' | 'principal' | 'inbox' | 'outbox';

/** What clients have set on such a place; nothing where the room server has no inbox. */
export async function keptProperties(app: App, caller: Caller, place: OwnPlace): Promise<readonly StoredProperty[]> {
  const room = await inboxOf(app, caller);
  const all = room ? await deadPropertiesOf({ app, caller, room }, '') : [];
  const start = `${place}:`;
  return all.flatMap((property) =>
    property.namespace.startsWith(start) ? [{ ...property, namespace: property.namespace.slice(start.length) }] : [],
  );
}

/** As changeProperties. */
export async function changeKept(
  app: App,
  caller: Caller,
  place: OwnPlace,
  changes: readonly PropertyChange[],
): Promise<boolean> {
  const room = await inboxOf(app, caller);
  if (!room) return false;
  const kept = changes.map((change) => ({ ...change, namespace: `${place}:${change.namespace}` }));
  return changeProperties({ app, caller, room }, '', kept);
}

async function inboxOf({ pool }: App, { identity }: Caller): Promise<RoomRef | undefined> {
  const { lacks, scheduling } = await serverOf(pool, identity);
  return lacks.scheduling ? undefined : { name: await scheduling.inboxRoom(pool, identity), password: '' };
}

/** The components that a calendar was made for, as the element that is stored; undefined for the usual one. */
export async function componentSetOf(context: InRoom): Promise<string | undefined> {
  const properties = await deadPropertiesOf(context, '');
  return properties.find(({ namespace, name }) => `${namespace} ${name}` === COMPONENT_SET)?.value;
}

/**
 * RFC 4331: of a room for it and its folders, else of the whole server. Undefined if not wanted or unknown. Throws as
 * pool.readInRoom.
 */
export async function quotaOf(
  app: App,
  { identity }: Caller,
  isWanted: boolean,
  room?: RoomRef,
): Promise<Quota | undefined> {
  if (!isWanted) return undefined;
  const { members } = await serverOf(app.pool, identity);
  return members.quota(app.pool, identity, room);
}

/** What a client knows of a room. */
export interface ReportedRoom {
  /** of everything its properties depend on, its members included */
  digest: string;
  /** of its members, for clients that sync all levels; '' if they are not listed */
  token: string;
}

/** By name. */
export type ReportedRooms = ReadonlyMap<string, ReportedRoom>;

export interface HomeState {
  rows: readonly RoomRow[];
  reported: ReportedRooms;
}

const HOME: TokenKind = { list: 'data:,h', digest: 'data:,g' };
const DIGEST_CHARACTERS = 8; // 48 bits tell versions apart; they need not resist forgery

/** The rooms of a home: those that the user knows and has not forgotten. */
export async function homeRows({ pool }: App, identity: Identity): Promise<RoomRow[]> {
  const rows = await listRooms(pool, identity);
  return rows.filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0);
}

export async function homeState(app: App, identity: Identity): Promise<HomeState> {
  // reads of one turn go out in one write
  const [rows, rooms] = await Promise.all([homeRows(app, identity), homeRooms(app, identity)]);
  return { rows, reported: new Map(rows.map((row) => [row.name, reportedRoom(row, rooms?.get(row.name))])) };
}

function reportedRoom(row: RoomRow, room: RoomProperties | undefined): ReportedRoom {
  const kind = collectionKind(row);
  const facts = [kind, row.mtime, privilegesIn(row), row.flags & ROOM_FLAG.personal, room?.token, room?.properties];
  const digest = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, DIGEST_CHARACTERS);
  return { digest, token: (holdsObjects(kind) && room?.token) || '' };
}

/**
 * A sync-token (RFC 6578 section 4) that lists these rooms: nobody counts changes of a home. Otherwise as tokenOfList.
 */
export async function tokenOfHome(app: App, identity: Identity, reported: ReportedRooms): Promise<string> {
  const list = [...reported].map(([name, { digest, token }]) => [name, digest, token]);
  return tokenOfList(app.sealer, HOME, await app.pool.accountOf(identity), Buffer.from(JSON.stringify(list)));
}

/** Undefined as for listOfToken. */
export async function homeOfToken(app: App, identity: Identity, token: string): Promise<ReportedRooms | undefined> {
  const list = listOfToken(app.sealer, HOME, await app.pool.accountOf(identity), token);
  if (!list) return undefined;
  const rooms = JSON.parse(list.toString()) as [name: string, digest: string, token: string][];
  return new Map(rooms.map(([name, digest, token]) => [name, { digest, token }]));
}

/** A token that only tells whether something has changed. */
export function isHomeDigest(token: string): boolean {
  return token.startsWith(HOME.digest);
}

/** Bits of privileges on a resource of DAV (RFC 3744 section 3); `write` is all that write. */
export const PRIVILEGE = {
  read: 1,
  readFreeBusy: 2,
  writeProperties: 4,
  writeContent: 8,
  bind: 16,
  unbind: 32,
  unlock: 64,
  write: 4 + 8 + 16 + 32 + 64,
} as const;

/**
 * Bits of PRIVILEGE in a room and on its messages, from its row in a room list (protocol section 9): posters may add,
 * deleters remove, both together replace; properties of the room are for its administrators.
 */
export function privilegesIn({ access, flags, flags2 }: Pick<RoomRow, 'access' | 'flags' | 'flags2'>): number {
  const canPost = (access & ACCESS.post) !== 0;
  const isAdmin = (access & ACCESS.admin) !== 0 || (flags & ROOM_FLAG.personal) !== 0;
  const isCollaborative = canPost && (flags2 & ROOM_FLAG2.collaborativeDelete) !== 0;
  const mayDelete = (access & ACCESS.delete) !== 0 || isCollaborative;
  return (
    PRIVILEGE.read |
    (canPost ? PRIVILEGE.bind | PRIVILEGE.unlock : 0) |
    (mayDelete ? PRIVILEGE.unbind : 0) |
    (canPost && mayDelete ? PRIVILEGE.writeContent : 0) |
    (isAdmin ? PRIVILEGE.writeProperties : 0)
  );
}

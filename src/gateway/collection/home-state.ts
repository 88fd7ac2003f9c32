// The rooms that a user knows, as the collection that DAV calls the home: what each was when it was listed last. A
// sync-token (RFC 6578 section 4) lists that, whatever room server is behind, so nobody counts changes of a home.

import { hash } from 'node:crypto';
import { ACCESS, collectionKind, holdsObjects, ROOM_FLAG, type RoomRow } from '../../model.ts';
import type { RoomProperties } from '../../room-server/collections.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { listRooms } from '../../room-server/rooms.ts';
import { listOfToken, type TokenKind, tokenOfList } from '../../room-server/signed-list.ts';
import type { App } from '../app.ts';
import { privilegesIn } from '../rights.ts';
import { homeRooms } from './dead-properties.ts';

/** What a client was told of a room. */
export interface ToldRoom {
  /** of all that its properties are made from, its members included */
  digest: string;
  /** of its members, of which a client that asks for all levels is told; empty where these are not listed */
  token: string;
}

/** By name. */
export type ToldRooms = ReadonlyMap<string, ToldRoom>;

export interface HomeState {
  rows: readonly RoomRow[];
  told: ToldRooms;
}

const HOME: TokenKind = { list: 'data:,h', digest: 'data:,g' };
const DIGEST_CHARACTERS = 8; // 48 bits: told from another one, not kept from being made up

/** The rooms that a home lists: those that the user knows and has not forgotten. */
export async function homeRows({ pool }: App, identity: Identity): Promise<RoomRow[]> {
  const rows = await listRooms(pool, identity);
  return rows.filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0);
}

/** All of them as they are now. */
export async function homeState(app: App, identity: Identity): Promise<HomeState> {
  // what is asked in one turn goes out in one write
  const [rows, rooms] = await Promise.all([homeRows(app, identity), homeRooms(app, identity)]);
  return { rows, told: new Map(rows.map((row) => [row.name, toldRoom(row, rooms?.get(row.name))])) };
}

function toldRoom(row: RoomRow, room: RoomProperties | undefined): ToldRoom {
  const kind = collectionKind(row);
  const facts = [kind, row.mtime, privilegesIn(row), row.flags & ROOM_FLAG.personal, room?.token, room?.properties];
  const digest = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, DIGEST_CHARACTERS);
  return { digest, token: (holdsObjects(kind) && room?.token) || '' };
}

/** A token that stands for these; of too many it only says whether they are still the same. */
export async function tokenOfHome(app: App, identity: Identity, told: ToldRooms): Promise<string> {
  const list = [...told].map(([name, { digest, token }]) => [name, digest, token]);
  return tokenOfList(app.sealer, HOME, await app.pool.accountOf(identity), Buffer.from(JSON.stringify(list)));
}

/** undefined for what tokenOfHome has not made for this user, or of too many. */
export async function homeOfToken(app: App, identity: Identity, token: string): Promise<ToldRooms | undefined> {
  const list = listOfToken(app.sealer, HOME, await app.pool.accountOf(identity), token);
  if (!list) return undefined;
  const rooms = JSON.parse(list.toString()) as [name: string, digest: string, token: string][];
  return new Map(rooms.map(([name, digest, token]) => [name, { digest, token }]));
}

/** One that only says whether something has changed. */
export function isHomeDigest(token: string): boolean {
  return token.startsWith(HOME.digest);
}

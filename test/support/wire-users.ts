// A room server in this process, and users who log in to it over the wire.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

/** Levels by name; passwords are as startRoomServer gives them. */
export async function serveUsers(t: TestContext, users: Record<string, number>) {
  const server = await startRoomServer(t, { users });
  const login = (name: string) => WireClient.login(server.socketPath, name, `${name}pw`);
  return { ...server, login };
}

/** Users of several levels. */
export const people = (t: TestContext) => serveUsers(t, { ann: 4, cal: 4, pref: 5, boss: 6, newbie: 1 });

interface Given {
  users?: Record<string, number>;
  /** a room that the administrator makes and stands in, as CRE8 takes it */
  room?: string;
}

export async function serveRoom(t: TestContext, { users = {}, room = '' }: Given) {
  const server = await serveUsers(t, users);
  const admin = await server.login('admin');
  if (room !== '') {
    await admin.expect(`CRE8 1|${room}`, 200);
    await admin.expect(`GOTO ${room.replace(/\|.*/, '')}`, 200);
  }
  return { ...server, admin };
}

/** Asserts the whole answer to each line. */
export async function answers(client: WireClient, expected: [string, string | RegExp][]): Promise<void> {
  for (const [line, reply] of expected) {
    const got = await client.text(line);
    if (typeof reply === 'string') assert.equal(got, reply, line);
    else assert.match(got, reply, line);
  }
}

/** The names in a list of rooms. */
export async function names(client: WireClient, line: string): Promise<string[]> {
  return (await client.ask(line)).lines.map((row) => row.split('|')[0]!);
}

/** The access bits of a room in the list of all that the user may enter. */
export async function accessIn(client: WireClient, room: string): Promise<number> {
  const rows = (await client.ask('LRMS')).lines;
  return Number(rows.find((row) => row.startsWith(`${room}|`))?.split('|')[5]);
}

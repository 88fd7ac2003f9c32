// Rooms of an ordinary room server as collections: what is PUT by HTTP, what is asked by functions of src/gateway.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { listMembers } from '../../src/gateway/collection/collection.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import type { Member, MemberChanges, Selection } from '../../src/room-server/collections.ts';
import { startGateway } from './gateway.ts';
import { startRealServer } from './real-server.ts';
import { contextsAt } from './room-context.ts';

/** An event of one hour, with CR LF. `start`: `20260105T100000Z` */
export const ordinaryEvent = (uid: string, start = '20260105T100000Z', extra = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260101T000000Z\r\n` +
  `DTSTART:${start}\r\nDTEND:${start.replace('T10', 'T11')}\r\nSUMMARY:${uid}\r\n${extra}END:VEVENT\r\n` +
  'END:VCALENDAR\r\n';

/** alice's and bob's rooms at an ordinary room server with a gateway in front. */
export async function ordinaryWorld(t: TestContext) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const contexts = contextsAt(t, real.path);
  const alice = gateway.as('alice', 'alicepw');
  const put = async (path: string, body: string, type = 'text/calendar; charset=utf-8') => {
    const answer = await alice(path, { method: 'PUT', headers: { 'content-type': type }, body });
    assert.ok(answer.status === 201 || answer.status === 204, `${path} ${answer.status}`);
    return Number(answer.headers.get('etag')!.slice(1, -1));
  };
  return { real, alice, put, contexts, calendar: contexts('alice', 'Calendar') };
}

export async function membersOf(context: RoomContext, selection?: Selection): Promise<Member[]> {
  return (await Array.fromAsync((await listMembers(context, selection)).members)).flat();
}

/** Names and numbers of what has changed, names of what is gone. */
export async function changesTold(changes: MemberChanges | undefined) {
  if (!changes) return undefined;
  const changed = (await Array.fromAsync(changes.changed)).flat().map(({ name, msgnum }) => [name, msgnum]);
  return { changed, removed: [...changes.removed].sort() };
}

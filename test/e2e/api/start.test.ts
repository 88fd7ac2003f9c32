// GET a/start: one request in the place of a/whoami, c/info, f/ and r/.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openEvents } from '../../support/event-stream.ts';
import { type Api, postedNumber, startBoth, type TestGateway } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });
const [[, first]] = gateways as [[string, TestGateway]];
type Room = Record<string, unknown> & { name: string };
interface Start {
  user: { logged_in: boolean };
  server: unknown;
  floors: unknown;
  rooms: Room[];
  max_message_bytes: number;
  last_event_id?: string;
}

const json = async (api: Api, path: string) => (await (await api(path)).json()) as unknown;
const startOf = async (api: Api) => (await json(api, 'a/start')) as Start;

for (const [name, gateway] of gateways) {
  it(`tells on ${name} what its four paths tell, and how much is new in each room`, async () => {
    const alice = gateway.as('alice');
    const body = 'something new';
    const posted = postedNumber(await gateway.as('bob')('r/Lobby/new?subj=news', { method: 'PUT', body }));
    const { user, server, floors, rooms, max_message_bytes } = await startOf(alice);
    assert.ok(max_message_bytes > 0);
    assert.deepEqual(user, await json(alice, 'a/whoami'));
    assert.deepEqual(server, await json(alice, 'c/info'));
    assert.deepEqual(floors, await json(alice, 'f/'));
    const plain = rooms.map(({ unread, total, highest, has_picture, ...room }) => room);
    assert.deepEqual(plain, await json(alice, 'r/'));
    const lobby = rooms.find(({ name }) => name === 'Lobby')!;
    const { new_messages, total_messages } = (await json(alice, 'r/Lobby/')) as Record<string, number>;
    assert.deepEqual([lobby.unread, lobby.total, lobby.highest], [new_messages, total_messages, posted]);
    assert.ok(Number(lobby.unread) >= 1);
  });

  it(`tells a guest on ${name} of what guests may see, and nobody else's account`, async () => {
    const asGuest = async (path: string) => fetch(`${gateway.url}svc/${path}`);
    const response = await asGuest('a/start');
    assert.equal(response.status, 200);
    const { user, rooms } = (await response.json()) as Start;
    assert.equal(user.logged_in, false);
    const listed = await asGuest('r/');
    const seen = listed.ok ? ((await listed.json()) as Room[]) : [];
    assert.deepEqual(
      rooms.map(({ name }) => name),
      seen.map(({ name }) => name),
    );
  });
}

it('tells from where an event stream goes on: what came behind the lists is told, what was before is not', async () => {
  const alice = first.as('alice');
  const post = (room: string) => alice(`r/${room}/new`, { method: 'PUT', body: 'x' });
  await post('Lobby');
  await setTimeout(1100); // times of change have seconds
  const { last_event_id } = await startOf(alice);
  await post('Town%20Square');
  const stream = await openEvents(alice, `a/events?last_event_id=${encodeURIComponent(last_event_id!)}`);
  const { data } = await stream.next('room');
  assert.equal((data as Room).name, 'Town Square', 'the Lobby changed before');
  stream.close();
  const guest = (await (await fetch(`${first.url}svc/a/start`)).json()) as Start;
  assert.equal(guest.last_event_id, undefined);
});

it('refuses wrong credentials, whatever guests may see', async () => {
  const response = await fetch(`${first.url}svc/a/start`, {
    headers: { authorization: `Basic ${btoa('alice:wrong')}`, 'x-requested-with': 'test' },
  });
  assert.equal(response.status, 401);
});

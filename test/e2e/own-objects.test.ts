// What one has put into a calendar, an address book or a folder oneself is no news; what others put there is, and what
// people write to each other is listed as new to its author, too (protocol section 10).

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VIEW } from '../../src/model.ts';
import { ROOM_SERVERS, startRoomServerSite } from '../support/fault-site.ts';
import type { Api } from '../support/gateway.ts';
import { ordinaryEvent } from '../support/ordinary-world.ts';

const event = (title: string) => ordinaryEvent('e', undefined, `DESCRIPTION:${title}\r\n`);

/** by view of the room; with one text, then with another */
const OBJECTS: [view: number, name: string, type: string, body: (text: string) => string][] = [
  [VIEW.calendar, 'e', 'text/calendar', event],
  [VIEW.tasks, 'e', 'text/calendar', (text) => event(text).replaceAll('VEVENT', 'VTODO').replace('DTEND', 'DUE')],
  [VIEW.addressBook, 'c', 'text/vcard', (text) => `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c\r\nFN:${text}\r\nEND:VCARD\r\n`],
  [VIEW.notes, 'n', 'text/plain', (text) => text],
  [VIEW.wiki, 'start', 'text/html', (text) => `<p>${text}</p>`],
  [VIEW.files, 'a.txt', 'text/plain', (text) => text],
];

for (const kind of ROOM_SERVERS) {
  it(`objects are read by who put them (${kind})`, async (t) => {
    const site = await startRoomServerSite(t, kind, ['alice']);
    const [alice, bob] = [site.straight.as('alice', 'alicepw'), site.straight.as('bob', 'bobpw')];
    for (const [view, name, type, body] of OBJECTS) {
      const room = await makeRoom(alice, `Room${view}`, view);
      await bob(`r/${room}/`);
      const path = `r/${room}/${name}`;
      for (const text of ['made', 'changed']) {
        await put(alice, path, type, body(text));
        assert.deepEqual(await newTo(alice, bob, room), [0, 1], `${view} ${text}`);
      }
    }
  });

  it(`what is unread before and behind them stays so (${kind})`, async (t) => {
    const site = await startRoomServerSite(t, kind, ['alice']);
    const [alice, bob] = [site.straight.as('alice', 'alicepw'), site.straight.as('bob', 'bobpw')];
    const room = await makeRoom(alice, 'Events', VIEW.calendar);
    const add = (api: Api, uid: string) => put(api, `r/${room}/e${uid}`, 'text/calendar', ordinaryEvent(uid));
    for (const [api, uid] of [
      [bob, '1'],
      [alice, '2'],
      [bob, '3'],
      [alice, '4'],
    ] as const)
      await add(api, uid);
    assert.deepEqual(await newTo(alice, bob, room), [2, 2]);
  });

  it(`messages are new to who wrote them (${kind})`, async (t) => {
    const site = await startRoomServerSite(t, kind, ['alice']);
    const [alice, bob] = [site.straight.as('alice', 'alicepw'), site.straight.as('bob', 'bobpw')];
    const room = await makeRoom(alice, 'Talk', VIEW.board);
    await put(alice, `r/${room}/new`, 'text/plain', 'hello');
    assert.deepEqual(await newTo(alice, bob, room), [1, 1]);
  });
}

async function makeRoom(api: Api, name: string, view: number): Promise<string> {
  const body = JSON.stringify({ name, kind: 'public', view });
  const made = await api('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(made.status, 201);
  return name;
}

async function put(api: Api, path: string, type: string, body: string): Promise<void> {
  const answer = await api(path, { method: 'PUT', headers: { 'content-type': type }, body });
  assert.ok(answer.ok, `${path} ${answer.status} ${await answer.text()}`);
}

/** How many messages of the room are new to each of them. */
async function newTo(alice: Api, bob: Api, room: string): Promise<number[]> {
  const stats = await Promise.all([alice, bob].map(async (api) => (await api(`r/${room}/`)).json()));
  return stats.map((stat) => (stat as { new_messages: number }).new_messages);
}

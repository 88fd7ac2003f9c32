// Every view of the web client by its address, and what fills the rooms that the demo leaves empty.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { calendarObject } from './calendar-object.ts';
import { eventually } from './eventually.ts';
import type { SpawnedGateway } from './gateway.ts';

const DAY = '2031-05-12';

/** longer than any head of a list */
const LONG_ROOM = 'The committee for the summer festival and everything that goes along with it';

export const VIEWS: Record<string, string> = {
  inbox: '#/',
  today: '#/today',
  rooms: '#/rooms',
  mail: '#/r/Mail',
  'a message': '#/r/Mail/40',
  'a room with nothing in it': '#/r/Trash',
  'a room that is not there': '#/r/Nowhere',
  'a room with a long name': `#/r/${encodeURIComponent(LONG_ROOM)}`,
  board: '#/r/Town%20Square',
  'a topic with answers': '#/r/Town%20Square/4',
  'a message with files': '#/r/Town%20Square/26',
  'a new topic': '#/r/Town%20Square/new',
  month: `#/r/Calendar/month/${DAY}`,
  week: `#/r/Calendar/week/${DAY}`,
  day: `#/r/Calendar/day/${DAY}`,
  agenda: `#/r/Calendar/agenda/${DAY}`,
  contacts: '#/r/Contacts',
  contact: '#/r/Contacts/card/tall',
  'a contact being changed': '#/r/Contacts/card/tall/edit',
  tasks: '#/r/Tasks',
  notes: '#/r/Pinboard',
  wiki: '#/r/Handbook',
  'a page of the wiki': '#/r/Handbook/page/tools',
  'a page being written': '#/r/Handbook/new/Soil',
  blog: '#/r/Garden%20Diary',
  'an entry with its answer': '#/r/Garden%20Diary/11',
  files: '#/r/Papers',
  'files, none': '#/r/Papers/folder/Plans',
  'a new message': '#/r/Mail/new',
  'a file': '#/r/Papers/file/README.md',
  search: '#/search/the',
  'search, nothing found': '#/search/xyzzy',
  account: '#/account',
  people: '#/people',
  'what waits': '#/outbox',
  'a person': '#/chat/bob',
  'a new room': '#/new-room',
  'settings of a room': '#/r/Town%20Square/settings',
  'settings of one’s own room': '#/r/Mail/settings',
  'settings of the look': '#/settings/look',
  'settings of notifications': '#/settings/notifications',
  'password, sessions and app passwords': '#/settings/password',
  users: '#/users',
  floors: '#/floors',
  'all rooms': '#/all-rooms',
  settings: '#/settings',
  'a user': '#/user/bob',
};

const card = [
  ...['BEGIN:VCARD', 'VERSION:3.0', 'UID:tall', 'FN:Wolfeschlegelsteinhausenbergerdorff Maximiliane', 'TITLE:Warden'],
  ...['N:Maximiliane;Wolfeschlegelsteinhausenbergerdorff;;;', 'EMAIL:a.very.long.address.of.a.person@mail.example.org'],
  ...['TEL;TYPE=CELL:+49 221 555 0100', 'ADR;TYPE=HOME:;;Long Street 1;Nowhere;;50667;Germany', 'END:VCARD', ''],
].join('\r\n');

/** Names, events and files that are longer than their place. */
export async function fillRooms(gateway: SpawnedGateway): Promise<void> {
  const alice = gateway.as('alice');
  const send = async (path: string, method: string, type: string, body?: string) => {
    const answer = await alice(path, { method, headers: { 'content-type': type }, ...(body && { body }) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  };
  const long = 'A rather long name of the general meeting in May, final version';
  for (const [name, view] of [
    ['Papers', 12],
    [LONG_ROOM, 0],
  ]) {
    const json = JSON.stringify({ name, kind: 'public', view, floor: 0 });
    await send('r/', 'POST', 'application/json', json);
  }
  await send('r/Papers/Plans/', 'MKCOL', '');
  await send(`r/Papers/${encodeURIComponent(long)}.txt`, 'PUT', 'text/plain', 'x');
  await send('r/Papers/README.md', 'PUT', 'text/plain', 'x');
  await send('r/Contacts/tall', 'PUT', 'text/vcard', card);
  const due = calendarObject('VTODO', 'long', [`SUMMARY:${long}`, 'DUE;VALUE=DATE:20310512', 'PRIORITY:1']);
  await send('r/Tasks/long', 'PUT', 'text/calendar', due);
  for (const [uid, from, to] of [
    ['days', ';VALUE=DATE:20310511', ';VALUE=DATE:20310515'],
    ['one', ':20310512T090000Z', ':20310512T103000Z'],
    ['two', ':20310512T093000Z', ':20310512T110000Z'],
    ['brief', ':20310512T140000Z', ':20310512T143000Z'],
  ] as const) {
    const text = calendarObject('VEVENT', uid, [`DTSTART${from}`, `DTEND${to}`, `SUMMARY:${uid} ${long}`]);
    await send(`r/Calendar/${uid}`, 'PUT', 'text/calendar', text);
  }
  await send('r/Town%20Square/new?subj=%D9%85%D8%B1%D8%AD%D8%A8%D8%A7', 'PUT', 'text/plain', 'مرحبا');
}

/** The view is there: nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').filter({ visible: true }).first().waitFor();
  // what takes time shows its skeleton after 200 ms
  await page.waitForTimeout(400);
  await eventually(() => page.locator('.skeleton:visible').count(), 0);
}

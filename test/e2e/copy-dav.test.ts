// What DAV clients know of a server is the same on another one that `vestibule copy` has filled: names, UIDs, bytes,
// and which events are invitations.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { type Api, startGateway } from '../support/gateway.ts';
import { runCopy } from '../support/run-copy.ts';

const event = (uid: string, ...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260105T100000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** Names and bytes of the members of a room, and which have a Schedule-Tag. */
async function membersOf(api: Api, room: string): Promise<[string, string, boolean][]> {
  const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
  const list = await api(`r/${room}/`, { method: 'PROPFIND', headers: { depth: '1' }, body });
  const hrefs = Array.from((await list.text()).matchAll(/<D:href>([^<]+)</g), ([, href]) => href!).slice(1);
  const members = hrefs.map(async (href): Promise<[string, string, boolean]> => {
    const got = await api(href);
    return [href, await got.text(), got.headers.has('schedule-tag')];
  });
  return (await Promise.all(members)).sort();
}

it('vestibule copy keeps names, UIDs and scheduling objects', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const source = await startGateway(t, { users: [{ name: 'anna', password: 'anna', level: 4 }] });
  const target = await startGateway(t);
  const anna = source.as('anna');
  const { email } = (await (await anna('a/whoami')).json()) as { email: string };
  const put = async (path: string, body: string, type: string) => {
    const answer = await anna(path, { method: 'PUT', headers: { 'content-type': type }, body });
    assert.equal(answer.status, 201);
  };
  const calendar = 'text/calendar; charset=utf-8';
  const people = [`ORGANIZER:mailto:${email}`, 'ATTENDEE:mailto:guest@elsewhere.example'];
  await put('r/Calendar/My%20meeting.ics', event('meeting', ...people), calendar);
  await put('r/Calendar/plain.ics', event('plain'), calendar);
  assert.equal((await anna('r/Files/', { method: 'MKCOL' })).status, 201);
  await put('r/Files/first.txt', 'one', 'text/plain');
  const destination = '/svc/r/Files/second%20name.txt';
  assert.equal((await anna('r/Files/first.txt', { method: 'MOVE', headers: { destination } })).status, 201);

  const passwords = join(folder, 'passwords.txt');
  const ends = ['--from', `embedded:${source.dataFolder}`, '--to', `embedded:${target.dataFolder}`];
  const { code, err } = await runCopy([...ends, '--passwords', passwords], {});
  assert.equal(code, 0, err);
  const password = /^anna\t(.*)$/m.exec(await readFile(passwords, 'utf8'))![1]!;
  const there = target.as('anna', password);
  for (const room of ['Calendar', 'Files']) {
    const members = await membersOf(anna, room);
    assert.deepEqual(await membersOf(there, room), members);
    if (room === 'Calendar') assert.deepEqual(members.map(([, , isTagged]) => isTagged).sort(), [false, true]);
    else assert.equal(members[0]![0], destination);
  }
});

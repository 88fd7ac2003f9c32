// PROPFIND on the home, a room, a message, a folder.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, hrefsIn, startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, newRoom, newCalendar } = await startDavWorld({ after });
const TOKENS = '<D:propfind><D:prop><D:sync-token/></D:prop></D:propfind>';

it('The home lists the rooms that one knows, and itself alone at Depth 0', async () => {
  const room = await newRoom();
  assert.deepEqual(hrefsIn(await alice('PROPFIND', 'r/', { depth: '0' })), ['/svc/r/']);
  const [home, ...rooms] = hrefsIn(await alice('PROPFIND', 'r/', { depth: '1' }));
  assert.equal(home, '/svc/r/');
  assert.ok(rooms.includes(`/svc/${room}/`) && rooms.includes('/svc/r/Lobby/'));
  assert.ok(!hrefsIn(await bob('PROPFIND', 'r/', { depth: '1' })).includes(`/svc/${room}/`), 'it is alice’s own');
});

it('A list of rooms tells the tokens of those only that clients keep copies of', async () => {
  const [plain, calendar] = [await newRoom(), await newCalendar()];
  const { text } = await alice('PROPFIND', 'r/', { depth: '1' }, TOKENS);
  const told = (path: string) =>
    new RegExp(`<D:href>/svc/${path}/</D:href><D:propstat><D:prop><D:sync-token>`).test(text);
  assert.deepEqual([told(plain), told(calendar)], [false, true]);
  assert.match((await alice('PROPFIND', `${plain}/`, { depth: '0' }, TOKENS)).text, /<D:sync-token>[^<]/);
});

it('A room lists what lies directly in it, and a folder what lies directly in that', async () => {
  const room = await newRoom('a.txt', 'docs/', 'docs/b.txt', 'docs/in/');
  const at = (...names: string[]) => names.map((name) => `/svc/${room}/${name}`);
  const [itself, ...members] = hrefsIn(await alice('PROPFIND', `${room}/`, { depth: '1' }));
  assert.deepEqual([itself, ...members.sort()], at('', 'a.txt', 'docs/'));
  const [folder, ...inside] = hrefsIn(await alice('PROPFIND', `${room}/docs`, { depth: '1' }));
  assert.deepEqual([folder, ...inside.sort()], at('docs/', 'docs/b.txt', 'docs/in/'));
  assert.deepEqual(hrefsIn(await alice('PROPFIND', `${room}/docs/`, { depth: '0' })), at('docs/'));
  assert.equal((await alice('PROPFIND', `${room}/docs/`)).status, 403, 'infinity');
});

it('What has no members is told at any Depth, as the client spells it', async () => {
  const room = await newRoom('a%20b.txt');
  for (const depth of ['0', '1', 'infinity']) {
    assert.deepEqual(hrefsIn(await alice('PROPFIND', `${room}/a%20b.txt`, { depth })), [`/svc/${room}/a%20b.txt`]);
  }
});

it('What is not there, or not for the caller, is 404', async () => {
  const room = await newRoom('a.txt');
  for (const path of [`${room}/b.txt`, `${room}/docs/`, 'r/Nowhere/', 'r/Nowhere/1']) {
    assert.equal((await alice('PROPFIND', path, { depth: '0' })).status, 404, path);
  }
  assert.equal((await bob('PROPFIND', `${room}/`, { depth: '0' })).status, 404);
});

it('A calendar is listed at Depth infinity, and without a Depth, for it holds no collections', async () => {
  const room = await newCalendar();
  assert.equal((await alice('PUT', `${room}/a.ics`, CALENDAR_TYPE, eventOn('a', '20260710'))).status, 201);
  for (const headers of [{ depth: 'infinity' }, {}]) {
    const told = hrefsIn(await alice('PROPFIND', `${room}/`, headers as Record<string, string>));
    assert.deepEqual(told, [`/svc/${room}/`, `/svc/${room}/a.ics`]);
  }
  assert.equal((await alice('PROPFIND', 'r/Nowhere/', { depth: 'infinity' })).status, 404);
});

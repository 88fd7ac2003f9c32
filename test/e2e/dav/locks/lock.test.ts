// LOCK and UNLOCK.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, bob, newRoom, newCalendar } = await startDavWorld({ after });
const INFO = '<D:lockinfo><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
const lock = (path: string, headers: Record<string, string> = {}) => alice('LOCK', path, headers, INFO);

it('A lock on a free name makes an empty file, where there can be one', async () => {
  const room = await newRoom();
  const made = await lock(`${room}/a.txt`);
  assert.equal(made.status, 201);
  assert.match(made.headers.get('lock-token')!, /^<urn:uuid:[0-9a-f-]{36}>$/);
  assert.equal((await alice('GET', `${room}/a.txt`)).text, '');
  for (const [path, status] of [
    [`${room}/none/a.txt`, 409],
    [`${room}/none/`, 409],
    ['r/Nowhere/a.txt', 409],
    [`${await newCalendar()}/a.ics`, 403],
  ] as const) {
    assert.equal((await lock(path)).status, status, path);
  }
});

it('A lock without a body is one that is refreshed, by the token in If', async () => {
  const room = await newRoom('a.txt');
  const token = (await lock(`${room}/a.txt`, { timeout: 'Second-600' })).headers.get('lock-token')!;
  assert.equal((await alice('LOCK', `${room}/a.txt`)).status, 400);
  const refreshed = await alice('LOCK', `${room}/a.txt`, { if: `(${token})`, timeout: 'Second-1200' });
  assert.equal(refreshed.status, 200);
  assert.match(refreshed.text, /Second-(?:1200|119\d)</);
  assert.equal(refreshed.headers.get('lock-token'), null, 'no new one');
  assert.equal((await alice('LOCK', `${room}/a.txt`, { if: '(<urn:uuid:made-up>)' })).status, 412);
});

it('A lock in the way is named, and is none after UNLOCK', async () => {
  const room = await newRoom('docs/', 'docs/a.txt');
  const token = (await lock(`${room}/docs/`)).headers.get('lock-token')!;
  const second = await lock(`${room}/docs/a.txt`);
  assert.equal(second.status, 423);
  assert.match(second.text, new RegExp(`<D:no-conflicting-lock><D:href>/svc/${room}/docs/</D:href>`));
  const unlock = (path: string, of = token) => alice('UNLOCK', path, { 'lock-token': of });
  const wrong = await unlock(`${room}/docs/`, '<urn:uuid:made-up>');
  assert.equal(wrong.status, 409);
  assert.match(wrong.text, /<D:lock-token-matches-request-uri\/>/);
  assert.equal((await alice('UNLOCK', `${room}/docs/`)).status, 400);
  assert.equal((await unlock(`${room}/docs/`)).status, 204);
  assert.equal((await unlock(`${room}/docs/`)).status, 409, 'once');
  assert.equal((await lock(`${room}/docs/a.txt`)).status, 200);
});

it('A lock is for who may change what it is on', async () => {
  const path = 'r/Town%20Square/';
  assert.equal((await bob('LOCK', path, {}, INFO)).status, 403);
  const calendar = await newCalendar();
  assert.equal((await alice('PUT', `${calendar}/a.ics`, CALENDAR_TYPE, eventOn('a', '20260101'))).status, 201);
  assert.equal((await lock(`${calendar}/a.ics`)).status, 200, 'what is there may be locked anywhere');
});

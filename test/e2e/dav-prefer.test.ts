// What DAV clients would rather have (RFC 7240, RFC 8144): little, no root, or what is kept now.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { eventOn, hrefsIn, startDavWorld } from '../support/dav-world.ts';

const { gateway, alice, newCalendar, newRoom } = await startDavWorld({ after });
const CALENDAR = { 'content-type': 'text/calendar; charset=utf-8' };
const REPRESENTATION = { ...CALENDAR, prefer: 'return=representation' };

it('a PUT is answered with what is kept now, to who prefers that', async () => {
  const room = await newCalendar();
  const path = `${room}/a.ics`;
  const first = eventOn('a', '20260710');
  const made = await alice('PUT', path, REPRESENTATION, first);
  assert.deepEqual([made.status, made.text], [201, first]);
  assert.equal(made.headers.get('content-location'), `/svc/${path}`);
  assert.equal(made.headers.get('preference-applied'), 'return=representation');
  assert.match(made.headers.get('content-type')!, /^text\/calendar/);
  const got = await alice('GET', path);
  assert.equal(made.headers.get('etag'), got.headers.get('etag'));

  const second = eventOn('a', '20260711');
  const ifMatch = { ...REPRESENTATION, 'if-match': made.headers.get('etag')! };
  const replaced = await alice('PUT', path, { ...ifMatch, range: 'bytes=0-4' }, second);
  assert.deepEqual([replaced.status, replaced.text], [200, second], 'conditions and ranges are not about the answer');
});

it('a PUT that comes too late is answered with what is there instead', async () => {
  const room = await newCalendar();
  const path = `${room}/b.ics`;
  const now = eventOn('b', '20260710');
  const { headers } = await alice('PUT', path, CALENDAR, now);
  const stale = { 'if-match': '"1"' };
  const late = await alice('PUT', path, { ...REPRESENTATION, ...stale }, eventOn('b', '20260712'));
  assert.deepEqual([late.status, late.text], [412, now]);
  assert.equal(late.headers.get('etag'), headers.get('etag'));
  assert.equal(late.headers.get('content-location'), `/svc/${path}`);
  assert.equal(late.headers.get('preference-applied'), 'return=representation');

  const plain = await alice('PUT', path, { ...CALENDAR, ...stale }, eventOn('b', '20260712'));
  assert.deepEqual([plain.status, plain.headers.get('preference-applied')], [412, null]);
  const nothing = await alice('PUT', `${room}/c.ics`, { ...REPRESENTATION, ...stale }, eventOn('c', '20260712'));
  assert.deepEqual([nothing.status, nothing.headers.get('preference-applied')], [412, null]);
  assert.equal((await alice('GET', path)).text, now);
});

it('a PUT is answered with nothing to anybody else, and of what is no calendar object or card', async () => {
  const room = await newCalendar();
  for (const prefer of ['x-foo', 'return=minimal', 'x-return=representation']) {
    const name = `${prefer.length}.ics`;
    const put = await alice('PUT', `${room}/${name}`, { ...CALENDAR, prefer }, eventOn(name, '20260710'));
    assert.deepEqual([put.status, put.text], [201, ''], prefer);
    assert.equal(put.headers.get('content-location'), null);
  }
  const files = await newRoom();
  const file = await alice('PUT', `${files}/a.txt`, { prefer: 'return=representation' }, 'text');
  assert.deepEqual([file.status, file.text, file.headers.get('preference-applied')], [201, '', null]);
});

it('a list leaves out the collection itself, to who prefers that', async () => {
  const room = await newRoom('a.txt');
  const href = `/svc/${room}/`;
  const list = (depth: string, prefer: string) => alice('PROPFIND', `${room}/`, { depth, prefer });
  assert.deepEqual(hrefsIn(await list('1', 'x-foo')), [href, `${href}a.txt`]);
  const without = await list('1', 'depth-noroot, return=minimal');
  assert.deepEqual(hrefsIn(without), [`${href}a.txt`]);
  assert.equal(without.headers.get('preference-applied'), 'return=minimal, depth-noroot');
  const alone = await list('0', 'depth-noroot');
  assert.deepEqual([hrefsIn(alone), alone.headers.get('preference-applied')], [[href], null]);
  const home = await alice('PROPFIND', 'r/', { depth: '1', prefer: 'depth-noroot' });
  assert.equal(hrefsIn(home).includes('/svc/r/'), false);
});

it('a report says that it is as short as was preferred', async () => {
  const room = await newCalendar();
  await alice('PUT', `${room}/a.ics`, CALENDAR, eventOn('a', '20260710'));
  const query =
    '<C:calendar-query><D:prop><D:getetag/><D:none/></D:prop>' +
    '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>';
  const short = await alice('REPORT', `${room}/`, { depth: '1', prefer: 'return=minimal' }, query);
  assert.doesNotMatch(short.text, /404/);
  assert.equal(short.headers.get('preference-applied'), 'return=minimal');
  const brief = await alice('REPORT', `${room}/`, { depth: '1', brief: 't' }, query);
  assert.doesNotMatch(brief.text, /404/);
  assert.equal(brief.headers.get('preference-applied'), null);
});

it('nothing of it was a fault', () => assert.deepEqual(gateway.faults, []));

// Multigets: the members of some hrefs.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, newCalendar } = await startDavWorld({ after });
const calendar = await newCalendar();
assert.equal((await alice('PUT', `${calendar}/a%20b.ics`, CALENDAR_TYPE, eventOn('a', '20260110'))).status, 201);
const at = (name: string) => `/svc/${calendar}/${name}`;
const multiget = (hrefs: readonly string[], prop = '<C:calendar-data/>') => {
  const named = hrefs.map((href) => `<D:href>${href}</D:href>`).join('');
  const body = `<C:calendar-multiget><D:prop>${prop}</D:prop>${named}</C:calendar-multiget>`;
  return alice('REPORT', `${calendar}/`, {}, body);
};

it('Each href is answered as it was asked, whichever name of the member it uses', async () => {
  const number = (await alice('HEAD', `${calendar}/a%20b.ics`)).headers.get('etag')!.slice(1, -1);
  const hrefs = [at('a%20b.ics'), at('a%20%62.ics'), at(number)];
  const told = await multiget(hrefs);
  assert.deepEqual(hrefsIn(told).sort(), [...hrefs].sort());
  assert.equal(told.text.match(/UID:a&#13;/g)?.length, 3);
});

it('What is not there, elsewhere, or no address is 404, and takes nothing else with it', async () => {
  const hrefs = [at('gone.ics'), '/svc/r/Lobby/1', '/other/', 'http://other.example/svc/r/', '%', at('')];
  const told = await multiget([...hrefs, at('a%20b.ics')], '<D:getetag/>');
  assert.deepEqual(hrefsIn(told).sort(), [...hrefs, at('a%20b.ics')].sort());
  assert.equal(told.text.match(/404 Not Found/g)?.length, hrefs.length);
});

it('Data may be picked, and is of the room alone that is asked', async () => {
  const event = '<C:comp name="VEVENT"><C:prop name="UID"/></C:comp>';
  const picked = `<C:calendar-data><C:comp name="VCALENDAR">${event}</C:comp></C:calendar-data>`;
  const { text } = await multiget([at('a%20b.ics')], picked);
  assert.match(text, /BEGIN:VEVENT&#13;\nUID:a&#13;\nEND:VEVENT/);
  assert.equal((await multiget([])).status, 400);
});

it('Of a member only itself is told', async () => {
  assert.equal((await alice('PUT', `${calendar}/c.ics`, CALENDAR_TYPE, eventOn('c', '20260111'))).status, 201);
  const hrefs = [at('a%20b.ics'), at('c.ics')].map((href) => `<D:href>${href}</D:href>`).join('');
  const body = `<C:calendar-multiget><D:prop><D:getetag/></D:prop>${hrefs}</C:calendar-multiget>`;
  const { text } = await alice('REPORT', `${calendar}/c.ics`, {}, body);
  assert.match(text, /a%20b.ics<\/D:href><D:status>HTTP\/1.1 404/);
  assert.match(text, /c.ics<\/D:href><D:propstat>/);
});

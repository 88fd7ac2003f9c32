// The web client's formats in a browser, with the modules of the server's own source that they import.

import assert from 'node:assert/strict';
import { after, afterEach, it } from 'node:test';
import { startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

it('calendars are read and changed in a browser by the sources that the server runs', async () => {
  const page = await openAs('alice');
  const changed = await page.evaluate(`(async () => {
    const { newEvent } = await import('../s/formats/calendar-new.js');
    const { readEvents } = await import('../s/formats/calendar.js');
    const { changeEvent } = await import('../s/formats/calendar-change.js');
    const surroundings = { zone: 'Europe/Berlin', now: 0 };
    const from = { day: '2026-03-24', time: '10:00', zone: 'Europe/Berlin' };
    const to = { ...from, time: '11:00' };
    const { text } = newEvent({ title: 'Boiler', from, to, rule: 'FREQ=WEEKLY;COUNT=3' }, surroundings);
    const said = (one) => one.firstDay + ' ' + one.startTime + ' ' + one.title;
    const events = (text) => readEvents(text, 0, 4e9, 'UTC').map(said);
    const [, second] = readEvents(text, 0, 4e9, 'UTC');
    return events(changeEvent(text, { title: 'Moved' }, 'this', second, surroundings).text);
  })()`);
  assert.deepEqual(changed, ['2026-03-24 09:00 Boiler', '2026-03-31 08:00 Moved', '2026-04-07 08:00 Boiler']);
});

it('a source that is given out is packed, kept by its tag, and no other is', async () => {
  const path = `${gateway.url}svc/src/mime/objects/occurrences.ts`;
  const first = await fetch(path, { headers: { 'accept-encoding': 'br' } });
  assert.equal(first.status, 200);
  assert.match(first.headers.get('content-type')!, /^text\/javascript/);
  assert.equal(first.headers.get('content-encoding'), 'br');
  assert.doesNotMatch(await first.text(), /export interface/);
  const headers = { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag')! };
  assert.equal((await fetch(path, { headers })).status, 304);
  for (const other of ['serve/start.ts', 'mime/headers.ts', 'mime/objects/../headers.ts', 'mime/objects/']) {
    assert.equal((await fetch(`${gateway.url}svc/src/${other}`)).status, 404, other);
  }
});

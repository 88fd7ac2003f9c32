// khal, of Debian's package of this name, with vdirsyncer: the calendar of a terminal and that of the server.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { event, startDavSite } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';
import { syncedFolders } from '../support/synced-folders.ts';

needPrograms(
  [
    ['vdirsyncer', '--version'],
    ['khal', '--version'],
  ],
  'vdirsyncer khal',
);
const site = await startDavSite({ after });
const home = await newHome({ after });
const url = await site.newCalendar('terminal');
const { here, filesOf, sync } = await syncedFolders(home, 'cal', site.url, ['terminal']);

await mkdir(join(home.folder, '.config/khal'), { recursive: true });
await writeFile(
  join(home.folder, '.config/khal/config'),
  `[calendars]
[[terminal]]
path = ${here('terminal')}
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = Europe/Berlin
default_timezone = Europe/Berlin
[default]
default_calendar = terminal
`,
);
const khal = (words: string[], input = '') => home.must('khal', words, input);
const listed = async (from: string, days: number) =>
  (await khal(['list', '--day-format', '', '--format', '{start} {title}', from, `${days}d`])).trim().split(/\n+/);

/** the member that has an event: khal calls its file by the UID, and vdirsyncer the member likewise */
async function memberWith(summary: string): Promise<string> {
  for (const name of await site.names(url)) {
    if ((await site.textOf(url + name)).includes(`SUMMARY:${summary}`)) return url + name;
  }
  throw new Error(`there is no ${summary}`);
}
/** what the web client shows of an event */
async function shown(summary: string): Promise<string> {
  const answer = await site.ask('GET', `${await memberWith(summary)}/json`);
  return ((await answer.json()) as { text: string }).text;
}
/** the instants that the server finds in a span, each instance of a series by itself */
async function instants(start: string, end: string): Promise<string[]> {
  const span = `start="${start}" end="${end}"`;
  const range = `<C:time-range ${span}/>`;
  const filter = `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter>`;
  const data = `<D:prop><C:calendar-data><C:expand ${span}/></C:calendar-data></D:prop>`;
  const spaces = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
  const body = `<C:calendar-query ${spaces}>${data}<C:filter>${filter}</C:filter></C:calendar-query>`;
  const answer = await (await site.ask('REPORT', url, { headers: { depth: '1' }, body })).text();
  return Array.from(answer.matchAll(/^DTSTART:(\w+)/gm), ([, start]) => start!).sort();
}

describe('khal', () => {
  it('adds an event in a zone, one of days, and a series', async () => {
    await khal(['new', '2026-12-01', '09:00', '10:30', 'America/New_York', 'Grüße & <call>', '::', 'two words']);
    await khal(['new', '2026-12-05', '2026-12-07', 'Trip']);
    await khal(['new', '2026-10-21', '09:00', '09:30', '-r', 'weekly', '-u', '2026-11-05', 'Weekly']);
    await sync();
    assert.deepEqual(await site.names(url), filesOf('terminal'));
    assert.match(
      await shown('Grüße'),
      /Grüße &amp; &lt;call&gt;.*1 December 2026, 09:00 – 10:30 \(America\/New_York\).*two words/,
    );
    assert.match(await shown('Trip'), /Saturday, 5 December 2026 – Monday, 7 December 2026/);
    assert.deepEqual(await instants('20261201T000000Z', '20261202T000000Z'), ['20261201T140000Z']);
    // nine o'clock in Berlin before and after its summer time ends
    assert.deepEqual(await instants('20261001T000000Z', '20261201T000000Z'), [
      '20261021T070000Z',
      '20261028T080000Z',
      '20261104T080000Z',
    ]);
    assert.doesNotMatch(await sync(), /Copying|Deleting/);
  });

  it('edits an event', async () => {
    await khal(['edit', '--show-past', 'Grüße'], 's\nMoved call\nt\n2026-12-01 11:00 12:00\nl\nRoom 5\nn\n');
    await sync();
    // it writes the time without its zone
    assert.match(await shown('Moved call'), /1 December 2026, 11:00 – 12:00<.*Room 5/);
    assert.deepEqual(await instants('20261201T000000Z', '20261202T000000Z'), ['20261201T110000']);
    assert.equal((await site.names(url)).length, 3);
  });

  it('is shown what has changed there', async () => {
    const weekly = await memberWith('Weekly');
    const text = await site.textOf(weekly);
    await site.store(
      weekly,
      text
        .replace(/(?=RRULE)/, 'EXDATE;TZID=Europe/Berlin:20261028T090000\r\n')
        .replace('SUMMARY:Weekly', 'SUMMARY:Rare'),
    );
    await site.store(`${url}there.ics`, event('khal-there', 'From there', '20261210'));
    assert.ok((await site.ask('DELETE', await memberWith('Trip'))).ok);
    await sync();
    assert.deepEqual(await listed('2026-10-20', 60), [
      '2026-10-21 09:00 Rare',
      '2026-11-04 09:00 Rare',
      '2026-12-01 11:00 Moved call',
      '2026-12-10 11:00 From there',
    ]);
  });

  it('deletes an event', async () => {
    await khal(['edit', '--show-past', 'Moved'], 'D\ny\n');
    await sync();
    await assert.rejects(memberWith('Moved'));
    assert.equal((await site.names(url)).length, 2);
  });
});

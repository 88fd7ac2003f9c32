// python3-caldav, of Debian's package of this name: the library behind scripts and importers. What its user is shown
// is compared with what the server has. Each test goes on where the one before it ended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { event, startDavSite } from '../support/dav-site.ts';
import { needPrograms, stepsOf } from '../support/programs.ts';

const PYTHON = '/usr/bin/python3';
needPrograms([[PYTHON, '-c', 'import caldav']], 'python3-caldav');

const site = await startDavSite({ after });
const driver = fileURLToPath(new URL('../support/caldav-driver.py', import.meta.url));
const child = spawn(PYTHON, [driver, site.url], { stdio: ['pipe', 'pipe', 'inherit'] });
const shown = stepsOf({ after }, child);

const same = (url: unknown) => decodeURIComponent(new URL(String(url), site.url).href);
const urls = (list: unknown) => (list as string[]).map(same);

const sorted = (text: string) => text.split('\r\n').sort();

function todo(uid: string, summary: string): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Vestibule//tests//EN', 'BEGIN:VTODO', `UID:${uid}`];
  const rest = ['DTSTAMP:20260101T000000Z', `SUMMARY:${summary}`, 'END:VTODO', 'END:VCALENDAR', ''];
  return [...lines, ...rest].join('\r\n');
}

describe('python3-caldav', () => {
  let url = '';

  it('makes a calendar, names and colours it, and finds it again', async () => {
    url = same(await shown('make', 'Made by Python', 'py-made', ['VEVENT']));
    assert.equal(url, `${site.calendars}py-made/`);
    assert.deepEqual(await shown('describe', 'Grüße & <more>', '#33ccff'), ['Grüße & <more>', '#33ccff']);
    const calendars = (await shown('calendars')) as [string, string][];
    const found = calendars.find(([each]) => same(each) === url);
    assert.equal(found?.[1], 'Grüße & <more>');
  });

  it('stores events and shows what is there', async () => {
    const stored = event('py-1', 'One', '20260710');
    assert.equal(same(await shown('event', stored)), `${url}py-1.ics`);
    // the library itself brings properties into an order of its own
    assert.deepEqual(sorted(await site.textOf(`${url}py-1.ics`)), sorted(stored));
    await site.store(`${url}other-name.ics`, event('py-2', 'Two', '20260711'));
    assert.deepEqual(await shown('all_events'), [
      ['py-1', 'One', '20260710T100000Z'],
      ['py-2', 'Two', '20260711T100000Z'],
    ]);
    assert.deepEqual(await shown('by_uid', 'py-2'), [['py-2', 'Two', '20260711T100000Z']]);
  });

  it('searches a span of time, and has what recurs expanded', async () => {
    await shown(
      'event',
      event('py-week', 'Weekly', '20260706', ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20260713T100000Z']),
    );
    assert.deepEqual(await shown('search', '20260711T000000Z', '20260725T000000Z', false), [
      ['py-2', 'Two', '20260711T100000Z'],
      ['py-week', 'Weekly', '20260706T100000Z'],
    ]);
    assert.deepEqual(await shown('search', '20260711T000000Z', '20260730T000000Z', true), [
      ['py-2', 'Two', '20260711T100000Z'],
      ['py-week', 'Weekly', '20260720T100000Z'],
      ['py-week', 'Weekly', '20260727T100000Z'],
    ]);
    assert.deepEqual(await shown('search', '20260712T000000Z', '20260719T000000Z', false), []);
  });

  it('is told what has changed since it looked', async () => {
    assert.deepEqual(
      urls(await shown('watch')),
      ['other-name.ics', 'py-1.ics', 'py-week.ics'].map((name) => url + name),
    );
    await site.store(`${url}py-1.ics`, event('py-1', 'Changed elsewhere', '20260710'));
    await site.store(`${url}py-3.ics`, event('py-3', 'Made elsewhere', '20260712'));
    assert.ok((await site.ask('DELETE', `${url}py-week.ics`)).ok);
    const [updated, deleted, all] = (await shown('changes')) as [string[], string[], unknown];
    assert.deepEqual(
      urls(updated),
      ['py-1.ics', 'py-3.ics'].map((name) => url + name),
    );
    assert.deepEqual(urls(deleted), [`${url}py-week.ics`]);
    assert.deepEqual(all, [
      ['py-1', 'Changed elsewhere', '20260710T100000Z'],
      ['py-2', 'Two', '20260711T100000Z'],
      ['py-3', 'Made elsewhere', '20260712T100000Z'],
    ]);
    const [again, gone] = (await shown('changes')) as [string[], string[]];
    assert.deepEqual([again, gone], [[], []]);
  });

  it('edits an event under the name it has', async () => {
    await shown('edit', 'py-2', 'Two', 'Edited');
    assert.match(await site.textOf(`${url}other-name.ics`), /SUMMARY:Edited/);
    assert.deepEqual(await site.names(url), ['other-name.ics', 'py-1.ics', 'py-3.ics']);
  });

  it('shows when one is busy', async () => {
    const data = (await shown('busy', '20260711T000000Z', '20260712T000000Z')) as string;
    assert.match(data, /FREEBUSY[^\r\n]*:20260711T100000Z\/(20260711T110000Z|PT1H)/);
    assert.doesNotMatch(data, /20260710T|20260712T10/);
  });

  it('deletes an event, and the calendar', async () => {
    await shown('delete', 'py-2');
    assert.deepEqual(await site.names(url), ['py-1.ics', 'py-3.ics']);
    await shown('delete_calendar');
    assert.equal((await site.ask('PROPFIND', url, { headers: { depth: '0' } })).status, 404);
  });

  it('keeps a list of tasks', async () => {
    url = same(await shown('make', 'Tasks of Python', 'py-tasks', ['VTODO']));
    await shown('todo', todo('py-milk', 'Milk'));
    await shown('todo', todo('py-bread', 'Bread'));
    assert.deepEqual(((await shown('open_todos')) as string[]).sort(), ['Bread', 'Milk']);
    await shown('complete', 'Milk');
    assert.deepEqual(await shown('open_todos'), ['Bread']);
    assert.match(await site.textOf(`${url}py-milk.ics`), /STATUS:COMPLETED/);
  });
});

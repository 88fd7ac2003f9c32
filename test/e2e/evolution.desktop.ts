// Evolution's own engine, Debian's evolution-data-server, without its windows: discovery, a calendar and an address
// book that it and others change. It has nobody to ask for a password here: a proxy adds it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AUTHORIZATION } from '../../scripts/bench/dav-peer.ts';
import { contact } from '../support/calendar-object.ts';
import { event, startDavSite, startOvertaker } from '../support/dav-site.ts';
import { eventually } from '../support/eventually.ts';
import { needPrograms, newHome, stepsOf } from '../support/programs.ts';

const PYTHON = '/usr/bin/python3';
const PROBE = "import gi\nfor name in ('ECal-2.0', 'EBook-1.2'): gi.require_version(*name.split('-'))";
needPrograms(
  [
    ['dbus-run-session', '--version'],
    [PYTHON, '-c', PROBE],
  ],
  'evolution-data-server gir1.2-ecal-2.0 gir1.2-ebook-1.2 python3-gi dbus-bin dbus-daemon',
);
const site = await startDavSite({ after });
const proxy = await startOvertaker({ after }, site.url, AUTHORIZATION);
const { folder } = await newHome({ after });
const throughProxy = (url: string) => proxy.origin + new URL(url).pathname;
const driver = fileURLToPath(new URL('../support/evolution-driver.py', import.meta.url));
const folders = { HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') };
const child = spawn('dbus-run-session', ['--', PYTHON, driver], {
  env: { ...process.env, ...folders, XDG_CACHE_HOME: join(folder, 'cache'), XDG_RUNTIME_DIR: folder },
  stdio: ['pipe', 'pipe', 'ignore'],
});
const shown = stepsOf({ after }, child);
const CONTACTS = 1;
const EVENTS = 2;

describe("Evolution's engine", async () => {
  const calendar = await site.newCalendar('evo');
  const book = await site.newAddressBook('evo-people');

  it('finds a calendar and an address book from the address of the server', async () => {
    const found = (await shown('discover', throughProxy(site.url))) as [string, number][];
    const kindsOf = (url: string) => found.find(([href]) => new URL(href).pathname === new URL(url).pathname)?.[1] ?? 0;
    assert.equal(kindsOf(calendar) & EVENTS, EVENTS, JSON.stringify(found));
    assert.equal(kindsOf(book) & CONTACTS, CONTACTS, JSON.stringify(found));
  });

  it('shows a calendar, and writes to it', async () => {
    await site.store(`${calendar}one.ics`, event('evo-1', 'One', '20260710'));
    assert.deepEqual(await shown('open_calendar', throughProxy(calendar)), [true, false]);
    await eventually(() => shown('events'), [['evo-1', 'One']]);
    const component = /BEGIN:VEVENT.*END:VEVENT\r\n/s.exec(event('evo-2', 'Made here', '20260711'))![0];
    assert.equal(await shown('add_event', component), 'evo-2');
    await shown('rename_event', 'evo-2', 'Edited here');
    const mine = (await site.names(calendar)).filter((name) => name !== 'one.ics');
    assert.equal(mine.length, 1);
    assert.match(await site.textOf(calendar + encodeURIComponent(mine[0]!)), /SUMMARY:Edited here/);
  });

  it('shows what others change there', async () => {
    await site.store(`${calendar}one.ics`, event('evo-1', 'Edited there', '20260710'));
    await site.store(`${calendar}three.ics`, event('evo-3', 'Made there', '20260712'));
    const expected = [
      ['evo-1', 'Edited there'],
      ['evo-2', 'Edited here'],
      ['evo-3', 'Made there'],
    ];
    await eventually(() => shown('events'), expected);
    assert.ok((await site.ask('DELETE', `${calendar}one.ics`)).ok);
    await shown('remove_event', 'evo-2');
    await eventually(() => shown('events'), [['evo-3', 'Made there']]);
    assert.deepEqual(await site.names(calendar), ['three.ics']);
  });

  it('shows an address book, writes to it, and shows what others change', async () => {
    await site.store(`${book}ann.vcf`, contact('evo-ann', 'Ann'));
    assert.deepEqual(await shown('open_book', throughProxy(book)), [true, false]);
    await eventually(() => shown('contacts'), ['Ann']);
    const uid = await shown('add_contact', contact('evo-eva', 'Eva'));
    await shown('rename_contact', uid, 'Eva Edited');
    const mine = (await site.names(book)).filter((name) => name !== 'ann.vcf');
    assert.equal(mine.length, 1);
    assert.match(await site.textOf(book + encodeURIComponent(mine[0]!)), /Eva Edited/);
    await site.store(`${book}ann.vcf`, contact('evo-ann', 'Ann Edited'));
    await eventually(() => shown('contacts'), ['Ann Edited', 'Eva Edited']);
    await shown('remove_contact', uid);
    await eventually(() => shown('contacts'), ['Ann Edited']);
    assert.deepEqual(await site.names(book), ['ann.vcf']);
  });
});

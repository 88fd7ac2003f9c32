// calcurse, a calendar in the terminal, and its calcurse-caldav: Debian's packages calcurse and python3-httplib2. The
// appointments of the terminal and a calendar, kept equal both ways.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { event, startDavSite } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';

const PYTHON = '/usr/bin/python3';
const PROGRAM = '/usr/bin/calcurse-caldav';
needPrograms(
  [
    ['calcurse', '--version'],
    [PYTHON, '-c', 'import httplib2'],
  ],
  'calcurse python3-httplib2',
);
const site = await startDavSite({ after });
const { folder, must } = await newHome({ after });
const url = await site.newCalendar('terminal');

const data = join(folder, 'data');
const settings = join(folder, 'config');
const words = (...more: string[]) => [
  ...[PROGRAM, '--config', settings, '--datadir', data, '--lockfile', join(folder, 'lock')],
  ...['--syncdb', join(folder, 'sync.db'), '--hookdir', join(folder, 'hooks'), ...more],
];
const sync = (...more: string[]) => must(PYTHON, words(...more));
const calcurse = (...more: string[]) => must('calcurse', ['--datadir', data, ...more]);
/** what the terminal shows of July 2026 */
const july = () => calcurse('--query', '--from', '07/01/2026', '--days', '31');

describe('calcurse-caldav', () => {
  it('reads what is there and brings what is new here', async () => {
    const { host, pathname } = new URL(url);
    const general = `[General]\nBinary = calcurse\nHostname = ${host}\nPath = ${pathname}\nHTTPS = No\n`;
    await writeFile(
      settings,
      `${general}AuthMethod = basic\nDryRun = No\n[Auth]\nUsername = alice\nPassword = alice\n`,
    );
    await mkdir(data);
    await mkdir(join(folder, 'hooks'));
    await site.store(`${url}there.ics`, event('cal-there', 'From there', '20260710'));
    await sync('--init', 'two-way');
    assert.match(await july(), /From there/);
    await writeFile(join(folder, 'new.ics'), event('cal-here', 'From here', '20260711'));
    await calcurse('--import', join(folder, 'new.ics'));
    await sync();
    const names = await site.names(url);
    assert.equal(names.length, 2);
    const name = names.find((each) => each !== 'there.ics')!;
    assert.match(await site.textOf(url + encodeURIComponent(name)), /SUMMARY:From here/);
    assert.doesNotMatch(await sync(), /^[1-9]\d* items? (?:imported|pushed)/m);
    assert.equal((await site.names(url)).length, 2);
  });

  it('follows edits and deletions there', async () => {
    await site.store(`${url}there.ics`, event('cal-there', 'Edited there', '20260710'));
    await sync();
    assert.match(await july(), /Edited there/);
    assert.doesNotMatch(await july(), /From there/);
    assert.ok((await site.ask('DELETE', `${url}there.ics`)).ok);
    await sync();
    assert.doesNotMatch(await july(), /Edited there/);
    assert.match(await july(), /From here/);
  });
});

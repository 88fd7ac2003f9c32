// todoman, of Debian's package of this name, with vdirsyncer: the list of tasks of a terminal and that of the server.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startDavSite } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';
import { syncedFolders } from '../support/synced-folders.ts';

needPrograms(
  [
    ['vdirsyncer', '--version'],
    ['todoman', '--version'],
  ],
  'vdirsyncer todoman',
);
const site = await startDavSite({ after });
const home = await newHome({ after });
const url = await site.newCalendar('chores', 'VTODO');
const { here, filesOf, read, sync } = await syncedFolders(home, 'cal', site.url, ['chores']);

await mkdir(join(home.folder, '.config/todoman'), { recursive: true });
await writeFile(
  join(home.folder, '.config/todoman/config.py'),
  `path = "${here('*')}"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_list = "chores"\n`,
);
const todoman = (...words: string[]) => home.must('todoman', words, '', { TZ: 'Europe/Berlin' });

interface Task {
  id: number;
  summary: string;
  due: number | null;
  completed: boolean;
}
/** what the user sees */
const listed = async () =>
  JSON.parse(await todoman('--porcelain', 'list', '--status', 'ANY', '--sort', 'id')) as Task[];
const idOf = async (summary: string) => String((await listed()).find((task) => task.summary === summary)!.id);
const textHere = (summary: string) =>
  filesOf('chores')
    .map((file) => read('chores', file))
    .find((text) => text.includes(`SUMMARY:${summary}`))!;
/** the member with a task: vdirsyncer does not call it as the file here */
async function memberWith(summary: string): Promise<string> {
  for (const name of await site.names(url)) {
    const member = url + encodeURIComponent(name);
    if ((await site.textOf(member)).includes(`SUMMARY:${summary}`)) return member;
  }
  throw new Error(`there is no ${summary}`);
}
/** what the web client shows of a task */
async function shown(summary: string): Promise<string> {
  const answer = await site.ask('GET', `${await memberWith(summary)}/json`);
  return ((await answer.json()) as { text: string }).text;
}

describe('todoman', () => {
  it('adds tasks, due at a time, on a day, and of both kinds', async () => {
    await todoman('new', '-d', '2026-12-24 18:00', 'Äpfel & <nuts>');
    await todoman('new', '-d', '2026-12-24', 'Bake');
    await todoman('new', '-s', '2026-12-20', '-d', '2026-12-24 12:00', 'Gifts'); // DTSTART a date, DUE a time
    await todoman('new', '-s', '2026-12-24 08:00', '-d', '2026-12-24', 'Tree'); // and the reverse
    await sync();
    for (const summary of ['Äpfel', 'Bake', 'Gifts', 'Tree']) {
      assert.equal(await site.textOf(await memberWith(summary)), textHere(summary));
    }
    assert.match(await shown('Äpfel'), /Äpfel &amp; &lt;nuts&gt;.*24 December 2026, 17:00/);
    assert.match(await shown('Bake'), /Due: Thursday, 24 December 2026</);
    assert.match(await shown('Gifts'), /20 December 2026.*24 December 2026, 11:00/);
    assert.match(await shown('Tree'), /24 December 2026, 07:00.*Due: Thursday, 24 December 2026</);
    assert.doesNotMatch(await sync(), /Copying|Deleting/);
  });

  it('edits a task and completes one', async () => {
    await todoman('edit', '--due', '2026-12-23', '--priority', 'high', '--location', 'Küche', await idOf('Bake'));
    await todoman('done', await idOf('Gifts'));
    await sync();
    assert.match(await shown('Bake'), /Due: Wednesday, 23 December 2026/);
    assert.match(await site.textOf(await memberWith('Bake')), /LOCATION:Küche/);
    assert.match(await site.textOf(await memberWith('Gifts')), /STATUS:COMPLETED/);
    assert.match(await shown('Gifts'), /completed/i);
    assert.equal((await site.names(url)).length, 4);
  });

  it('is shown what has changed there', async () => {
    const bake = await memberWith('Bake');
    await site.store(bake, (await site.textOf(bake)).replace('SUMMARY:Bake', 'SUMMARY:Bake bread'));
    assert.ok((await site.ask('DELETE', await memberWith('Tree'))).ok);
    await sync();
    const tasks = await listed();
    assert.deepEqual(tasks.map((task) => task.summary).sort(), ['Bake bread', 'Gifts', 'Äpfel & <nuts>']);
    assert.deepEqual(
      tasks.filter((task) => task.completed).map((task) => task.summary),
      ['Gifts'],
    );
  });

  it('deletes a task', async () => {
    await todoman('delete', '--yes', await idOf('Gifts'));
    await sync();
    assert.equal((await site.names(url)).length, 2);
    await assert.rejects(memberWith('Gifts'));
  });
});

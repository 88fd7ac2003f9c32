// vdirsyncer, of Debian's package of this name: a folder of files and a collection, kept equal both ways.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { contact } from '../support/calendar-object.ts';
import { event, startDavSite, startOvertaker } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';
import { type SyncedFolders, syncedFolders } from '../support/synced-folders.ts';

needPrograms([['vdirsyncer', '--version']], 'vdirsyncer');
const site = await startDavSite({ after });
const home = await newHome({ after });
const overtaker = await startOvertaker({ after }, site.url);

/** Where a user begins: the address of the server, or what its documentation says. */
const beginning = overtaker.origin + new URL(site.url).pathname;
/** XML has one kind of line end (XML 1.0 section 2.11); what a parser hands on may have lost the other */
const lines = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();

for (const kind of ['cal', 'card'] as const) {
  const extension = kind === 'cal' ? '.ics' : '.vcf';
  const data = (uid: string, text: string) => (kind === 'cal' ? event(uid, text, '20260710') : contact(uid, text));
  const name = `sync-${kind}`;
  const made = `made-${kind}`;
  let url = '';
  let folders: SyncedFolders;

  describe(`vdirsyncer, ${kind === 'cal' ? 'calendars' : 'contacts'}`, () => {
    it('finds a collection, makes another, and copies both ways', async () => {
      url = await (kind === 'cal' ? site.newCalendar(name) : site.newAddressBook(name));
      await site.store(`${url}there${extension}`, data('there', 'Grüße & <more>'));
      folders = await syncedFolders(home, kind, beginning, [name, made]);
      await writeFile(folders.here(name, `here${extension}`), data('here', 'From here'));
      await writeFile(folders.here(made, `one${extension}`), data('one', 'The first'));
      await folders.sync();

      assert.equal(folders.filesOf(name).length, 2);
      const arrived = folders.filesOf(name).find((file) => file.includes('there'))!;
      assert.equal(lines(folders.read(name, arrived)), lines(data('there', 'Grüße & <more>')));
      assert.equal((await site.names(url)).length, 2);
      assert.equal(await site.textOf(`${url}here${extension}`), data('here', 'From here'));
      const parent = kind === 'cal' ? site.calendars : site.contacts;
      assert.equal(await site.textOf(`${parent}${made}/one${extension}`), data('one', 'The first'));
    });

    it('copies an edit either way to the same member, and then nothing', async () => {
      const arrived = folders.filesOf(name).find((file) => file.includes('there'))!;
      await writeFile(folders.here(name, arrived), data('there', 'Edited here'));
      await site.store(`${url}here${extension}`, data('here', 'Edited there'));
      await folders.sync();
      assert.equal(lines(await site.textOf(`${url}there${extension}`)), lines(data('there', 'Edited here')));
      assert.equal(lines(folders.read(name, `here${extension}`)), lines(data('here', 'Edited there')));
      assert.deepEqual(folders.filesOf(name).length, 2);
      assert.deepEqual((await site.names(url)).length, 2);
      assert.doesNotMatch(await folders.sync(), /Copying|Deleting/);
    });

    it('loses no edit that was made between its reading and its writing', async () => {
      await writeFile(folders.here(name, `here${extension}`), data('here', 'Too late'));
      overtaker.beforeNext('PUT', () => site.store(`${url}here${extension}`, data('here', 'Faster')));
      const { code, out } = await home.run('vdirsyncer', folders.words('sync'));
      assert.equal(code, 1, out);
      assert.match(out, /Precondition Failed|412/);
      assert.equal(await site.textOf(`${url}here${extension}`), data('here', 'Faster'));
      // both have changed: the one there wins, as the settings say
      await folders.sync();
      assert.equal(lines(folders.read(name, `here${extension}`)), lines(data('here', 'Faster')));
      assert.equal((await site.names(url)).length, 2);
    });

    it('deletes either way', async () => {
      const arrived = folders.filesOf(name).find((file) => file.includes('there'))!;
      rmSync(folders.here(name, arrived));
      await folders.sync();
      assert.equal((await site.names(url)).length, 1);
      assert.equal((await site.ask('DELETE', `${url}here${extension}`)).status < 300, true);
      // it does not empty a whole collection unasked
      await site.store(`${url}last${extension}`, data('last', 'Stays'));
      await folders.sync();
      assert.deepEqual(folders.filesOf(name).length, 1);
      assert.equal(lines(folders.read(name, folders.filesOf(name)[0]!)), lines(data('last', 'Stays')));
    });

    it('keeps names and colours equal', async () => {
      await home.must('vdirsyncer', folders.words('metasync')); // whatever it is called there
      await writeFile(folders.here(name, 'displayname'), 'Name & ünit');
      if (kind === 'cal') await writeFile(folders.here(name, 'color'), '#12ab9f');
      await home.must('vdirsyncer', folders.words('metasync'));
      const properties = '<displayname/><calendar-color xmlns="http://apple.com/ns/ical/"/>';
      const body = `<propfind xmlns="DAV:"><prop>${properties}</prop></propfind>`;
      const told = await (await site.ask('PROPFIND', url, { headers: { depth: '0' }, body })).text();
      assert.match(told, /Name &amp; ünit|CDATA\[Name & ünit/);
      if (kind === 'cal') assert.match(told, /#12ab9f/i);
      const other = '<prop><displayname>Other</displayname></prop>';
      const update = `<propertyupdate xmlns="DAV:"><set>${other}</set></propertyupdate>`;
      assert.equal((await site.ask('PROPPATCH', url, { body: update })).status, 207);
      await home.must('vdirsyncer', folders.words('metasync'));
      assert.equal(readFileSync(folders.here(name, 'displayname'), 'utf8').trim(), 'Other');
    });
  });
}

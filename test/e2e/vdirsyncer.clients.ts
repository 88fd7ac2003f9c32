// vdirsyncer, of Debian's package of this name: a folder of files and a collection, kept equal both ways.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { contact } from '../support/calendar-object.ts';
import { event, startDavSite, startOvertaker } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';

needPrograms([['vdirsyncer', '--version']], 'vdirsyncer');
const site = await startDavSite({ after });
const { folder, run, must } = await newHome({ after });
const overtaker = await startOvertaker({ after }, site.url);

const KINDS = {
  cal: { type: 'caldav', extension: '.ics', metadata: ['color', 'displayname'] },
  card: { type: 'carddav', extension: '.vcf', metadata: ['displayname'] },
} as const;
type Kind = keyof typeof KINDS;

/** Where a user begins: the address of the server, or what its documentation says. */
const beginning = overtaker.origin + new URL(site.url).pathname;
/** that of a file in the folder `name` here */
const here = (kind: Kind, ...names: string[]) => join(folder, kind, ...names);
const filesOf = (kind: Kind, name: string) =>
  readdirSync(here(kind, name))
    .filter((each) => each.endsWith(KINDS[kind].extension))
    .sort();
const read = (kind: Kind, name: string, file: string) => readFileSync(here(kind, name, file), 'utf8');
/** XML has one kind of line end (XML 1.0 section 2.11); what a parser hands on may have lost the other */
const lines = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();

async function configure(kind: Kind, collections: string[]): Promise<void> {
  const { type, extension, metadata } = KINDS[kind];
  const text = `[general]
status_path = "${folder}/status-${kind}/"
[pair ${kind}]
a = "${kind}_here"
b = "${kind}_there"
collections = ${JSON.stringify(collections)}
metadata = ${JSON.stringify(metadata)}
conflict_resolution = "b wins"
[storage ${kind}_here]
type = "filesystem"
path = "${here(kind)}/"
fileext = "${extension}"
[storage ${kind}_there]
type = "${type}"
url = "${beginning}"
username = "alice"
password = "alice"
`;
  await mkdir(here(kind), { recursive: true });
  await writeFile(join(folder, `${kind}.config`), text);
}

const words = (kind: Kind, ...rest: string[]) => ['--config', join(folder, `${kind}.config`), ...rest];
const sync = (kind: Kind) => must('vdirsyncer', words(kind, 'sync'));

for (const kind of ['cal', 'card'] as const) {
  const { extension } = KINDS[kind];
  const data = (uid: string, text: string) => (kind === 'cal' ? event(uid, text, '20260710') : contact(uid, text));
  const name = `sync-${kind}`;
  const made = `made-${kind}`;
  let url = '';

  describe(`vdirsyncer, ${kind === 'cal' ? 'calendars' : 'contacts'}`, () => {
    it('finds a collection, makes another, and copies both ways', async () => {
      url = await (kind === 'cal' ? site.newCalendar(name) : site.newAddressBook(name));
      await site.store(`${url}there${extension}`, data('there', 'Grüße & <more>'));
      await configure(kind, [name, made]);
      // it asks whether to make what is not there
      await must('vdirsyncer', words(kind, 'discover'), 'y\n'.repeat(9));
      await mkdir(here(kind, name), { recursive: true });
      await writeFile(here(kind, name, `here${extension}`), data('here', 'From here'));
      await writeFile(here(kind, made, `one${extension}`), data('one', 'The first'));
      await sync(kind);

      assert.equal(filesOf(kind, name).length, 2);
      const arrived = filesOf(kind, name).find((file) => file.includes('there'))!;
      assert.equal(lines(read(kind, name, arrived)), lines(data('there', 'Grüße & <more>')));
      assert.equal((await site.names(url)).length, 2);
      assert.equal(await site.textOf(`${url}here${extension}`), data('here', 'From here'));
      const home = kind === 'cal' ? site.calendars : site.contacts;
      assert.equal(await site.textOf(`${home}${made}/one${extension}`), data('one', 'The first'));
    });

    it('copies an edit either way to the same member, and then nothing', async () => {
      const arrived = filesOf(kind, name).find((file) => file.includes('there'))!;
      await writeFile(here(kind, name, arrived), data('there', 'Edited here'));
      await site.store(`${url}here${extension}`, data('here', 'Edited there'));
      await sync(kind);
      assert.equal(lines(await site.textOf(`${url}there${extension}`)), lines(data('there', 'Edited here')));
      assert.equal(lines(read(kind, name, `here${extension}`)), lines(data('here', 'Edited there')));
      assert.deepEqual(filesOf(kind, name).length, 2);
      assert.deepEqual((await site.names(url)).length, 2);
      assert.doesNotMatch(await sync(kind), /Copying|Deleting/);
    });

    it('loses no edit that was made between its reading and its writing', async () => {
      await writeFile(here(kind, name, `here${extension}`), data('here', 'Too late'));
      overtaker.beforeNext('PUT', () => site.store(`${url}here${extension}`, data('here', 'Faster')));
      const { code, out } = await run('vdirsyncer', words(kind, 'sync'));
      assert.equal(code, 1, out);
      assert.match(out, /Precondition Failed|412/);
      assert.equal(await site.textOf(`${url}here${extension}`), data('here', 'Faster'));
      // both have changed: the one there wins, as the settings say
      await sync(kind);
      assert.equal(lines(read(kind, name, `here${extension}`)), lines(data('here', 'Faster')));
      assert.equal((await site.names(url)).length, 2);
    });

    it('deletes either way', async () => {
      const arrived = filesOf(kind, name).find((file) => file.includes('there'))!;
      rmSync(here(kind, name, arrived));
      await sync(kind);
      assert.equal((await site.names(url)).length, 1);
      assert.equal((await site.ask('DELETE', `${url}here${extension}`)).status < 300, true);
      // it does not empty a whole collection unasked
      await site.store(`${url}last${extension}`, data('last', 'Stays'));
      await sync(kind);
      assert.deepEqual(filesOf(kind, name).length, 1);
      assert.equal(lines(read(kind, name, filesOf(kind, name)[0]!)), lines(data('last', 'Stays')));
    });

    it('keeps names and colours equal', async () => {
      await must('vdirsyncer', words(kind, 'metasync')); // whatever it is called there
      await writeFile(here(kind, name, 'displayname'), 'Name & ünit');
      if (kind === 'cal') await writeFile(here(kind, name, 'color'), '#12ab9f');
      await must('vdirsyncer', words(kind, 'metasync'));
      const properties = '<displayname/><calendar-color xmlns="http://apple.com/ns/ical/"/>';
      const body = `<propfind xmlns="DAV:"><prop>${properties}</prop></propfind>`;
      const told = await (await site.ask('PROPFIND', url, { headers: { depth: '0' }, body })).text();
      assert.match(told, /Name &amp; ünit|CDATA\[Name & ünit/);
      if (kind === 'cal') assert.match(told, /#12ab9f/i);
      const other = '<prop><displayname>Other</displayname></prop>';
      const update = `<propertyupdate xmlns="DAV:"><set>${other}</set></propertyupdate>`;
      assert.equal((await site.ask('PROPPATCH', url, { body: update })).status, 207);
      await must('vdirsyncer', words(kind, 'metasync'));
      assert.equal(readFileSync(here(kind, name, 'displayname'), 'utf8').trim(), 'Other');
    });
  });
}

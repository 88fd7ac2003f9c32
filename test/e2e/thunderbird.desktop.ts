// Thunderbird itself, without its windows: it finds calendars and address books from the address of the server and a
// password, and keeps one of each equal with what others do. It would ask for the password again, in a window: there a
// proxy adds it.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { AUTHORIZATION } from '../../scripts/bench/dav-peer.ts';
import { contact } from '../support/calendar-object.ts';
import { event, startDavSite, startOvertaker } from '../support/dav-site.ts';
import { eventually } from '../support/eventually.ts';
import { needPrograms } from '../support/programs.ts';
import { startThunderbird } from '../support/thunderbird.ts';

needPrograms([['/usr/lib/thunderbird/thunderbird', '--version']], 'thunderbird');
const site = await startDavSite({ after });
const proxy = await startOvertaker({ after }, site.url, AUTHORIZATION);
const throughProxy = (url: string) => proxy.origin + new URL(url).pathname;
const within = await startThunderbird({ after });

describe('Thunderbird', async () => {
  const calendar = await site.newCalendar('bird');
  const book = await site.newAddressBook('bird-people');
  const path = (url: unknown) => decodeURIComponent(new URL(String(url)).pathname);
  const ITEMS = 'await kept.calendar.getItemsAsArray(Ci.calICalendar.ITEM_FILTER_ALL_ITEMS, 0, null, null)';
  const events = async () =>
    ((await within(`return (${ITEMS}).map(({ id, title }) => [id, title]);`)) as [string, string][]).sort();
  const people = async () =>
    ((await within('return [...kept.book.childCards].map((card) => card.displayName);')) as string[]).sort();

  it('finds calendars from the address of the server alone, with a password', async () => {
    const found = (await within(
      `const found = await cal.provider.detection.detect('alice', 'alice', words[0], true, [], {});
       return [...found.values()].flat().map(({ uri, readOnly }) => [uri.spec, readOnly]);`,
      new URL('/', site.url).href,
    )) as [string, boolean][];
    const here = found.find(([url]) => path(url) === path(calendar));
    assert.deepEqual(here?.[1], false, JSON.stringify(found));
  });

  it('finds address books', async () => {
    const found = (await within(
      `const found = await CardDAVUtils.detectAddressBooks('alice', 'alice', words[0], false, true);
       return found.map(({ url }) => url.href);`,
      new URL('/', site.url).href,
    )) as string[];
    assert.ok(found.map(path).includes(path(book)), found.join(', '));
  });

  it('shows a calendar, and writes to it', async () => {
    await site.store(`${calendar}one.ics`, event('bird-1', 'One', '20260710'));
    await within(
      `kept.calendar = cal.manager.createCalendar('caldav', Services.io.newURI(words[0]));
       cal.manager.registerCalendar(kept.calendar);`,
      throughProxy(calendar),
    );
    await eventually(events, [['bird-1', 'One']]);
    await within('await kept.calendar.addItem(new CalEvent(words[0]));', event('bird-2', 'Made here', '20260711'));
    await within(
      `const old = await kept.calendar.getItem('bird-2');
       const changed = old.clone();
       changed.title = 'Edited here';
       await kept.calendar.modifyItem(changed, old);`,
    );
    await eventually(() => site.textOf(`${calendar}bird-2.ics`), /SUMMARY:Edited here/);
  });

  it('shows what others change there', async () => {
    await site.store(`${calendar}one.ics`, event('bird-1', 'Edited there', '20260710'));
    await site.store(`${calendar}three.ics`, event('bird-3', 'Made there', '20260712'));
    await within('kept.calendar.refresh();');
    const expected: [string, string][] = [
      ['bird-1', 'Edited there'],
      ['bird-2', 'Edited here'],
      ['bird-3', 'Made there'],
    ];
    await eventually(events, expected);
    assert.ok((await site.ask('DELETE', `${calendar}one.ics`)).ok);
    await within("await kept.calendar.deleteItem(await kept.calendar.getItem('bird-2')); kept.calendar.refresh();");
    await eventually(events, [['bird-3', 'Made there']]);
    await eventually(() => site.names(calendar), ['three.ics']);
  });

  it('shows an address book, writes to it, and shows what others change', async () => {
    await site.store(`${book}ann.vcf`, contact('bird-ann', 'Ann'));
    await within(
      `const id = MailServices.ab.newAddressBook('bird', null, Ci.nsIAbManager.CARDDAV_DIRECTORY_TYPE, null);
       kept.book = MailServices.ab.getDirectoryFromId(id);
       kept.book.setStringValue('carddav.url', words[0]);
       kept.directory = CardDAVDirectory.forFile(kept.book.fileName);
       await kept.directory.fetchAllFromServer();`,
      throughProxy(book),
    );
    await eventually(people, ['Ann']);
    await within(
      `const card = Cc['@mozilla.org/addressbook/cardproperty;1'].createInstance(Ci.nsIAbCard);
       card.displayName = 'Tina';
       kept.book.addCard(card);`,
    );
    await eventually(async () => (await site.names(book)).length, 2);
    await site.store(`${book}carl.vcf`, contact('bird-carl', 'Carl'));
    await site.store(`${book}ann.vcf`, contact('bird-ann', 'Ann Edited'));
    await within('await kept.directory.syncWithServer();');
    await eventually(people, ['Ann Edited', 'Carl', 'Tina']);
    await within("kept.book.deleteCards([...kept.book.childCards].filter((card) => card.displayName === 'Tina'));");
    await eventually(() => site.names(book), ['ann.vcf', 'carl.vcf']);
  });
});

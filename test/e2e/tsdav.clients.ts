// tsdav, the library that web calendars use: discovery, whole and incremental synchronisation, edits that race, of
// calendars and of contacts. Each test goes on where the one before it ended.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createDAVClient, type DAVCalendar, type DAVCollection, type DAVObject } from 'tsdav';
import { contact } from '../support/calendar-object.ts';
import { event, startDavSite } from '../support/dav-site.ts';
import { eventually } from '../support/eventually.ts';
import { startGateway } from '../support/gateway.ts';

const site = await startDavSite({ after });
const password = { username: 'alice', password: 'alice' };

const clientOf = (defaultAccountType: 'caldav' | 'carddav', serverUrl = site.url) =>
  createDAVClient({ serverUrl, credentials: password, authMethod: 'Basic', defaultAccountType });

const pathOf = (url: string) => decodeURIComponent(new URL(url, site.url).pathname);
/** member path → what the client holds of it */
const held = (objects: readonly DAVObject[] = []) =>
  Object.fromEntries(objects.map(({ url, data }) => [pathOf(url), data as string]));
/** XML has one kind of line end (XML 1.0 section 2.11) */
const lines = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
const heldLines = (objects?: readonly DAVObject[]) =>
  Object.fromEntries(Object.entries(held(objects)).map(([path, data]) => [path, lines(data)]));

/** The collection of this name among those that the client has found. */
function found<T extends DAVCollection>(collections: readonly T[], url: string): T {
  const collection = collections.find((each) => pathOf(each.url) === pathOf(url));
  assert.ok(collection !== undefined, `not among ${collections.map((each) => each.url).join(', ')}`);
  return collection;
}

describe('tsdav, calendars', async () => {
  const url = await site.newCalendar('ts');
  await site.store(`${url}meeting.ics`, event('ts-1', 'Meeting', '20260710'));
  const client = await clientOf('caldav');
  let calendar: DAVCalendar;
  const member = (name: string) => pathOf(`${url}${name}`);
  const sync = async () => {
    const known = calendar;
    calendar = await client.smartCollectionSync({ collection: known, method: 'webdav' });
  };
  const objectOf = (name: string) => {
    const object = calendar.objects?.find((each) => pathOf(each.url) === member(name));
    assert.ok(object !== undefined, `${name} is not held`);
    return object;
  };

  it('finds a calendar from the address of the server alone, and what it can', async () => {
    calendar = { ...found(await client.fetchCalendars(), url), objectMultiGet: client.calendarMultiGet };
    assert.ok(calendar.ctag || calendar.syncToken, 'nothing tells a change');
    assert.ok(calendar.reports?.includes('syncCollection'), calendar.reports?.join());
    assert.ok(calendar.components?.includes('VEVENT'), 'not for events');
  });

  it('reads all of it', async () => {
    calendar.objects = await client.fetchCalendarObjects({ calendar });
    assert.deepEqual(heldLines(calendar.objects), {
      [member('meeting.ics')]: lines(event('ts-1', 'Meeting', '20260710')),
    });
  });

  it('reads a span of time, with the instances that recur', async () => {
    const weekly = event('ts-weekly', 'Weekly', '20260703', ['RRULE:FREQ=WEEKLY;COUNT=4']);
    await site.store(`${url}weekly.ics`, weekly);
    const within = (start: string, end: string, expand = false) =>
      client.fetchCalendarObjects({ calendar, timeRange: { start, end }, expand });
    const first = await within('2026-07-17T00:00:00Z', '2026-07-18T00:00:00Z');
    assert.deepEqual(Object.keys(held(first)), [member('weekly.ics')]);
    assert.deepEqual(await within('2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z'), []);
    const [expanded] = await within('2026-07-16T00:00:00Z', '2026-07-30T00:00:00Z', true);
    const data = expanded!.data as string;
    assert.doesNotMatch(data, /RRULE/);
    assert.deepEqual(data.match(/DTSTART[^\r\n]*/g), ['DTSTART:20260717T100000Z', 'DTSTART:20260724T100000Z']);
  });

  it('creates one, but not over what is there', async () => {
    await sync();
    const create = (filename: string, data: string) =>
      client.createCalendarObject({ calendar, filename, iCalString: data });
    const made = await create('lunch.ics', event('ts-2', 'Lunch', '20260711'));
    assert.equal(made.status, 201);
    assert.equal(await site.textOf(`${url}lunch.ics`), event('ts-2', 'Lunch', '20260711'));
    assert.equal((await create('meeting.ics', event('ts-1', 'Over it', '20260710'))).status, 412);
    assert.equal(await site.textOf(`${url}meeting.ics`), event('ts-1', 'Meeting', '20260710'));
  });

  it('updates one, unless somebody else was faster', async () => {
    await sync();
    const object = objectOf('lunch.ics');
    const later = event('ts-2', 'Later lunch', '20260711');
    const updated = await client.updateCalendarObject({ calendarObject: { ...object, data: later } });
    assert.ok(updated.ok, String(updated.status));
    assert.equal(await site.textOf(`${url}lunch.ics`), later);
    const stale = { ...object, data: event('ts-2', 'Lost', '20260711') };
    assert.equal((await client.updateCalendarObject({ calendarObject: stale })).status, 412);
    assert.equal((await client.deleteCalendarObject({ calendarObject: stale })).status, 412);
    assert.equal(await site.textOf(`${url}lunch.ics`), later);
  });

  it('hears of what others have made, changed and deleted, and of nothing else', async () => {
    await sync();
    await site.store(`${url}made.ics`, event('ts-3', 'Made elsewhere', '20260712'));
    await site.store(`${url}meeting.ics`, event('ts-1', 'Changed elsewhere', '20260710'));
    assert.ok((await site.ask('DELETE', `${url}weekly.ics`)).ok);
    const changes = await client.smartCollectionSync({ collection: calendar, method: 'webdav', detailedResult: true });
    assert.deepEqual(heldLines(changes.objects.created), {
      [member('made.ics')]: lines(event('ts-3', 'Made elsewhere', '20260712')),
    });
    assert.deepEqual(heldLines(changes.objects.updated), {
      [member('meeting.ics')]: lines(event('ts-1', 'Changed elsewhere', '20260710')),
    });
    assert.deepEqual(Object.keys(held(changes.objects.deleted)), [member('weekly.ics')]);
    await sync();
    assert.deepEqual(Object.keys(held(calendar.objects)).sort(), ['lunch.ics', 'made.ics', 'meeting.ics'].map(member));
    const answers = await client.syncCollection({ url, props: { 'd:getetag': {} }, syncToken: calendar.syncToken! });
    const members = answers.filter(({ href = url }) => pathOf(href) !== pathOf(url));
    assert.deepEqual(members, [], 'something has changed though nobody did a thing');
  });

  it('deletes one', async () => {
    const deleted = await client.deleteCalendarObject({ calendarObject: objectOf('made.ics') });
    assert.ok(deleted.ok, String(deleted.status));
    assert.deepEqual(await site.names(url), ['lunch.ics', 'meeting.ics']);
  });

  it('reads when one is busy', async () => {
    const timeRange = { start: '2026-07-11T00:00:00Z', end: '2026-07-12T00:00:00Z' };
    const answer = await client.freeBusyQuery({ url, timeRange });
    const text = typeof answer.raw === 'string' ? answer.raw : JSON.stringify(answer);
    assert.match(text, /BEGIN:VFREEBUSY/);
    assert.match(text, /FREEBUSY[^\r\n]*:20260711T100000Z\/(20260711T110000Z|PT1H)/);
    assert.doesNotMatch(text, /20260710T100000Z/);
  });

  it('makes a calendar that others find', async () => {
    const made = `${site.calendars}ts-made/`;
    await client.makeCalendar({ url: made, props: { 'd:displayname': 'Made by tsdav' } });
    const calendars = await (await clientOf('caldav')).fetchCalendars();
    assert.equal(found(calendars, made).displayName, 'Made by tsdav');
  });
});

describe('tsdav, contacts', async () => {
  const url = await site.newAddressBook('ts-people');
  await site.store(`${url}ann.vcf`, contact('ts-ann', 'Ann Grün', ['EMAIL:ann@example.com']));
  const client = await clientOf('carddav');
  const member = (name: string) => pathOf(`${url}${name}`);
  const fetchAll = async () => {
    const addressBook = found(await client.fetchAddressBooks(), url);
    return { addressBook, cards: await client.fetchVCards({ addressBook }) };
  };

  it('finds an address book and reads all of it', async () => {
    const { cards } = await fetchAll();
    const expected = lines(contact('ts-ann', 'Ann Grün', ['EMAIL:ann@example.com']));
    assert.deepEqual(heldLines(cards), { [member('ann.vcf')]: expected });
  });

  it('creates, updates and deletes, unless somebody else was faster', async () => {
    const { addressBook } = await fetchAll();
    const bob = contact('ts-bob', 'Bob');
    const create = () => client.createVCard({ addressBook, filename: 'bob.vcf', vCardString: bob });
    assert.equal((await create()).status, 201);
    assert.equal((await create()).status, 412);
    assert.equal(await site.textOf(`${url}bob.vcf`), bob);
    const { cards } = await fetchAll();
    const card = cards.find((each) => pathOf(each.url) === member('bob.vcf'))!;
    const robert = contact('ts-bob', 'Robert');
    assert.ok((await client.updateVCard({ vCard: { ...card, data: robert } })).ok);
    assert.equal((await client.updateVCard({ vCard: { ...card, data: bob } })).status, 412);
    assert.equal((await client.deleteVCard({ vCard: card })).status, 412);
    assert.equal(await site.textOf(`${url}bob.vcf`), robert);
    const now = (await fetchAll()).cards.find((each) => pathOf(each.url) === member('bob.vcf'))!;
    assert.ok((await client.deleteVCard({ vCard: now })).ok);
    assert.deepEqual(await site.names(url), ['ann.vcf']);
  });

  it('hears of what others have changed', async () => {
    const { addressBook, cards } = await fetchAll();
    await site.store(`${url}carl.vcf`, contact('ts-carl', 'Carl'));
    assert.ok((await site.ask('DELETE', `${url}ann.vcf`)).ok);
    const collection = { ...addressBook, objects: cards, objectMultiGet: client.addressBookMultiGet };
    const changes = await client.smartCollectionSync({ collection, method: 'webdav', detailedResult: true });
    assert.deepEqual(heldLines(changes.objects.created), { [member('carl.vcf')]: lines(contact('ts-carl', 'Carl')) });
    assert.deepEqual(Object.keys(held(changes.objects.deleted)), [member('ann.vcf')]);
  });
});

describe('tsdav, what no DAV client has stored', async () => {
  const gateway = await startGateway({ after }, { demo: true });
  const alice = gateway.as('alice');
  const bob = await createDAVClient({
    serverUrl: gateway.url,
    credentials: { username: 'bob', password: 'bob' },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  });
  const namesOf = async () => {
    const calendar = (await bob.fetchCalendars()).find(({ url }) => url.endsWith('/r/Calendar/'))!;
    const objects = await bob.fetchCalendarObjects({ calendar });
    return objects.map(({ url }) => url.slice(calendar.url.length));
  };

  it('finds an event that was posted through the interface for programs', async () => {
    const headers = { 'content-type': 'text/calendar' };
    const posted = await gateway.as('bob')('r/Calendar/new', {
      method: 'PUT',
      headers,
      body: event('ts-posted', 'Posted', '20260710'),
    });
    assert.equal(posted.status, 201);
    assert.ok((await namesOf()).includes('ts-posted.ics'), (await namesOf()).join());
  });

  it('finds an invitation', async () => {
    const asked =
      '<propfind xmlns="DAV:"><prop>' +
      '<C:calendar-user-address-set xmlns:C="urn:ietf:params:xml:ns:caldav"/></prop></propfind>';
    const addressOf = async (name: string) => {
      const answer = await gateway.as(name)(`u/${name}/`, { method: 'PROPFIND', headers: { depth: '0' }, body: asked });
      return /mailto:[^<]+/.exec(await answer.text())![0];
    };
    const people = [`ORGANIZER:${await addressOf('alice')}`, `ATTENDEE:${await addressOf('bob')}`];
    const body = event('ts-invited', 'Invited', '20260711', people);
    const put = await alice('r/Calendar/new', { method: 'PUT', headers: { 'content-type': 'text/calendar' }, body });
    assert.equal(put.status, 201);
    await eventually(async () => (await namesOf()).includes('ts-invited.ics'), true);
  });
});

// Edits without a connection: tasks, events, notes, contacts, pages, messages that are deleted, instant messages. Each
// is shown as it will be, waits, and is done once; what another device has changed meanwhile is not lost.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { calendarObject, putObject } from '../support/calendar-object.ts';
import { eventually } from '../support/eventually.ts';
import { startGateway } from '../support/gateway.ts';
import { checkPage, go, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs, otherHosts } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
const bob = gateway.as('bob');

const offline = (page: Page, isOffline = true) => page.context().setOffline(isOffline);
const banner = (page: Page) => page.getByText('Offline.', { exact: true });
const marks = (page: Page) => page.getByRole('img', { name: 'Waiting for the connection' });
const link = (page: Page, count: number) => page.getByRole('link', { name: `Waiting to be sent: ${count}` });

async function goOffline(page: Page) {
  await offline(page);
  await banner(page).waitFor();
}

async function goOnline(page: Page) {
  await offline(page, false);
  await eventually(() => banner(page).count(), 0);
}

const todo = (uid: string, ...lines: string[]) => calendarObject('VTODO', uid, lines);
const vcard = (uid: string, ...lines: string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, ...lines, 'END:VCARD', ''].join('\r\n');
const vnote = (uid: string, ...lines: string[]) =>
  ['BEGIN:VNOTE', 'VERSION:1.1', `UID:${uid}`, ...lines, 'END:VNOTE', ''].join('\r\n');

const put = (path: string, type: string, body: string) => putObject(alice, path, type, body);

/** '404' where there is none. */
async function stored(path: string) {
  const answer = await alice(path);
  return answer.ok ? answer.text() : String(answer.status);
}

/** How many versions of it, by what they are called, the room has. */
async function count(room: string, subject: string) {
  const { msgs } = (await (await alice(`r/${room}/mailbox`)).json()) as { msgs: { subject: string }[] };
  return msgs.filter((each) => each.subject === subject).length;
}

describe('tasks without a connection', () => {
  it('are ticked beside the inbox as in their room, one thing that waits for each', async () => {
    const due = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const lines = (uid: string, title: string) => todo(uid, `DUE;VALUE=DATE:${due}`, `SUMMARY:${title}`);
    // the name that it is stored under is not its UID
    await put('r/Tasks/another-name', 'text/calendar', lines('hoe', 'Hoe the bed'));
    await put('r/Tasks/sow', 'text/calendar', lines('sow', 'Sow the bed'));
    const page = await openAs('alice', '#/today');
    const box = (title: string) => page.getByRole('checkbox', { name: `Done: ${title}` });
    await box('Hoe the bed').waitFor();
    await goOffline(page);
    await box('Sow the bed').click();
    await eventually(() => box('Sow the bed').count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await box('Sow the bed').waitFor();
    await eventually(() => link(page, 1).count(), 0);
    await box('Hoe the bed').click();
    await eventually(() => box('Hoe the bed').count(), 0);
    await link(page, 1).waitFor();
    await go(page, '#/r/Tasks');
    await page.getByText('Hoe the bed').first().waitFor({ state: 'attached' });
    await goOnline(page);
    await eventually(() => stored('r/Tasks/hoe'), /STATUS:COMPLETED/);
    await eventually(() => link(page, 1).count(), 0);
    assert.doesNotMatch(await stored('r/Tasks/sow'), /COMPLETED/);
    assert.equal(await count('Tasks', 'Hoe the bed'), 1);
  });

  it('are ticked, written and changed, and done once', async () => {
    await put('r/Tasks/rye', 'text/calendar', todo('rye', 'SUMMARY:Sow rye'));
    const page = await openAs('alice', '#/r/Tasks');
    const box = page.getByRole('checkbox', { name: 'Done: Sow rye' });
    await box.waitFor();
    await goOffline(page);
    await box.click();
    await page.getByLabel('New task').fill('Mend the fence');
    await page.getByLabel('New task').press('Enter');
    await page.getByRole('link', { name: 'Mend the fence' }).click();
    await page.getByLabel('Note', { exact: true }).fill('With wire.');
    await page.getByLabel('Note', { exact: true }).blur();
    await link(page, 2).waitFor();
    await marks(page).first().waitFor();
    await checkPage(page);
    assert.equal(await count('Tasks', 'Mend the fence'), 0);
    assert.match(await stored('r/Tasks/rye'), /^(?!.*COMPLETED)/s);
    await goOnline(page);
    await eventually(() => count('Tasks', 'Mend the fence'), 1);
    await eventually(() => stored('r/Tasks/rye'), /STATUS:COMPLETED/);
    await eventually(() => marks(page).count(), 0);
    const { msgs } = (await (await alice('r/Tasks/mailbox')).json()) as { msgs: { msgnum: number; subject: string }[] };
    const { msgnum } = msgs.find(({ subject }) => subject === 'Mend the fence')!;
    assert.match(await stored(`r/Tasks/${msgnum}`), /DESCRIPTION:With wire\./);
    await page.getByRole('link', { name: 'Mend the fence' }).waitFor();
  });

  it('that another device has changed elsewhere have both changes', async () => {
    await put('r/Tasks/hay', 'text/calendar', todo('hay', 'SUMMARY:Turn the hay'));
    const page = await openAs('alice', '#/r/Tasks');
    const box = page.getByRole('checkbox', { name: 'Done: Turn the hay' });
    await box.waitFor();
    await goOffline(page);
    await box.click();
    await put('r/Tasks/hay', 'text/calendar', todo('hay', 'SUMMARY:Turn the hay twice'));
    await goOnline(page);
    await eventually(() => stored('r/Tasks/hay'), /SUMMARY:Turn the hay twice.*STATUS:COMPLETED/s);
  });

  it('are not written twice where the answer was lost', async () => {
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByLabel('New task').waitFor();
    let tries = 0;
    await page.route('**/r/Tasks/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      tries++;
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('New task').fill('Once only');
    await page.getByLabel('New task').press('Enter');
    await eventually(() => count('Tasks', 'Once only'), 1);
    await page.getByRole('link', { name: 'Once only' }).waitFor();
    await eventually(() => marks(page).count(), 0);
    assert.deepEqual([tries, await count('Tasks', 'Once only')], [1, 1]);
  });

  it('are thrown away where one thinks better of it', async () => {
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByLabel('New task').waitFor();
    await goOffline(page);
    await page.getByLabel('New task').fill('Never mind');
    await page.getByLabel('New task').press('Enter');
    await link(page, 1).click();
    await page.getByRole('heading', { name: 'Never mind' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText(/^Nothing is waiting/).waitFor();
    await goOnline(page);
    assert.equal(await count('Tasks', 'Never mind'), 0);
  });
});

describe('what waits', () => {
  it('is not done by another user who has logged in meanwhile', async () => {
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByLabel('New task').waitFor();
    await goOffline(page);
    await page.getByLabel('New task').fill('Of nobody else');
    await page.getByLabel('New task').press('Enter');
    await link(page, 1).waitFor();
    await page.context().clearCookies();
    const login = await bob('a/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'bob', password: 'bob' }),
    });
    const [name, value] = login.headers.getSetCookie()[0]!.split(';', 1)[0]!.split('=');
    await page.context().addCookies([{ name: name!, value: value!, url: gateway.url }]);
    await goOnline(page);
    await page.getByRole('button', { name: 'Account of bob' }).waitFor();
    const { msgs } = (await (await bob('r/Tasks/mailbox')).json()) as { msgs: { subject: string }[] };
    assert.equal(msgs.filter(({ subject }) => subject === 'Of nobody else').length, 0);
    assert.equal(await count('Tasks', 'Of nobody else'), 0);
    const kept = await page.evaluate(`import('/svc/s/model/outbox-store.js').then((all) => all.readEntries('alice'))`);
    assert.equal((kept as unknown[]).length, 1);
  });

  it('is at most 100 things of 2,000,000 characters each', async () => {
    const page = await openAs('alice', '#/');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    // the user is another one: nothing of it is sent
    const answers = await page.evaluate(`(async () => {
      const { addEntry } = await import('/svc/s/model/outbox-store.js');
      const { objectWork } = await import('/svc/s/model/outbox-joining.js');
      const rest = { room: 'Tasks', type: 'text/calendar', title: '', place: [] };
      const entry = (name, text) =>
        ({ id: name, user: 'nobody', time: 1, state: 'waiting', work: objectWork({ ...rest, name, text }) });
      const around = JSON.stringify(entry('0', '')).length;
      const long = [await addEntry(entry('0', 'x'.repeat(2_000_001 - around)))];
      long.push(await addEntry(entry('0', 'x'.repeat(2_000_000 - around))));
      const many = [];
      for (let at = 1; at <= 100; at++) many.push(await addEntry(entry(String(at), 'x')));
      return { long, many, joined: await addEntry(entry('7', 'y')) };
    })()`);
    const many = Array.from({ length: 100 }, (_, at) => at < 99);
    assert.deepEqual(answers, { long: [false, true], many, joined: true });
  });
});

describe('a calendar without a connection', () => {
  it('takes an event, has it moved, and deletes another', async () => {
    const lines = ['DTSTART:20310617T080000Z', 'DTEND:20310617T090000Z', 'SUMMARY:Market'];
    await put('r/Calendar/market', 'text/calendar', calendarObject('VEVENT', 'market', lines));
    const page = await openAs('alice', '#/r/Calendar/week/2031-06-16', { timezoneId: 'UTC' });
    const event = (title: string) =>
      page.locator('.calendar-body').getByRole('button', { name: new RegExp(`^${title}\\b`) });
    await event('Market').waitFor();
    await goOffline(page);
    await page.getByRole('button', { name: 'New event' }).first().click();
    await page.getByLabel('Title').fill('Harvest');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => event('Harvest').getAttribute('title'), /Waiting for the connection/);
    await event('Harvest').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await eventually(() => event('Harvest').getAttribute('title'), /17 June 2031/);
    await event('Market').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await eventually(() => event('Market').getAttribute('title'), /18 June 2031.*Waiting for the connection/);
    await checkPage(page);
    await link(page, 2).waitFor();
    assert.match(await stored('r/Calendar/market'), /20310617T080000Z/);
    await goOnline(page);
    await eventually(() => stored('r/Calendar/market'), /DTSTART:20310618T080000Z/);
    await eventually(() => count('Calendar', 'Harvest'), 1);
    await eventually(() => event('Harvest').getAttribute('title'), /^(?!.*Waits)/);
    await event('Market').focus();
    await goOffline(page);
    await page.keyboard.press('Delete');
    await link(page, 1).waitFor();
    assert.equal(await event('Market').count(), 0);
    await goOnline(page);
    await eventually(() => stored('r/Calendar/market'), '404');
    assert.equal(await event('Market').count(), 0);
  });

  it('has an event changed that goes into another one', async () => {
    const lines = ['DTSTART:20310701T080000Z', 'DTEND:20310701T090000Z', 'SUMMARY:Fair'];
    await put('r/Calendar/fair', 'text/calendar', calendarObject('VEVENT', 'fair', lines));
    const page = await openAs('alice', '#/r/Calendar/week/2031-06-30', { timezoneId: 'UTC' });
    const event = page.locator('.calendar-body').getByRole('button', { name: /^Fair\b/ });
    await event.waitFor();
    await goOffline(page);
    await event.focus();
    await event.click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Location').fill('Green');
    await page.getByRole('combobox', { name: 'Calendar', exact: true }).selectOption('Events');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => event.getAttribute('title'), /Green, Events, Waiting for the connection/);
    await link(page, 2).click();
    await page.getByText('Calendar → Events').waitFor();
    await goOnline(page);
    await eventually(() => stored('r/Events/fair'), /LOCATION:Green/);
    assert.equal(await stored('r/Calendar/fair'), '404');
    await page.getByText(/^Nothing is waiting/).waitFor();
  });
});

describe('a note that is written without a connection', () => {
  it('waits, and asks where another device has changed it meanwhile', async () => {
    await put('r/Notes/soup', 'text/vnote', vnote('soup', 'SUMMARY:Soup', 'BODY:Leek'));
    const page = await openAs('alice', '#/r/Notes/note/soup');
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    await goOffline(page);
    await text.fill('Leek and potato');
    await page.getByText('Waiting for the connection').waitFor();
    await put('r/Notes/soup', 'text/vnote', vnote('soup', 'SUMMARY:Soup', 'BODY:Leek and cream'));
    await goOnline(page);
    await page.getByText('This note was changed on another device.').waitFor();
    await checkPage(page);
    assert.equal(await text.inputValue(), 'Leek and potato');
    assert.match(await stored('r/Notes/soup'), /cream/);
    await page.getByRole('button', { name: 'Keep this version' }).click();
    await eventually(() => stored('r/Notes/soup'), /BODY[^\n]*potato/);
    await eventually(() => page.getByRole('link', { name: /^Not sent/ }).count(), 0);
  });

  it('is new, and stays', async () => {
    const page = await openAs('alice', '#/r/Notes');
    await page.getByRole('button', { name: 'New note' }).waitFor();
    await goOffline(page);
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByLabel('Title').fill('Found words');
    await page.getByText('Waiting for the connection').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: /Found words/ }).waitFor();
    await goOnline(page);
    await eventually(() => count('Notes', 'Found words'), 1);
    await page.getByRole('link', { name: /Found words/ }).waitFor();
  });
});

describe('a contact without a connection', () => {
  it('is changed; of two versions that say otherwise one is chosen', async () => {
    await put('r/Contacts/ida', 'text/vcard', vcard('ida', 'FN:Ida Lind', 'N:Lind;Ida;;;', 'TITLE:Baker'));
    const page = await openAs('alice', '#/r/Contacts/card/ida');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('First name').waitFor();
    await goOffline(page);
    await page.getByLabel('Job title').fill('Miller');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Miller').first().waitFor();
    await marks(page).first().waitFor();
    await put('r/Contacts/ida', 'text/vcard', vcard('ida', 'FN:Ida Lind', 'N:Lind;Ida;;;', 'TITLE:Weaver'));
    await goOnline(page);
    await page.getByRole('link', { name: 'Not sent: 1' }).click();
    await page.getByText(/This was changed on another device/).waitFor();
    await page.getByText('This device: Miller').waitFor();
    await page.getByText('Other device: Weaver').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep this version' }).click();
    await eventually(() => stored('r/Contacts/ida'), /TITLE:Miller/);
    await page.getByText(/^Nothing is waiting/).waitFor();
  });

  it('is deleted', async () => {
    await put('r/Contacts/olaf', 'text/vcard', vcard('olaf', 'FN:Olaf Berg', 'N:Berg;Olaf;;;'));
    const page = await openAs('alice', '#/r/Contacts/card/olaf');
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    await goOffline(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await link(page, 1).waitFor();
    await goOnline(page);
    await eventually(() => stored('r/Contacts/olaf'), '404');
    assert.equal(await page.getByRole('link', { name: /Olaf Berg/ }).count(), 0);
  });
});

describe('a page of a wiki without a connection', () => {
  it('is changed, and shown as it will be', async () => {
    await put('r/Handbook/ferment', 'text/markdown', 'Salt.');
    const page = await openAs('alice', '#/r/Handbook/page/ferment');
    await page.getByText('Salt.').waitFor();
    await goOffline(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Salt and *time*.');
    await page.getByRole('button', { name: 'Save page' }).click();
    await page.locator('.page-text').getByText('time', { exact: true }).waitFor();
    await page.getByText('Waiting for the connection').waitFor();
    await checkPage(page);
    await goOnline(page);
    await eventually(() => stored('r/Handbook/ferment'), 'Salt and *time*.');
    await eventually(() => page.getByText('Waiting for the connection').count(), 0);
  });
});

describe('messages without a connection', () => {
  it('that are deleted stay out of sight, and go when the server is there again', async (t) => {
    const own = await startGateway(t, { demo: true });
    otherHosts.push(own.url);
    const answer = await own.as('bob')('r/Town%20Square/new?subj=Old%20news', { method: 'PUT', body: 'text' });
    assert.equal(answer.status, 201);
    const page = await open();
    await page.context().request.post(`${own.url}svc/a/login`, { data: { username: 'bob', password: 'bob' } });
    await page.goto(`${own.url}svc/a/landing.html#/r/Mail`);
    const sent = await own.as('alice')('r/_MAIL_/new?subj=Old%20letter&mailto=bob', { method: 'PUT', body: 'text' });
    assert.equal(sent.status, 201);
    await page.getByRole('link', { name: /Old letter/ }).click();
    await page.getByRole('button', { name: 'Delete' }).first().waitFor();
    await own.close();
    await banner(page).waitFor();
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await link(page, 1).waitFor();
    await own.restart();
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => banner(page).count(), 0);
    const inTrash = async () => {
      const { msgs } = (await (await own.as('bob')('r/Trash/mailbox')).json()) as { msgs: { subject: string }[] };
      return msgs.filter(({ subject }) => subject === 'Old letter').length;
    };
    await eventually(inTrash, 1);
    assert.equal(await page.getByRole('link', { name: /Old letter/ }).count(), 0);
  });

  it('to somebody who is here are said when there is one', async () => {
    const page = await openAs('alice', '#/chat/bob');
    const field = page.getByLabel('Message to bob');
    await field.waitFor();
    await goOffline(page);
    await field.fill('Are you up?');
    await field.press('Enter');
    await page.getByText('Waiting for the connection').waitFor();
    await bob('a/whoami');
    const other = await openAs('bob', '#/');
    await other.getByRole('heading', { name: 'Inbox' }).waitFor();
    await goOnline(page);
    await other.getByText('Are you up?').waitFor();
    await eventually(() => page.getByText('Waiting for the connection').count(), 0);
    await go(page, '#/chat/bob');
    await page.getByRole('log').getByText('Are you up?').waitFor();
  });
});

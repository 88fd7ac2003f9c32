// The web client without a connection: what it says, what can be read, what waits and is sent once, and that nothing of
// it stays for others.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { startGateway } from '../support/gateway.ts';
import { checkPage, go, logIn, logOut, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, open, openAs, otherHosts } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
const bob = gateway.as('bob');
const WITH_WORKER: BrowserContextOptions = { serviceWorkers: 'allow' };
const SQUARE = 'r/Town%20Square';

const offline = (page: Page, isOffline = true) => page.context().setOffline(isOffline);
const banner = (page: Page) => page.getByText('Offline.', { exact: true });
const kept = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const all = [];
    for (const name of await caches.keys()) {
      if (name.includes('shell')) continue;
      for (const { url } of await (await caches.open(name)).keys()) all.push(new URL(url).pathname);
    }
    return all;
  })()`);
/** An answer about objects that is kept has this in it. */
const keptTexts = (page: Page, words: string) =>
  page.evaluate<boolean>(`(async () => {
    const objects = await caches.open((await caches.keys()).find((name) => name.endsWith(' objects')));
    const texts = await Promise.all((await objects.keys()).map(async (key) => (await objects.match(key)).text()));
    return texts.some((text) => text.includes(${JSON.stringify(words)}));
  })()`);
const waiting = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const asked = indexedDB.open('/svc/ outbox');
    asked.onsuccess = () => {
      const count = asked.result.transaction('entries').objectStore('entries').count();
      count.onsuccess = () => resolve(count.result);
    };
  })`);

const controlled = (page: Page) => eventually(() => page.evaluate('navigator.serviceWorker.controller !== null'), true);

/** The page once more, as the service worker has it. */
async function withWorker(page: Page) {
  await page.locator('.stage .row').first().waitFor();
  await controlled(page);
  await page.reload();
  await page.locator('.stage .row').first().waitFor();
}

async function put(path: string) {
  assert.equal((await bob(path, { method: 'PUT', body: 'text' })).status, 201);
}

/** How many messages with this subject the room has. */
async function count(room: string, subject: string) {
  const { msgs } = (await (await alice(`${room}/mailbox`)).json()) as { msgs: { subject: string }[] };
  return msgs.filter((message) => message.subject === subject).length;
}

async function write(page: Page, subject: string, text: string) {
  await go(page, `#/${SQUARE}/new`);
  await page.getByLabel('Subject', { exact: true }).fill(subject);
  await page.locator('[contenteditable="true"]').fill(text);
  await page.getByRole('button', { name: /^Post/ }).click();
}

describe('a connection that is lost', () => {
  it('is told by a banner that goes by itself, and what was missed appears', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.locator('.stage .row').first().waitFor();
    await offline(page);
    await banner(page).waitFor();
    await put(`${SQUARE}/new?subj=Meanwhile`);
    await offline(page, false);
    await page.getByRole('link', { name: /Meanwhile/ }).waitFor();
    assert.equal(await banner(page).count(), 0);
  });

  it('keeps a post, names it, and sends it once', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.locator('.stage .row').first().waitFor();
    await write(page, 'Kept awake', 'x');
    await page.getByRole('heading', { name: 'Kept awake' }).waitFor();
    await offline(page);
    await banner(page).waitFor();
    await write(page, 'From the train', 'There is a tunnel.');
    await page.getByRole('link', { name: 'Waiting to be sent: 1' }).click();
    await page.getByRole('listitem').getByText('There is a tunnel.').waitFor();
    await checkPage(page);
    assert.equal(await count(SQUARE, 'From the train'), 0);
    await offline(page, false);
    await page.getByText(/^Nothing is waiting/).waitFor();
    assert.equal(await count(SQUARE, 'From the train'), 1);
  });

  it('has what waits opened again, with its text', async () => {
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    await write(page, 'Still awake', 'x');
    await page.getByRole('heading', { name: 'Still awake' }).waitFor();
    await offline(page);
    await banner(page).waitFor();
    await write(page, 'Second thoughts', 'Better not.');
    await page.getByRole('link', { name: /^Waiting to be sent/ }).click();
    await page.getByRole('button', { name: 'Open' }).click();
    await eventually(() => page.locator('[contenteditable="true"]').innerText(), /Better not/);
    await eventually(() => page.getByText(/^Waiting to be sent/).count(), 0);
    await offline(page, false);
    await eventually(() => banner(page).count(), 0);
    assert.equal(await count(SQUARE, 'Second thoughts'), 0);
  });

  it('does not send again what had arrived before the answer was lost', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.locator('.stage .row').first().waitFor();
    let tries = 0;
    await page.route('**/new?*', async (route) => {
      tries++;
      await route.fetch();
      await route.abort();
    });
    await write(page, 'Twice?', 'Once is enough.');
    await eventually(() => count(SQUARE, 'Twice?'), 1);
    await page.getByRole('link', { name: /Twice\?/ }).waitFor();
    await eventually(() => waiting(page), 0);
    assert.deepEqual([tries, await count(SQUARE, 'Twice?')], [1, 1]);
  });

  it('sends again what had not arrived', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.locator('.stage .row').first().waitFor();
    await page.route('**/new?*', (route) => route.abort(), { times: 1 });
    await write(page, 'Cut off', 'Before it came.');
    await page.getByRole('link', { name: /Cut off/ }).waitFor();
    assert.equal(await count(SQUARE, 'Cut off'), 1);
  });

  it('has mail wait, which is there after a reload, and goes once', async () => {
    const page = await openAs('alice', '#/r/Mail', WITH_WORKER);
    await withWorker(page);
    await go(page, '#/r/Mail/new/bob');
    await page.getByLabel('Subject', { exact: true }).fill('On the way');
    await offline(page);
    await banner(page).waitFor();
    await page.locator('[contenteditable="true"]').fill('I am late.');
    await page.getByRole('button', { name: 'Send' }).last().click();
    await page.getByRole('link', { name: 'Waiting to be sent: 1' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Waiting to be sent: 1' }).waitFor();
    await offline(page, false);
    await eventually(() => count('r/Sent%20Items', 'On the way'), 1);
    await eventually(() => waiting(page), 0);
    assert.equal(await count('r/Sent%20Items', 'On the way'), 1);
  });

  it('has what is said in a chat wait below what was heard', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Gate', kind: 'public', view: 0, floor: 0 });
    assert.equal((await alice('r/', { method: 'POST', headers, body })).status, 201);
    const page = await openAs('alice', '#/r/Gate');
    await page.getByRole('button', { name: 'Show as chat' }).first().click();
    const field = page.getByLabel('Message to Gate');
    await field.waitFor();
    await offline(page);
    await banner(page).waitFor();
    await field.fill('Anybody there?');
    await field.press('Enter');
    await page.getByText('Waiting for the connection').waitFor();
    await offline(page, false);
    await eventually(() => page.getByText('Waiting for the connection').count(), 0);
    await page.getByRole('log').getByText('Anybody there?').waitFor();
  });

  it('is told where the server has gone, too, and mended when that is back', async (t) => {
    const own = await startGateway(t, { demo: true });
    otherHosts.push(own.url);
    const page = await open();
    await page.context().request.post(`${own.url}svc/a/login`, { data: { username: 'alice', password: 'alice' } });
    await page.goto(`${own.url}svc/a/landing.html#/r/Town%20Square`);
    await page.locator('.stage .row').first().waitFor();
    await own.close();
    await banner(page).waitFor();
    await own.restart();
    await eventually(() => banner(page).count(), 0);
    const put = await own.as('bob')(`${SQUARE}/new?subj=After%20all`, { method: 'PUT', body: 'text' });
    assert.equal(put.status, 201);
    await page.getByRole('link', { name: /After all/ }).waitFor();
  });

  it('keeps a mark that something was read', async () => {
    await put(`${SQUARE}/new?subj=To%20be%20marked`);
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    await page.getByRole('link', { name: /To be marked/ }).click();
    await textOf(page).getByText('text').waitFor();
    await page.getByRole('button', { name: 'Mark as unread' }).click();
    await offline(page);
    await banner(page).waitFor();
    await page.getByRole('link', { name: /To be marked/ }).click();
    await textOf(page).getByText('text').waitFor();
    await eventually(() => waiting(page), 1);
    await offline(page, false);
    await eventually(() => waiting(page), 0);
    const { msgs } = (await (await alice(`${SQUARE}/mailbox`)).json()) as {
      msgs: { subject: string; seen: boolean }[];
    };
    assert.equal(msgs.find(({ subject }) => subject === 'To be marked')!.seen, true);
  });
});

describe('without a connection', () => {
  it('the page, its lists and what was read are there; the rest says why it is not', async () => {
    await put(`${SQUARE}/new?subj=Read%20before`);
    await put(`${SQUARE}/new?subj=Never%20opened`);
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    await page.getByRole('link', { name: /Read before/ }).click();
    await textOf(page).getByText('text').waitFor();
    await offline(page);
    await page.reload();
    await textOf(page).getByText('text').waitFor();
    await banner(page).waitFor();
    await page.getByRole('link', { name: /Never opened/ }).click();
    await page.getByRole('alert').getByText('No connection').waitFor();
  });

  it('neither streams nor files nor what belongs to nobody are kept', async () => {
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    const all = await kept(page);
    assert.ok(all.includes('/svc/a/start') && all.includes('/svc/r/Town%20Square/mailbox'), String(all));
    assert.ok(
      all.every((path) =>
        /^\/svc\/(?:a\/(?:start|news|whoami)|r\/[^/]+\/(?:|mailbox|info\.txt|\d+\/json))$/.test(path),
      ),
    );
    const guest = await open(WITH_WORKER);
    await guest.goto(`${gateway.url}svc/a/landing.html`);
    await controlled(guest);
    await guest.reload();
    await guest.getByLabel('User name').waitFor();
    assert.deepEqual(await kept(guest), []);
  });

  it('events, tasks, contacts and notes are there again as they were last, until the log-out', async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const calendar = (lines: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${lines}\r\nEND:VCALENDAR\r\n`;
    const lunch = (name: string) =>
      calendar(
        `BEGIN:VEVENT\r\nUID:kept\r\nDTSTAMP:${day}T000000Z\r\nDTSTART:${day}T120000Z\r\n` +
          `SUMMARY:${name}\r\nEND:VEVENT`,
      );
    const objects = {
      Calendar: lunch('Early lunch'),
      Tasks: calendar(`BEGIN:VTODO\r\nUID:kept\r\nDTSTAMP:${day}T000000Z\r\nSUMMARY:Kept task\r\nEND:VTODO`),
      Contacts: 'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:kept\r\nFN:Kept Person\r\nN:Person;Kept\r\nEND:VCARD\r\n',
      Notes: 'BEGIN:VNOTE\r\nVERSION:1.1\r\nUID:kept\r\nSUMMARY:Kept note\r\nBODY:Of the note\r\nEND:VNOTE\r\n',
    };
    const types: Record<string, string> = { Contacts: 'text/vcard', Notes: 'text/vnote' };
    const put = async (room: string, body: string) => {
      const headers = { 'Content-Type': types[room] ?? 'text/calendar' };
      assert.ok((await alice(`r/${room}/kept`, { method: 'PUT', body, headers })).ok);
    };
    for (const [room, body] of Object.entries(objects)) await put(room, body);
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    const shown = (text: string) => page.locator('.stage').getByText(text).first();
    const names = { Notes: 'Kept note', Tasks: 'Kept task', Contacts: 'Kept Person', Calendar: 'Early lunch' };
    for (const [room, name] of Object.entries(names)) {
      await go(page, `#/r/${room}`);
      await shown(name).waitFor();
      const isOf = (path: string) =>
        new RegExp(room === 'Notes' ? '^/svc/r/Notes/%7C\\d+$' : `^/svc/r/${room}/$`).test(path);
      await eventually(async () => (await kept(page)).some(isOf), true);
    }
    await put('Calendar', lunch('Late lunch'));
    await shown('Late lunch').waitFor();
    names.Calendar = 'Late lunch';
    await eventually(() => keptTexts(page, 'Late lunch'), true);
    await offline(page);
    for (const [room, name] of Object.entries(names)) {
      await go(page, `#/r/${room}`);
      await page.reload();
      await shown(name).waitFor();
    }
    await offline(page, false);
    await logOut(page);
    await page.getByLabel('User name').waitFor();
    await eventually(() => kept(page), []);
  });

  it('nothing of it stays after a log-out, which asks first where something waits', async () => {
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    await go(page, `#/${SQUARE}/new`);
    await page.getByLabel('Subject', { exact: true }).fill('Lost');
    await page.locator('[contenteditable="true"]').fill('x');
    await page.route('**/new?*', (route) => route.fulfill({ status: 403, json: { title: 'No', detail: 'Not now.' } }));
    await offline(page);
    await banner(page).waitFor();
    await page.getByRole('button', { name: /^Post/ }).click();
    await page.getByRole('link', { name: 'Waiting to be sent: 1' }).waitFor();
    await offline(page, false);
    await page.getByRole('link', { name: 'Not sent: 1' }).waitFor();
    await logOut(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('User name').waitFor();
    await eventually(() => kept(page), []);
    assert.equal(await waiting(page), 0);
  });

  it('nothing of it is for another user who logs in here', async () => {
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    assert.ok((await kept(page)).length > 0);
    await page.context().clearCookies();
    await page.reload();
    await logIn(page, 'bob');
    await page.locator('.stage .row').first().waitFor();
    await go(page, '#/');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await eventually(async () => (await kept(page)).includes('/svc/a/start'), true);
    const owner = await page.evaluate(`caches.match('/svc/a/whoami?kept').then((answer) => answer.text())`);
    assert.equal(owner, 'bob');
    await offline(page);
    await page.reload();
    await page.getByRole('button', { name: 'Account of bob' }).waitFor();
  });

  it('none of it is there for who does not want it on this device', async () => {
    const page = await openAs('alice', '#/r/Town%20Square', WITH_WORKER);
    await withWorker(page);
    await go(page, '#/settings/look');
    await page.getByLabel('Available offline').uncheck();
    await eventually(() => page.evaluate('caches.keys().then((names) => names.length)'), 0);
    await page.reload();
    await page.getByLabel('Available offline').waitFor();
    assert.equal(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'), 0);
  });
});

// The web client on a slow line: what the reader types while a room is on its way stays his, and
// what does not come is told.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { go, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });

/** Requests of this kind wait until what is answered here is called. */
async function hold(page: Page, method: string, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() === method) await promise;
      await route.continue();
    },
  );
  return resolve;
}

const openInbox = async () => {
  const page = await openAs('alice');
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).first().waitFor();
  return page;
};
const today = (page: Page) => page.getByRole('region', { name: /^Today/ });

describe('while a room is on its way', () => {
  it('a task that is being written goes on in its field when the others come', async () => {
    const page = await openInbox();
    const release = await hold(page, 'REPORT', /\/r\/Tasks\/$/);
    await go(page, '#/r/Tasks');
    await page.getByLabel('New task').click();
    await page.keyboard.type('Count chairs to');
    release();
    await eventually(() => page.locator('.stage .skeleton').count(), 0);
    await page.keyboard.type('day !');
    await page.keyboard.press('Enter');
    await today(page).getByRole('link', { name: 'Count chairs' }).waitFor();
  });

  it('a task that is written before the others come is among them, once', async () => {
    const page = await openInbox();
    const release = await hold(page, 'REPORT', /\/r\/Tasks\/$/);
    await go(page, '#/r/Tasks');
    await page.getByLabel('New task').fill('Count tables today');
    const written = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByLabel('New task').press('Enter');
    await written;
    release();
    await today(page).getByRole('link', { name: 'Count tables' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Count tables' }).count(), 1);
  });

  for (const [room, method, path, field] of [
    ['Notes', 'GET', /\/r\/Notes\/\d+$/, 'Find a note'],
    ['Contacts', 'REPORT', /\/r\/Contacts\/$/, 'Find a contact'],
  ] as const) {
    it(`what is looked for in ${room} goes on in its field`, async () => {
      const page = await openInbox();
      const release = await hold(page, method, path);
      await go(page, `#/r/${room}`);
      const filter = page.getByLabel(field, { exact: true });
      await filter.click();
      await page.keyboard.type('a');
      release();
      await eventually(() => page.locator('.stage .skeleton').count(), 0);
      await page.keyboard.type('e');
      assert.equal(await filter.inputValue(), 'ae');
    });
  }

  it('what is looked for among the contacts goes on while others come', async () => {
    const page = await openAs('alice', '#/r/Contacts');
    const filter = page.getByLabel('Find a contact', { exact: true });
    await filter.click();
    await page.keyboard.type('an');
    const card = ['BEGIN:VCARD', 'VERSION:3.0', 'UID:anew', 'FN:Anew Person', 'N:Person;Anew;;;', 'END:VCARD', ''];
    const headers = { 'content-type': 'text/vcard' };
    const made = await gateway.as('alice')('r/Contacts/anew', { method: 'PUT', headers, body: card.join('\r\n') });
    assert.equal(made.status, 201);
    await page.getByRole('link', { name: 'Anew Person' }).waitFor();
    await page.keyboard.type('e');
    assert.equal(await filter.inputValue(), 'ane');
  });

  it('the search at the top keeps what is typed, whatever comes', async () => {
    const page = await openInbox();
    const search = page.locator('#omnibox');
    for (const room of ['Mail', 'Town%20Square', 'Calendar', 'Handbook', 'Files']) {
      const release = await hold(page, 'GET', new RegExp(`/r/${room}/mailbox$`));
      await go(page, `#/r/${room}`);
      await search.click();
      await page.keyboard.type('plan');
      release();
      await eventually(() => page.locator('.stage .skeleton').count(), 0);
      await page.keyboard.type('s');
      assert.equal(await search.inputValue(), 'plans', room);
      await search.fill('');
    }
  });

  it('a room that is chosen in the search has the focus, once it is there', async () => {
    const page = await openInbox();
    await page.locator('#omnibox').fill('Notes');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate('document.activeElement.id'), 'room-title');
  });
});

describe('a message whose text is on its way', () => {
  it('stays unread where the reader says so before the text is there', async () => {
    const page = await openInbox();
    const release = await hold(page, 'GET', /\/r\/Town%20Square\/\d+\/json$/);
    await go(page, '#/r/Town%20Square');
    const row = page.getByRole('list', { name: 'Town Square' }).getByRole('link', { name: /Minutes/ });
    await row.click();
    await page.getByRole('article').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    release();
    await page.locator('article iframe').waitFor();
    await eventually(() => page.locator('.stage .skeleton').count(), 0);
    assert.match((await row.textContent()) ?? '', /^Unread/);
  });
});

describe('what is deleted elsewhere', () => {
  it('while the tasks are on their way is not among them', async () => {
    const tasks = gateway.as('alice');
    const object = (uid: string) =>
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', 'BEGIN:VTODO', `UID:${uid}`, `SUMMARY:${uid}`]
        .concat(['DTSTAMP:20260101T000000Z', 'END:VTODO', 'END:VCALENDAR', ''])
        .join('\r\n');
    for (const uid of ['stays', 'goes']) {
      const headers = { 'content-type': 'text/calendar' };
      assert.equal((await tasks(`r/Tasks/${uid}`, { method: 'PUT', headers, body: object(uid) })).status, 201);
    }
    const page = await openInbox();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/r\/Tasks\/$/, async (route) => {
      if (route.request().method() !== 'REPORT') return route.continue();
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest((request) => request.method() === 'REPORT');
    await go(page, '#/r/Tasks');
    await asked;
    await page.getByLabel('New task').waitFor();
    const known = async () => (await tasks('r/Tasks/goes')).status;
    const seen = page.waitForResponse((response) => /Tasks\/mailbox\?(?!.*after)/.test(response.url()));
    assert.ok((await tasks('r/Tasks/goes', { method: 'DELETE' })).ok);
    await eventually(known, 404);
    await (await seen).finished();
    resolve();
    await page.getByRole('link', { name: 'stays' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'goes' }).count(), 0);
  });
});

describe('what could not be saved', () => {
  it('stands where it was written, or in the form with all fields', async () => {
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByLabel('New task').fill('Parent');
    await page.getByLabel('New task').press('Enter');
    await page.getByRole('link', { name: 'Parent' }).click();
    const step = page.getByPlaceholder('Add a step');
    await step.waitFor();
    const refusal = { status: 507, json: { title: 'Full', detail: 'There is no space left.' } };
    await page.route(/\/r\//, (route) =>
      route.request().method() === 'PUT' ? route.fulfill(refusal) : route.continue(),
    );
    await step.fill('Measure twice');
    await step.press('Enter');
    await eventually(() => step.inputValue(), 'Measure twice');
    await go(page, '#/r/Calendar/month/2031-05-12');
    await page.locator('td[data-day="2031-05-14"]').click();
    await page.getByRole('dialog').getByLabel('Title').fill('Picnic');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New event' }).getByLabel('Starts').first().waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Title').inputValue(), 'Picnic');
  });
});

describe('a part of the client that does not come', () => {
  it('is told where it would be, and asked for again', async () => {
    const page = await openAs('alice', '#/r/Notes');
    const away = '**/s/pages/today.js';
    await page.route(away, (route) => route.abort());
    await go(page, '#/');
    const side = page.getByRole('complementary', { name: 'Today' });
    await side.getByRole('alert').waitFor();
    await page.unroute(away);
    await side.getByRole('button', { name: 'Try again' }).click();
    await side.getByRole('heading', { level: 3 }).first().waitFor();
  });

  it('leaves no empty page to a stranger, either', async () => {
    const page = await open();
    const away = '**/s/pages/log-in.js';
    await page.route(away, (route) => route.abort());
    await page.goto(`${gateway.url}svc/a/landing.html`);
    await page.getByRole('alert').waitFor();
    await page.unroute(away);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('User name').waitFor();
  });
});

// The web client on a gateway that fronts the room server of another one: one walk through every kind of room, with
// what each of them changes.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, go, NARROW, startWebClient, textOf, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach }, { isBehind: true });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
const subjects = async (room: string) => {
  const mailbox = await (await gateway.as('alice')(`r/${room}/mailbox`)).json();
  return (mailbox as { msgs: { subject: string }[] }).msgs.map(({ subject }) => subject);
};
const isKept = (room: string, subject: string) =>
  eventually(async () => (await subjects(room)).includes(subject), true);

describe('in front of another room server', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    const name = (what: string) => `${what} ${viewport.width}`;

    it(`events, tasks, notes and contacts are made, ${viewport.width} wide`, async () => {
      const page = await openAs('alice', '#/r/Calendar/new/2031-05-12', { colorScheme, viewport });
      await page.getByLabel('Title').fill(name('Choir'));
      await button(page, 'Save').click();
      await isKept('Calendar', name('Choir'));

      await go(page, '#/r/Tasks');
      await page.getByLabel('New task').fill(`${name('Chairs')} today`);
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: `Done: ${name('Chairs')}` }).click();
      await page.getByText(/done/i).first().waitFor();

      await go(page, '#/r/Notes');
      await button(page, 'New note').click();
      await page.getByLabel('Title').fill(name('Seeds'));
      await page.getByText('Saved', { exact: true }).waitFor();
      await isKept('Notes', name('Seeds'));

      await go(page, '#/r/Contacts');
      await page.getByRole('link', { name: 'New contact' }).click();
      await page.getByLabel('First name').fill('Ruth');
      await page.getByLabel('Last name').fill(String(viewport.width));
      await button(page, 'Save').click();
      await page.getByRole('heading', { level: 2, name: name('Ruth') }).waitFor();
      await checkPage(page);
    });

    it(`pages, entries, files and talks are written, ${viewport.width} wide`, async () => {
      const page = await openAs('alice', `#/r/Handbook/new/${name('Soil')}`, { colorScheme, viewport });
      await page.getByLabel('Text', { exact: true }).fill('Acid. See [[home]].');
      await button(page, 'Save page').click();
      await page.getByRole('heading', { level: 2, name: name('Soil') }).waitFor();

      await go(page, '#/r/Garden%20Diary/new');
      await page.getByRole('textbox', { name: 'Subject' }).fill(name('Rain'));
      await page.locator('.editor').first().fill('At last.');
      await page.keyboard.press('Control+Enter');
      await isKept('Garden%20Diary', name('Rain'));

      const json = JSON.stringify({ name: name('Papers'), kind: 'public', view: 12, floor: 0 });
      const headers = { 'content-type': 'application/json' };
      assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body: json })).status, 201);
      await page.reload();
      await go(page, `#/r/${name('Papers')}`);
      const file = { name: 'May.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
      await page.locator('main input[type=file]').setInputFiles([file]);
      await page.getByRole('row').getByRole('link', { name: 'May.txt' }).click();
      await page.getByText('hello', { exact: true }).waitFor();

      await go(page, '#/r/Lobby');
      await button(page, 'Show as chat').click();
      await page.getByLabel('Message to Lobby').fill(name('Hello'));
      await page.keyboard.press('Enter');
      await page.getByRole('log').getByText(name('Hello')).waitFor();
      // what another says comes by itself
      const answer = await gateway.as('bob')('r/Lobby/new', { method: 'PUT', body: name('And you') });
      assert.equal(answer.status, 201);
      await page.getByRole('log').getByText(name('And you')).waitFor();
      await button(page, 'Show as forum').click();
      await checkPage(page);
    });

    it(`mail is read, thrown away and had back, and found, ${viewport.width} wide`, async () => {
      const subject = name('Compost');
      const put = { method: 'PUT', body: 'About it.' };
      assert.equal(
        (await gateway.as('bob')(`r/_MAIL_/new?subj=${encodeURIComponent(subject)}&mailto=alice`, put)).status,
        201,
      );
      const page = await openAs('alice', '#/r/Mail', { colorScheme, viewport });
      const row = page.getByRole('list', { name: 'Mail' }).getByRole('link', { name: new RegExp(subject) });
      await row.click();
      await textOf(page).getByText('About it.').waitFor();
      await page.keyboard.press('#');
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await isKept('_MAIL_', subject);
      await go(page, `#/search/${subject}`);
      await page
        .getByRole('link', { name: new RegExp(subject) })
        .first()
        .waitFor();
      await checkPage(page);
    });
  }
});

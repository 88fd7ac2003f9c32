// Searching in the web client: narrowed by kind, at the side or in a sheet, and what is no message in its own view.

import assert from 'node:assert/strict';
import { after, afterEach, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { checkPage, go, NARROW, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const DESK = { width: 1440, height: 900 };

const post = async (room: string, subject: string, type = 'text/plain', body = 'the medlar and medlars') => {
  const path = `r/${encodeURIComponent(room)}/new?subj=${encodeURIComponent(subject)}`;
  const { status } = await gateway.as('bob')(path, { method: 'PUT', headers: { 'content-type': type }, body });
  assert.equal(status, 201);
};
const todo = (summary: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VTODO\r\nUID:${summary}\r\n` +
  `DTSTAMP:20260101T000000Z\r\nSUMMARY:${summary}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`;

await post('Town Square', 'Medlar jam');
await post('Lobby', 'Medlar wine');
await post('To Do', 'x', 'text/calendar', todo('Prune the medlar'));

it('is narrowed by kind with the number of hits of each, and chips take filters away', async () => {
  const page = await openAs('alice', '#/search/medl', { viewport: DESK });
  const hits = page.locator('.hit');
  await page.getByText('3 messages').waitFor();
  await eventually(() => hits.first().locator('mark').first().textContent(), 'medlar');
  const filters = page.getByRole('complementary', { name: 'Filter results' });
  await eventually(() => filters.locator('label', { hasText: 'Forums and blogs' }).textContent(), /2$/);
  await filters.getByLabel('Events and tasks').check();
  await page.getByText('One message', { exact: true }).waitFor();
  assert.equal(await hits.count(), 1);
  await eventually(() => filters.locator('label', { hasText: 'Forums and blogs' }).textContent(), /2$/);
  await filters.getByLabel('From').fill('alice');
  await page.getByText('No results.').waitFor();
  await checkPage(page);
  await page.getByRole('button', { name: /^Remove filter: From alice/ }).click();
  await page.getByText('One message', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Remove filter: Events and tasks/ }).click();
  await eventually(() => hits.count(), 3);
  assert.equal(await filters.getByLabel('Events and tasks').isChecked(), false);
});

it('stays beside a message that is opened, and is there again after a task was looked at in its list', async () => {
  const page = await openAs('alice', '#/search/medlar', { viewport: DESK });
  const hits = page.locator('.hit');
  await page.getByRole('radio', { name: 'Past month' }).check();
  await page.getByRole('link', { name: /Medlar jam/ }).click();
  await textOf(page).getByText('the medlar and medlars').waitFor();
  await eventually(() => hits.locator('[aria-current]').textContent(), /Medlar jam/);
  await checkPage(page);
  await page.getByRole('link', { name: /Prune the medlar/ }).click();
  await page.getByRole('heading', { level: 1, name: 'To Do' }).waitFor();
  await eventually(() => page.getByRole('textbox', { name: 'Title' }).or(page.locator('#task-heading')).count(), 1);
  await page.goBack();
  await hits.first().waitFor();
  assert.equal(await page.getByRole('radio', { name: 'Past month' }).isChecked(), true);
});

it('is narrowed by a sheet on a phone, and a hit has a way back to the others', async () => {
  const page = await openAs('alice', '#/search', { viewport: NARROW, hasTouch: true });
  await page.getByRole('main').getByRole('searchbox').fill('medlar');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Filter results' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filter results' });
  await sheet.getByLabel('Forums and blogs').check();
  await checkPage(page);
  await sheet.getByRole('button', { name: 'Show results' }).click();
  await sheet.waitFor({ state: 'detached' });
  await eventually(() => page.locator('.hit').count(), 2);
  await checkPage(page);
  await page.getByRole('link', { name: /Medlar wine/ }).click();
  await textOf(page).getByText('the medlar and medlars').waitFor();
  await page.getByRole('link', { name: 'Back to the results' }).click();
  await page.getByRole('link', { name: /Medlar jam/ }).waitFor();
  await go(page, '#/search/nomedlaratall');
  await page.getByText('No results.').waitFor();
});

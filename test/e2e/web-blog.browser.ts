// The web client in a browser: a blog, its entries with their whole text and the answers to one.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { checkPage, NARROW, startWebClient, textOf, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

describe('a blog', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`shows the newest entry first, each with its text, and answers below one, ${viewport.width} wide`, async () => {
      const name = `Log${viewport.width}`;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ name, kind: 'public', view: 10, floor: 0 });
      assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
      const page = await openAs('alice', `#/r/${name}`, { colorScheme, viewport });
      await page.getByText('No entries yet.').waitFor();
      await checkPage(page);
      const put = (title: string, text: string) =>
        gateway.as('alice')(`r/${name}/new?subj=${title}`, { method: 'PUT', body: text });
      await put('First', 'The text of the first.');
      await put('Second', 'The text of the second.');
      await page.getByRole('link', { name: 'Second' }).waitFor();
      assert.deepEqual(await page.locator('main h2').allTextContents(), ['Second', 'First']);
      await textOf(page, 0).getByText('The text of the second.').waitFor();
      await textOf(page, 1).getByText('The text of the first.').waitFor();
      await checkPage(page);
      await page.getByRole('article', { name: 'First' }).getByRole('link', { name: 'Reply' }).click();
      await page.getByRole('textbox').last().fill('An answer.');
      await page.getByRole('button', { name: 'Post' }).click();
      await page.getByRole('heading', { name: '1 reply' }).waitFor();
      await textOf(page, 1).getByText('An answer.').waitFor();
      await eventually(() => page.locator('main h2').allTextContents(), ['First']);
      await checkPage(page);
      await page.keyboard.press('u');
      await page.getByRole('link', { name: '1 reply' }).waitFor();
      await page.getByRole('article', { name: 'First' }).getByRole('link', { name: 'First' }).click();
      await page.getByRole('heading', { name: '1 reply' }).waitFor();
    });
  }

  it('is written by those who may, who have a button for it', async () => {
    const name = 'House log';
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name, kind: 'public', view: 10, floor: 0 });
    assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
    const settings = JSON.stringify({ is_read_only: true });
    assert.ok((await gateway.as('alice')('r/House%20log/', { method: 'PATCH', headers, body: settings })).ok);
    const page = await openAs('alice', `#/r/House%20log`);
    await page.getByRole('link', { name: 'New entry' }).first().click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Roof');
    await page.locator('.editor').first().fill('It is tight.');
    await page.keyboard.press('Control+Enter');
    const other = await openAs('bob', `#/r/House%20log`);
    await other.getByRole('link', { name: 'Roof' }).waitFor();
    assert.equal(await other.getByRole('link', { name: /^(New entry|Reply)$/ }).count(), 0);
  });
});

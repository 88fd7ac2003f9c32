// The web client in a browser: pages of a wiki that link to each other, and what they were before.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, go, NARROW, startWebClient, textOf, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const openHeading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor();

describe('a page of a wiki', () => {
  it('leads to other pages by their links, with the mouse and with the keyboard', async () => {
    const page = await openAs('alice', '#/r/Handbook/page/home');
    await openHeading(page, 'Handbook');
    await textOf(page).getByRole('link', { name: 'compost' }).click();
    await openHeading(page, 'Compost');
    await page.goBack();
    await openHeading(page, 'Handbook');
    await textOf(page).getByRole('link', { name: 'tools' }).press('Enter');
    await openHeading(page, 'Tools');
    await eventually(() => page.title(), /^(\(\d+\) )?tools – Handbook/);
  });

  it('opens in a window of its own when asked to, as a page of the client', async () => {
    const page = await openAs('alice', '#/r/Handbook/page/home');
    await openHeading(page, 'Handbook');
    const opened = page.context().waitForEvent('page');
    await textOf(page)
      .getByRole('link', { name: 'compost' })
      .click({ modifiers: ['Control'] });
    await openHeading(await opened, 'Compost');
    await openHeading(page, 'Handbook');
  });

  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`can be written where a link leads to none, changed, and brought back, ${viewport.width} wide`, async () => {
      const name = `Soil tests, ${colorScheme}`;
      const start = `start ${colorScheme}`;
      const response = await gateway.as('alice')(`r/Handbook/${encodeURIComponent(start)}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/html' },
        body: `<p><a href="${name}">soil</a></p>`,
      });
      if (response.status !== 201) throw new Error(`not posted: ${response.status}`);
      const page = await openAs('alice', `#/r/Handbook/page/${encodeURIComponent(start)}`, { colorScheme, viewport });
      await openHeading(page, start);
      await textOf(page).getByRole('link', { name: 'soil' }).click();
      await openHeading(page, `No page called “${name}” yet`);
      await checkPage(page);
      await page.getByRole('link', { name: 'Create this page' }).click();
      await eventually(() => page.getByLabel('Name', { exact: true }).inputValue(), name);
      await page.getByLabel('Format').selectOption({ index: 1 });
      await page.getByText('Source', { exact: true }).click();
      await page.getByLabel('Text (HTML)').fill(`<p>Acid. <a href="${start}">Back</a></p>`);
      await checkPage(page);
      await page.getByRole('button', { name: 'Save page' }).click();
      await textOf(page).getByText('Acid.').waitFor();
      await eventually(() => page.getByRole('button', { name: 'Move' }).count(), 0); // to which other wiki?
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByText('Source', { exact: true }).click();
      await eventually(() => page.getByLabel('Text (HTML)').inputValue(), /<a href="start%20\w+">Back<\/a>/);
      await page.getByLabel('Text (HTML)').fill('<p>Sweet.</p>');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Save page' }).click();
      await textOf(page).getByText('Sweet.').waitFor();
      await page.getByRole('link', { name: 'History' }).click();
      await openHeading(page, `${name}: versions`);
      const versions = page.getByRole('list').filter({ hasText: '(current)' }).getByRole('link');
      await eventually(() => versions.count(), 2);
      await checkPage(page);
      await versions.last().click();
      await openHeading(page, `${name}: old version`);
      await textOf(page).getByText('Acid.').waitFor();
      await checkPage(page);
      await page.getByRole('button', { name: 'Restore this version' }).click();
      await openHeading(page, name);
      await textOf(page).getByText('Acid.').waitFor();
      await textOf(page).getByRole('link', { name: 'Back' }).click();
      await openHeading(page, start);
    });
  }

  it('in Markdown shows what it becomes while it is written, and what changed', async () => {
    const page = await openAs('alice', '#/r/Handbook/new/Fire%20routes', { viewport: NARROW });
    await page.getByLabel('Text', { exact: true }).fill('# Routes\n\nSee [[home]] and [[Cellars|the cellars]].\n');
    await page.getByText('Preview', { exact: true }).click();
    await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Routes' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Save page' }).click();
    await openHeading(page, 'Routes');
    await page.getByText('Page saved.').waitFor();
    // one's own page is no news that would take its place
    await page.waitForTimeout(1500);
    assert.equal(await page.locator('.toast').textContent(), 'Page saved.');
    await eventually(() => page.locator('a.missing').allTextContents(), ['the cellars']);
    await checkPage(page);
    await page.getByRole('link', { name: 'home', exact: true }).click();
    await openHeading(page, 'Handbook');
    await page.goBack();
    await openHeading(page, 'Routes');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Text', { exact: true }).fill('# Routes\n\nSee [[home]].\n');
    await page.getByRole('button', { name: 'Save page' }).click();
    await eventually(() => page.locator('a.missing').count(), 0);
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.diff del').getByText('See [[home]] and [[Cellars|the cellars]].').waitFor();
    await page.locator('.diff ins').getByText('See [[home]].').waitFor();
  });

  it('may be called by a number, or like a resource of the room', async () => {
    for (const name of ['2026', 'info.txt', 'msgs.all']) {
      const page = await openAs('alice', '#/r/Handbook/new');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Text', { exact: true }).fill(`All about ${name}, after [[home]]: see [[${name}]].\n`);
      await page.getByRole('button', { name: 'Save page' }).click();
      await openHeading(page, name);
      await page.getByText(`All about ${name}`).waitFor();
      await page.locator('.page-text').getByRole('link', { name: 'home', exact: true }).click();
      await openHeading(page, 'Handbook');
      await page.goBack();
      await page.locator('.page-text').getByRole('link', { name, exact: true }).click();
      await openHeading(page, name);
      await eventually(() => page.locator('a.missing').count(), 0);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Text', { exact: true }).fill(`More about ${name}.\n`);
      await page.getByRole('button', { name: 'Save page' }).click();
      await page.getByText(`More about ${name}`).waitFor();
      assert.equal((await (await gateway.as('alice')(`r/Handbook/${name}`)).text()).trim(), `More about ${name}.`);
      await page.context().close();
    }
    const text = '<p>see <a href="2026">it</a></p>';
    await gateway.as('alice')('r/Handbook/leads', {
      method: 'PUT',
      headers: { 'content-type': 'text/html' },
      body: text,
    });
    const page = await openAs('alice', '#/r/Handbook/page/leads');
    await textOf(page).getByRole('link', { name: 'it' }).click();
    await openHeading(page, '2026');
  });

  it('of HTML is not turned into rich text unasked where something would be lost', async () => {
    const body = '<p style="color: red">Red</p><table><tr><td>1</td></tr></table><font size="5">big</font>';
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    await gateway.as('alice')('r/Handbook/Colours', { method: 'PUT', headers, body });
    const page = await openAs('alice', '#/r/Handbook/page/Colours');
    await page.getByRole('link', { name: 'Edit' }).click();
    await eventually(() => page.getByLabel('Text (HTML)').inputValue(), body);
    await page.getByText('Rich text', { exact: true }).click();
    await page.getByRole('alertdialog').getByText('style, <font>, size').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => page.getByLabel('Text (HTML)').inputValue(), body);
  });

  it('is found by its name in the list, which is a page of its own on a phone', async () => {
    const page = await openAs('alice', '#/r/Handbook', { viewport: NARROW });
    await openHeading(page, 'Handbook');
    await page.getByRole('link', { name: 'Pages' }).click();
    await page.getByLabel('Filter pages').fill('COMP');
    await page.getByRole('link', { name: 'compost' }).click();
    await openHeading(page, 'Compost');
  });

  for (const [type, body] of [
    ['text/markdown', '# Seed list\n\nBeans.\n\n## Sown\n'],
    ['text/html', '<h1>Seed list</h1><p style="color: green">Beans.</p><h2>Sown</h2>'],
  ] as const) {
    it(`does not say its title twice where it begins with it, as ${type}`, async () => {
      const [same, other] = ['Seed list', 'Seeds'];
      for (const name of [same, other]) {
        const headers = { 'content-type': `${type}; charset=utf-8` };
        const { ok } = await gateway.as('alice')(`r/Handbook/${encodeURIComponent(name)}`, {
          method: 'PUT',
          headers,
          body,
        });
        assert.ok(ok);
      }
      const page = await openAs('alice', '#/r/Handbook/page/Seed%20list');
      const text = () => (type === 'text/html' ? textOf(page) : page.locator('.page-text'));
      const headings = () => text().getByRole('heading').allTextContents();
      await text().getByText('Beans.').waitFor();
      await openHeading(page, same);
      await eventually(headings, ['Sown']);
      await go(page, `#/r/Handbook/page/${other}`);
      // its own first heading is its title, whatever its name is
      await eventually(() => page.title(), new RegExp(other));
      await openHeading(page, same);
      await eventually(headings, ['Sown']);
    });
  }
});

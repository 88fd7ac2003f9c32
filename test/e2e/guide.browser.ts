// The guide in a browser: at the widths of a phone and of a desk, light and dark, and the way to it from the web
// client. What its examples do is tested in guide.test.ts.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { guidePages } from '../support/guide.ts';
import { checkPage, focused, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });
const guide = `${gateway.url}svc/s/guide/`;
/** WCAG 2.2, 1.4.10: what must do without scrolling to the side */
const NARROWEST = { width: 320, height: 640 };

describe('the guide', () => {
  for (const { name } of guidePages) {
    it(`can be read in every width, light and dark: ${name}`, async () => {
      const page = await open();
      await page.goto(guide + name);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const viewport of [NARROWEST, { width: 800, height: 600 }, { width: 1440, height: 900 }]) {
          await page.setViewportSize(viewport);
          await checkPage(page);
        }
      }
    });
  }

  it('is used with the keyboard', async () => {
    const page = await open();
    await page.goto(`${guide}accounts.html`);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await page.getByRole('link', { name: 'All pages' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'pages');
    await page.getByRole('link', { name: 'Backups' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor();
  });

  it('is one step from the log-in, from a page of the web client, and back', async () => {
    const page = await open();
    await page.goto(gateway.url);
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vestibule' }).waitFor();
    assert.equal(page.url(), guide);
    await page.getByRole('link', { name: 'To the rooms' }).click();
    await page.getByLabel('User name').waitFor();

    const inside = await openAs('alice', '#/r/Lobby');
    await inside.getByRole('heading', { name: 'Lobby' }).first().waitFor();
    await inside.getByRole('button', { name: 'Account of alice' }).click();
    await inside.getByRole('menuitem', { name: 'Guide' }).click();
    await eventually(async () => inside.url(), guide);
  });
});

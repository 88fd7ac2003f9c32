// Every view of the web client on every screen: from 320 px to a desk, from right to left, with more contrast. Nothing
// is wider than its place, and what a finger is to touch is large enough.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { checkPage, go, startWebClient } from '../support/web-client.ts';
import { fillRooms, settled, VIEWS } from '../support/web-views.ts';

const checks = await readFile(new URL('../support/fit-checks.js', import.meta.url), 'utf8');
const { gateway, openAs } = await startWebClient({ after, afterEach });

const touch = { hasTouch: true, isMobile: true };
const SCREENS: Record<string, BrowserContextOptions & { dir?: string }> = {
  'the smallest phone': { viewport: { width: 320, height: 640 }, ...touch },
  'a phone, from right to left': { viewport: { width: 390, height: 844 }, ...touch, dir: 'rtl' },
  'a window between phone and desk': { viewport: { width: 768, height: 1024 } },
  'a tablet': { viewport: { width: 1024, height: 768 }, ...touch },
  'a desk, from right to left': { viewport: { width: 1440, height: 900 }, dir: 'rtl' },
};

async function complaintsOn(page: Page): Promise<string[]> {
  return (await page.evaluate(`${checks}\nfitComplaints()`)) as string[];
}

/** As the reader chooses it for a device. */
async function beginAtThe(page: Page, dir: string) {
  await go(page, '#/settings/look');
  await page.getByLabel('Layout').selectOption(dir);
  await page.locator(`html[dir="${dir}"] .app`).waitFor();
}

before(() => fillRooms(gateway));

describe('every view', () => {
  for (const [screen, { dir, ...options }] of Object.entries(SCREENS)) {
    it(`fits ${screen}`, async () => {
      const page = await openAs('alice', '#/', options);
      if (dir) await beginAtThe(page, dir);
      const faults: string[] = [];
      for (const [view, hash] of Object.entries(VIEWS)) {
        await go(page, hash);
        await settled(page);
        faults.push(...(await complaintsOn(page)).map((fault) => `${view}: ${fault}`));
      }
      assert.deepEqual(faults, []);
    });
  }

  it('keeps numbers before what they count where lines run against the words', async () => {
    const page = await openAs('alice', '#/', { locale: 'de-DE' });
    await page.evaluate("localStorage.setItem('direction', 'rtl')");
    await go(page, '#/r/Papers');
    await page.reload();
    await page.locator('html[dir="rtl"]').waitFor();
    const count = page.getByText('3 Einträge', { exact: true }).first();
    await count.waitFor();
    const [number, word] = await count.evaluate((node) =>
      [0, 2].map((at) => {
        const range = node.ownerDocument.createRange();
        range.setStart(node.firstChild!, at);
        range.setEnd(node.firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
    assert.ok(number! < word!, `the number at ${number}, the word at ${word}`);
  });

  it('can be read with more contrast', async () => {
    const page = await openAs('alice', '#/', { contrast: 'more' });
    for (const hash of Object.values(VIEWS)) {
      await go(page, hash);
      await settled(page);
      await checkPage(page);
    }
  });
});

// Every view of the web client as axe-core sees it: no violation, on a desk and on a phone, light and dark.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, afterEach, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { go, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { open, openAs, gateway } = await startWebClient({ after, afterEach });

const VIEWS: Record<string, string> = {
  inbox: '#/',
  mail: '#/r/Mail',
  board: '#/r/Town%20Square',
  calendar: '#/r/Calendar',
  contacts: '#/r/Members',
  tasks: '#/r/To%20Do',
  notes: '#/r/Pinboard',
  wiki: '#/r/Handbook',
  blog: '#/r/Garden%20Diary',
  'a new message': '#/r/Mail/new',
  search: '#/search/the',
  account: '#/account',
  people: '#/people',
  'what waits': '#/outbox',
  'a new room': '#/new-room',
  'settings of a room': '#/r/Mail/settings',
};
const SCREENS: Record<string, BrowserContextOptions> = {
  'on a desk': { viewport: WIDE },
  'on a desk in the dark': { viewport: WIDE, colorScheme: 'dark' },
  'on a phone': { viewport: NARROW, hasTouch: true },
};

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

async function violationsOn(page: Page): Promise<string[]> {
  // the sandboxed frame of a message runs no script, axe's neither
  const found = (await page.evaluate(
    `${axe}\naxe.run(document, { iframes: false }).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}\n${failureSummary}`),
  );
}

/** The view is there: nothing is on its way any more. */
async function settled(page: Page): Promise<void> {
  // what takes time shows its skeleton after 200 ms
  await page.waitForTimeout(400);
  // waitForFunction would need a policy that allows eval
  await eventually(() => page.locator('.skeleton').count(), 0);
}

for (const [screen, options] of Object.entries(SCREENS)) {
  it(`finds nothing wrong ${screen}`, async () => {
    const page = await openAs('alice', '#/', options);
    const faults: string[] = [];
    for (const [view, hash] of Object.entries(VIEWS)) {
      await go(page, hash);
      await settled(page);
      faults.push(...(await violationsOn(page)).map((fault) => `${view}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });
}

it('finds nothing wrong where one logs in, and in what opens by keys', async () => {
  const stranger = await open();
  await stranger.goto(gateway.url);
  await stranger.getByLabel('User name').waitFor();
  assert.deepEqual(await violationsOn(stranger), []);
  const page = await openAs('alice', '#/');
  await settled(page);
  for (const key of ['?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await violationsOn(page), [], key);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

// Every view of the web client as axe-core sees it: no violation, on a desk and on a phone, light and dark.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, afterEach, before, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { go, NARROW, startWebClient, WIDE } from '../support/web-client.ts';
import { fillRooms, settled, VIEWS } from '../support/web-views.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { open, openAs, gateway } = await startWebClient({ after, afterEach });

const SCREENS: Record<string, BrowserContextOptions> = {
  'on a desk': { viewport: WIDE },
  'on a desk in the dark': { viewport: WIDE, colorScheme: 'dark' },
  'on a phone': { viewport: NARROW, hasTouch: true },
};

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** A menu stands at the end of the page and belongs to its button: no landmark is around it. */
async function violationsOn(page: Page, isMenu = false): Promise<string[]> {
  const options = JSON.stringify({ iframes: false, ...(isMenu && { rules: { region: { enabled: false } } }) });
  // the sandboxed frame of a message runs no script, axe's neither
  const found = (await page.evaluate(
    `${axe}\naxe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}\n${failureSummary}`),
  );
}

before(() => fillRooms(gateway));

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

/** What opens over a view: where, how, and what is there then. */
const OPENED: [string, string, (page: Page) => Promise<void>, string][] = [
  ['a new event', '#/r/Calendar/new/2031-05-12', async () => {}, 'dialog'],
  ['an event', '#/r/Calendar/day/2031-05-12', (page) => page.getByRole('button', { name: /^one A/ }).click(), 'dialog'],
  ['the menu of a calendar', '#/r/Calendar/month/2031-05-12', byButton('More'), 'menu'],
  [
    'a small event',
    '#/r/Calendar/month/2031-06-12',
    (page) => page.locator('td[data-day="2031-06-03"]').click(),
    'dialog',
  ],
  ['a task', '#/r/Tasks', (page) => page.getByRole('link', { name: /^A rather/ }).click(), 'complementary'],
  ['the menu of tasks', '#/r/Tasks', byButton('More'), 'menu'],
  ['a new note', '#/r/Notes', byButton('New note'), 'main'],
  ['the menu of contacts', '#/r/Contacts', byButton('More'), 'menu'],
  ['a new group', '#/r/Contacts/new-group', async () => {}, 'main'],
  ['a new folder', '#/r/Papers', byButton('New folder'), 'dialog'],
  ['the menu of a file', '#/r/Papers', byButton('More actions for README.md'), 'menu'],
  ['a file', '#/r/Papers/file/README.md', async () => {}, 'main'],
  [
    'a page being changed',
    '#/r/Handbook/page/tools',
    (page) => page.getByRole('link', { name: 'Edit' }).click(),
    'main',
  ],
  [
    'versions of a page',
    '#/r/Handbook/page/tools',
    (page) => page.getByRole('link', { name: 'History' }).click(),
    'main',
  ],
  ['a new entry', '#/r/Garden%20Diary/new', async () => {}, 'main'],
  ['a new topic', '#/r/Town%20Square/new', async () => {}, 'main'],
  ['a chat', '#/r/Lobby', byButton('Show as chat'), 'log'],
  ['the account', '#/', byButton(/^Account of/), 'menu'],
];

function byButton(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
}

for (const colorScheme of ['light', 'dark'] as const) {
  it(`finds nothing wrong in what opens, ${colorScheme}`, async () => {
    const page = await openAs('alice', '#/', { viewport: WIDE, colorScheme });
    const faults: string[] = [];
    for (const [view, hash, open, role] of OPENED) {
      await go(page, hash);
      await settled(page);
      await open(page);
      await page
        .getByRole(role as 'dialog')
        .filter({ visible: true })
        .first()
        .waitFor({ timeout: 10_000 })
        .catch(() => faults.push(`${view}: does not open`));
      await settled(page);
      faults.push(...(await violationsOn(page, role === 'menu')).map((fault) => `${view}: ${fault}`));
      await page.keyboard.press('Escape');
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

// The web client where the answers of the server come late or in the middle of something: nothing that a member does
// meanwhile is lost, and nothing is undone.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { postedNumber } from '../support/gateway.ts';
import { focused, go, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

/** A public room in which bob has written these. */
async function roomWith(name: string, ...subjects: string[]) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, kind: 'public' });
  assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
  for (const subject of subjects) await post(name, subject);
}

const post = async (room: string, subject: string) =>
  postedNumber(await gateway.as('bob')(`r/${room}/new?subj=${subject}`, { method: 'PUT', body: `Text of ${subject}` }));

/** Requests of this kind wait until the function that it answers is called; `asked` resolves when one waits. */
async function hold(page: Page, method: string, path: RegExp) {
  const { promise: isOver, resolve: letPass } = Promise.withResolvers<void>();
  const { promise: asked, resolve: tell } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      tell();
      await isOver;
    }
    await route.fallback();
  });
  return { asked, letPass };
}

const row = (page: Page, room: string, subject: string) =>
  page.getByRole('list', { name: room }).getByRole('link', { name: new RegExp(subject) });

/** Presses the button of the mouse over the middle of it, and lets it go when `meanwhile` is over. */
async function slowClick(page: Page, target: ReturnType<Page['getByRole']>, meanwhile: () => Promise<void>) {
  const box = (await target.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await meanwhile();
  await page.mouse.up();
}

/** The next answer of this address is made, and comes when it is let pass. */
async function holdAnswer(page: Page, url: string | RegExp): Promise<{ asked: Promise<void>; letPass(): void }> {
  const { promise: isOver, resolve: letPass } = Promise.withResolvers<void>();
  const { promise: asked, resolve: tell } = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      tell();
      await isOver;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { asked, letPass };
}

describe('while an answer is on its way', () => {
  it('goes on by keyboard as soon as a message is there, before it is marked as read', async () => {
    await roomWith('Keys', 'One', 'Two');
    const page = await openAs('alice', '#/r/Keys');
    const mark = await hold(page, 'PATCH', /\/r\/Keys\/\d+$/);
    await row(page, 'Keys', 'One').click();
    await textOf(page).getByText('Text of One').waitFor();
    await mark.asked;
    await eventually(() => focused(page), 'One');
    await page.keyboard.press('k');
    await textOf(page).getByText('Text of Two').waitFor();
    mark.letPass();
    await row(page, 'Keys', 'Unread: ').first().waitFor({ state: 'detached' });
    await eventually(() => page.title(), /^(\(\d+\) )?Two – Keys – /);
    await eventually(() => focused(page), 'Two');
  });

  it('keeps a message unread that is marked so before the mark as read has arrived', async () => {
    await roomWith('Marks', 'One');
    const page = await openAs('alice', '#/r/Marks');
    const mark = await hold(page, 'PATCH', /\/r\/Marks\/\d+$/);
    await row(page, 'Marks', 'One').click();
    await mark.asked;
    const unread = page.waitForRequest((request) => request.postData() === '{"seen":false}');
    await page.getByRole('button', { name: 'Mark as unread', exact: true }).click();
    mark.letPass();
    await (await unread).response();
    await page.reload();
    await eventually(() => row(page, 'Marks', 'One').textContent(), /^Unread/);
  });

  it('does not undo a mark by a list that was asked for before', async () => {
    await roomWith('Lists', 'One');
    const page = await openAs('alice', '#/r/Lists');
    const one = row(page, 'Lists', 'One');
    await eventually(() => one.textContent(), /^Unread/);
    const { asked, letPass } = await holdAnswer(page, /\/r\/Lists\/mailbox\?.*after/);
    await post('Lists', 'Two');
    await asked;
    await one.click();
    await textOf(page).getByText('Text of One').waitFor();
    letPass();
    await row(page, 'Lists', 'Two').waitFor();
    await page.locator('.pane-head').getByText('1 unread').waitFor({ state: 'attached' });
    await eventually(() => one.textContent(), /^One/);
  });

  it('leaves the reader where he has gone while his message is being posted', async () => {
    await roomWith('Posts');
    await roomWith('Elsewhere', 'One');
    const page = await openAs('alice', '#/r/Posts/new');
    const posting = await hold(page, 'PUT', /\/r\/Posts\/new/);
    await page.getByLabel('Message', { exact: true }).fill('Text');
    await page.getByRole('button', { name: 'Post' }).click();
    await posting.asked;
    await go(page, '#/r/Elsewhere');
    const one = row(page, 'Elsewhere', 'One');
    await eventually(() => one.textContent(), /^Unread/);
    posting.letPass();
    await page.getByRole('status').getByText('Message posted.').waitFor();
    await one.click();
    await eventually(() => one.textContent(), /^One/); // marked after all that came with the posting
    await eventually(() => page.evaluate('location.hash'), /^#\/r\/Elsewhere\/\d+$/);
  });

  it('leaves the reader in the room where he has gone while settings were being saved', async () => {
    await roomWith('Settings');
    await roomWith('Reading', 'One');
    const page = await openAs('alice', '#/r/Settings/settings');
    const saving = await hold(page, 'PUT', /\/r\/Settings\/info\.txt$/);
    await page.getByLabel('About this room').fill('Quiet, please.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saving.asked;
    await go(page, '#/r/Reading');
    await row(page, 'Reading', 'One').waitFor();
    saving.letPass();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await row(page, 'Reading', 'One').click();
    await textOf(page).getByText('Text of One').waitFor();
    await go(page, '#/r/Settings');
    await page.getByText('Quiet, please.').waitFor();
  });

  it('does not show what is new in a room by a list that was asked for before it was read', async () => {
    await roomWith('News', 'One');
    await roomWith('Signal');
    const page = await openAs('alice', '#/r/News');
    const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
    await link('News 1 unread').waitFor();
    const { asked, letPass } = await holdAnswer(page, /\/svc\/a\/start$/);
    await post('Signal', 'One');
    await asked;
    await row(page, 'News', 'One').click();
    await textOf(page).getByText('Text of One').waitFor();
    // as long as a mark takes that waits for nothing
    for (let i = 0; i < 5; i++) await page.evaluate('fetch("../a/whoami").then((answer) => answer.text())');
    letPass();
    await link('Signal 1 unread').waitFor();
    await eventually(() => link('News').count(), 1);
  });
});

describe('a click during which something comes', () => {
  it('opens the message it began on, where another one appears in the list', async () => {
    await roomWith('Clicks', 'One', 'Two');
    const page = await openAs('alice', '#/r/Clicks');
    await row(page, 'Clicks', 'Two').waitFor();
    await slowClick(page, row(page, 'Clicks', 'One'), async () => {
      await post('Clicks', 'Three');
      await page.getByRole('status').getByText('One new message.').waitFor();
    });
    await textOf(page).getByText('Text of One').waitFor();
  });

  it('opens the room it began on, where another one has something new', async () => {
    await roomWith('Quiet');
    const page = await openAs('alice', '#/');
    const link = (name: RegExp | string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
    await link('Quiet').waitFor();
    await slowClick(page, link(/^Lobby/), async () => {
      await post('Quiet', 'One');
      await link('Quiet 1 unread').waitFor();
    });
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
  });

  it('does what the toolbar says, where the message has come in between', async () => {
    await roomWith('Tools', 'One');
    const page = await openAs('alice', '#/r/Tools');
    const text = await hold(page, 'GET', /\/r\/Tools\/\d+\/json$/);
    await row(page, 'Tools', 'One').click();
    await text.asked;
    await slowClick(page, page.getByRole('link', { name: 'Reply to this message', exact: true }), async () => {
      text.letPass();
      await textOf(page).getByText('Text of One').waitFor();
    });
    await page.getByRole('heading', { level: 2, name: 'Reply', exact: true }).waitFor();
  });
});

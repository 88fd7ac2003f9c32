// The web client in a browser: a room as a conversation, and a person.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, go, logOut, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
/** what is kept of talks on the device */
const TALKS = "Object.keys(localStorage).filter((key) => key.startsWith('talk:'))";
const put = (name: string, path: string, body: string) => gateway.as(name)(path, { method: 'PUT', body });

describe('a board room as a chat', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`is chosen in its head, goes on live, and stays so on the device, ${viewport.width} wide`, async () => {
      const name = `Kitchen${viewport.width}`;
      const body = JSON.stringify({ name, kind: 'public', view: 0, floor: 0 });
      const headers = { 'content-type': 'application/json' };
      assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
      const page = await openAs('alice', `#/r/${name}`, { colorScheme, viewport });
      await page.getByRole('button', { name: 'Show as chat' }).first().click();
      await page.getByText('No messages yet.').waitFor();
      await checkPage(page);
      const field = page.getByLabel(`Message to ${name}`);
      await field.fill('first line');
      await field.press('Shift+Enter');
      await field.pressSequentially('second https://example.org/x, and more');
      await field.press('Enter');
      const log = page.getByRole('log', { name: 'Conversation' });
      await log.getByRole('link', { name: 'https://example.org/x', exact: true }).waitFor();
      await field.pressSequentially('And then?');
      await field.press('Enter');
      await log.getByText('And then?').waitFor();
      await put('bob', `r/${name}/new`, 'Hello from bob\n\n  indented');
      await log.getByText('Hello from bob').waitFor();
      await eventually(() => log.getByText('bob', { exact: true }).count(), 1);
      await checkPage(page);
      // what was said in a chat is one talk of the board
      const rows = async () => {
        const mailbox = await (await gateway.as('alice')(`r/${name}/mailbox`)).json();
        const { msgs } = mailbox as { msgs: { references: number[]; seen: boolean }[] };
        return msgs.map(({ references, seen }) => [references.length, seen]);
      };
      await eventually(rows, [
        [0, true],
        [1, true],
        [0, true],
      ]);
      await page.reload();
      await log.getByText('Hello from bob').waitFor();
      await page.getByRole('button', { name: 'Show as forum' }).first().click();
      await page
        .getByRole('link', { name: /Hello from bob|no subject/ })
        .first()
        .waitFor();
    });
  }

  it('asks again after a while, not at once, for a text that does not come', async () => {
    const page = await openAs('alice', '#/');
    const asked: string[] = [];
    await page.route('**/json?text=plain', (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await go(page, '#/r/Town%20Square');
    await page.getByRole('button', { name: 'Show as chat' }).first().click();
    await eventually(async () => asked.length > 0, true);
    await page.waitForTimeout(2000);
    assert.deepEqual(asked, [...new Set(asked)]);
    await page.unroute('**/json?text=plain');
    await page.getByRole('log', { name: 'Conversation' }).getByText('They are on their way, see below.').waitFor();
  });

  it('keeps what is said where a file does not come, and what is typed while one goes', async () => {
    const body = JSON.stringify({ name: 'Workshop', kind: 'public', view: 0, floor: 0 });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
    const page = await openAs('alice', '#/r/Workshop');
    await page.getByRole('button', { name: 'Show as chat' }).first().click();
    const field = page.getByLabel('Message to Workshop');
    await page.route('**/svc/p', (route) => route.abort());
    const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') };
    await page.locator('#files').setInputFiles(plan);
    const again = page.getByRole('button', { name: /Retry plan\.txt/ });
    await again.waitFor();
    await field.fill('See the plan');
    await field.press('Enter');
    await eventually(() => field.inputValue(), 'See the plan');
    await page.unroute('**/svc/p');
    await again.click();
    await page.getByRole('button', { name: /^Remove/ }).waitFor();
    await field.press('Enter');
    await page.keyboard.type('Next');
    const log = page.getByRole('log', { name: 'Conversation' });
    await log
      .getByRole('link', { name: /plan\.txt/ })
      .first()
      .waitFor();
    await page.keyboard.type(' one');
    assert.equal(await field.inputValue(), 'Next one');
  });
});

/** Who has just come is not known as online at once. */
async function say(from: string, to: string) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ to, text: `Are you there, ${to}?` });
  await eventually(async () => (await gateway.as(from)('a/im', { method: 'POST', headers, body })).status, 204);
}

describe('a person', () => {
  it('is talked to by instant messages, which stay in sight', async () => {
    const page = await openAs('alice', '#/chat/bob');
    const bobs = await openAs('bob', '#/chat/alice');
    await bobs.getByText('No messages with alice yet.').waitFor();
    await checkPage(bobs);
    await say('alice', 'bob');
    await say('bob', 'alice');
    await bobs.getByText('Are you there, bob?').waitFor();
    await page.getByLabel('Message to bob').fill('Tea?');
    await page.keyboard.press('Enter');
    for (const each of [page, bobs]) await each.getByRole('log', { name: 'Conversation' }).getByText('Tea?').waitFor();
    await bobs.getByLabel('Message to alice').fill('Now.');
    await bobs.keyboard.press('Enter');
    await page.getByRole('log', { name: 'Conversation' }).getByText('Now.').waitFor();
    await page.reload();
    await page.getByRole('log', { name: 'Conversation' }).getByText('Tea?').waitFor();
    await checkPage(page);
  });

  it('is there in other tabs and at the next start, once, until the log-out', async () => {
    const page = await openAs('alice', '#/chat/bob');
    await openAs('bob');
    await say('alice', 'bob');
    const log = (tab: Page) => tab.getByRole('log', { name: 'Conversation' });
    const other = await page.context().newPage();
    await other.goto(page.url());
    await page.getByLabel('Message to bob').fill('Coffee?');
    await page.keyboard.press('Enter');
    for (const each of [page, other]) await log(each).getByText('Coffee?').waitFor();
    await page.close();
    await other.close();
    const next = await page.context().newPage();
    await next.goto(`${gateway.url}svc/a/landing.html#/chat/bob`);
    await log(next).getByText('Coffee?').waitFor();
    assert.equal(await log(next).getByText('Coffee?').count(), 1);
    await logOut(next);
    await next.getByLabel('User name').waitFor();
    assert.deepEqual(await next.evaluate(TALKS), []);
  });

  it('is left in its tab where nothing is to be kept on the device', async () => {
    const page = await openAs('alice', '#/settings/look');
    await openAs('bob');
    await say('alice', 'bob');
    await page.getByLabel('Available offline').uncheck();
    await go(page, '#/chat/bob');
    await page.getByText('Instant messages, kept in this tab only').waitFor();
    await page.getByLabel('Message to bob').fill('Milk?');
    await page.keyboard.press('Enter');
    await page.getByRole('log', { name: 'Conversation' }).getByText('Milk?').waitFor();
    assert.deepEqual(await page.evaluate(TALKS), []);
    await page.reload();
    await page.getByRole('log', { name: 'Conversation' }).getByText('Milk?').waitFor();
  });
});

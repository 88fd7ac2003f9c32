// The web client in a browser: what a member does with messages, rooms, people and his account beyond reading and
// writing.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { basic } from '../support/gateway.ts';
import { checkPage, go, NARROW, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const heading = (page: Page, level: number, name: string) => page.getByRole('heading', { level, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const settings = async (page: Page) => {
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Room settings' }).click();
};
const said = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor();

describe('a message that is open', () => {
  it('is forwarded with its attachments, to somebody who is suggested', async () => {
    const page = await openAs('alice', '#/r/Town%20Square/23');
    await link(page, 'Forward').click();
    const to = page.getByRole('combobox', { name: 'To', exact: true });
    await to.pressSequentially('bo');
    await page.getByRole('option', { name: /^bob/ }).waitFor();
    await checkPage(page);
    await to.fill('bob');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove rainfall.csv' }).waitFor();
    await button(page, 'Send').click();
    await said(page, 'Sending to bob');
    await heading(page, 2, 'Sunrise over bed 3').waitFor();
    await page.goto('about:blank');

    const other = await openAs('bob', '#/r/Mail');
    await other.getByRole('link', { name: /Fwd: Sunrise over bed 3/ }).click();
    await textOf(other).getByText('From: alice').waitFor();
    await textOf(other).getByText('This morning at six:').waitFor();
    await other.getByRole('link', { name: /^rainfall\.csv/ }).waitFor();
  });

  it('is answered to everybody but oneself', async () => {
    const put = { method: 'PUT', body: 'When?' };
    assert.equal((await gateway.as('bob')('r/_MAIL_/new?subj=Party&mailto=alice&mailcc=bob,admin', put)).status, 201);
    const page = await openAs('alice', '#/r/Mail');
    await page.getByRole('link', { name: /Party/ }).click();
    await link(page, 'Reply to all').click();
    await button(page, 'Remove bob').waitFor();
    await page.getByRole('button', { name: /^Remove admin/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 2);
  });

  it('is marked as unread again, and moved to another room', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    const row = page.getByRole('list', { name: 'Town Square' }).getByRole('link', { name: /Tomaten/ });
    await row.click();
    await button(page, 'Mark as unread').click();
    await eventually(() => row.textContent(), /^Unread/);
    // the message is left once the server knows; before, a reload would open and so read it
    await page.waitForURL(/Town%20Square$/);
    await page.reload();
    await eventually(() => row.textContent(), /^Unread/);

    await row.click();
    await page.getByRole('button', { name: /^Move to a room/ }).click();
    const dialog = page.getByRole('dialog');
    await checkPage(page);
    await dialog.getByRole('combobox').fill('lob');
    await page.keyboard.press('Enter');
    await said(page, 'Moved to Lobby');
    await row.waitFor({ state: 'detached' });
    await go(page, '#/r/Lobby');
    await page
      .getByRole('list', { name: 'Lobby' })
      .getByRole('link', { name: /Tomaten/ })
      .waitFor();
  });
});

describe('a wiki', () => {
  it('takes new pages and changes to them, and loses nothing that two have written', async () => {
    const page = await openAs('alice', '#/r/Handbook');
    await link(page, 'New page').click();
    const [name, text] = [page.getByRole('textbox', { name: 'Name', exact: true }), page.getByLabel('Text')];
    await name.fill('home');
    await text.fill('Mine');
    await checkPage(page);
    await button(page, 'Save page').click();
    await page.getByText('A page with this name already exists.').waitFor();
    await name.fill('Bücher 1');
    await button(page, 'Save page').click();
    await heading(page, 2, 'Bücher 1').waitFor();
    await link(page, 'Edit').click();
    await eventually(() => text.inputValue(), 'Mine');
    await text.fill('Mine, again');
    const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'Ours' };
    assert.equal((await gateway.as('bob')('r/Handbook/B%C3%BCcher%201', put)).status, 204);
    await button(page, 'Save page').click();
    const question = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await question.getByText('This was changed on another device.').waitFor();
    await question.getByText('Ours').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => text.inputValue(), 'Mine, again');
    await button(page, 'Discard').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    const row = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /Bücher 1/ });
    await row.click();
    await textOf(page).getByText('Ours').waitFor();
    await link(page, 'Edit').click();
    await text.fill('All of us');
    await button(page, 'Save page').click();
    await textOf(page).getByText('All of us').waitFor();
    await eventually(() => row.count(), 1);
  });
});

describe('beside the rooms', () => {
  it('finds messages of all rooms', async () => {
    const page = await openAs('alice');
    await page.getByRole('searchbox').fill('neighbours board');
    await page.keyboard.press('Enter');
    await page.getByText('One message', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Unread: Hello, neighbours' }).click();
    await textOf(page).getByText('which bed in the garden is yours').waitFor();
    // the results stay beside what was opened
    await page.getByRole('list', { name: 'Messages with “neighbours board”' }).getByText('Town Square').waitFor();
    await go(page, '#/search/nowheretobefound');
    await page.getByText('No results.').waitFor();
  });

  it('changes words about oneself and the password, which takes the old one', async () => {
    const page = await openAs('bob');
    await page.getByRole('button', { name: 'Account of bob' }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByLabel('About you, visible to others').fill('Grows leeks.');
    await button(page, 'Save').click();
    await said(page, 'Saved.');
    assert.equal((await (await gateway.as('alice')('u/bob/bio')).text()).trim(), 'Grows leeks.');
    await page.getByRole('link', { name: 'Password and sessions' }).click();
    for (const [old, words] of [
      ['wrong', 'The old password is wrong.'],
      ['bob', 'Password changed.'],
    ] as const) {
      await page.getByLabel('Current password').fill(old);
      await page.getByLabel('New password').fill('leeks');
      await button(page, 'Change password').click();
      await page.getByText(words).waitFor();
    }
    await go(page, '#/r/Lobby');
    await heading(page, 1, 'Lobby').waitFor();
    assert.equal((await gateway.as('bob', 'leeks')('r/')).status, 200);
    const back = await gateway.as('bob', 'leeks')('a/password', {
      method: 'POST',
      headers: { authorization: basic('bob', 'leeks'), 'content-type': 'application/json' },
      body: JSON.stringify({ old: 'leeks', new: 'bob' }),
    });
    assert.equal(back.status, 204);
  });

  it('shows who is here, and what they say until it is put away', async () => {
    const page = await openAs('bob', '#/people');
    await page.getByText(/online\.$/).waitFor();
    const other = await openAs('alice', '#/people');
    await button(other, 'Message bob').click();
    await other.getByLabel('Message', { exact: true }).fill('Tea at four?');
    await button(other, 'Send').click();
    await said(other, 'Message sent to bob.');
    const log = page.getByRole('log', { name: 'Instant messages' });
    await log.getByText('Tea at four?').waitFor();
    await go(page, '#/');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await log.getByRole('link', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: 'Message to alice' }).waitFor();
    await page.getByRole('log', { name: 'Conversation' }).getByText('Tea at four?').waitFor();
    await log.getByRole('button', { name: 'Close' }).click();
    await eventually(() => log.textContent(), '');
  });

  it('makes a room, names it anew, describes, forgets, brings back and deletes it', async () => {
    const page = await openAs('alice', '#/new-room');
    await page.getByLabel('Name', { exact: true }).fill('Books/B\u00fccher');
    await page.getByLabel('Who may enter').selectOption('Invited people only');
    await page.getByLabel('Floor', { exact: true }).selectOption('Community');
    await button(page, 'Create room').click();
    // who may enter it has to be invited first
    await heading(page, 1, 'Room settings').waitFor();
    await page.getByRole('region', { name: 'Members' }).getByRole('button', { name: 'Invite' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Reading');
    await page.getByLabel('About this room').fill('What we read.');
    await button(page, 'Save').click();
    await heading(page, 1, 'Reading').waitFor();
    await page.getByText('What we read.').waitFor();
    await settings(page);
    await button(page, 'Hide this room').click();
    await page.getByRole('list', { name: 'Hidden' }).getByRole('link', { name: 'Reading' }).click();
    await settings(page);
    await button(page, 'Show this room again').click();
    await page.getByRole('list', { name: 'Community' }).getByRole('link', { name: 'Reading' }).click();
    await settings(page);
    await button(page, 'Delete room').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete room' }).click();
    await said(page, 'Room deleted.');
    await eventually(() => page.getByRole('navigation').getByRole('link', { name: 'Reading' }).count(), 0);
  });

  for (const [colorScheme, viewport] of [
    ['light', undefined],
    ['dark', NARROW],
  ] as const) {
    it(`has names, one h1, contrast and no overflow, ${colorScheme}`, async () => {
      const page = await openAs('alice', '', { colorScheme, ...(viewport && { viewport }) });
      for (const [hash, name] of [
        ['#/search/garden', 'Messages with “garden”'],
        ['#/account', 'Your account'],
        ['#/people', 'Who is online'],
        ['#/new-room', 'New room'],
        ['#/r/Town%20Square/settings', 'Room settings'],
        ['#/r/Town%20Square/23/forward', 'Forward'],
      ] as const) {
        await go(page, hash);
        await page.getByRole('heading', { name, exact: true }).first().waitFor();
        await eventually(() => page.locator('.loading').count(), 0);
        await checkPage(page);
      }
    });
  }
});

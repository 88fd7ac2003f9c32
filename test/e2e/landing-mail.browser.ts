// The web client in a browser: lists of mail. Conversations, what is selected, what is undone, keys.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, focused, go, NARROW, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const mail = async (from: string, to: string, subject: string) => {
  const put = { method: 'PUT', body: `About ${subject}` };
  const path = `r/_MAIL_/new?mailto=${to}&subj=${encodeURIComponent(subject)}`;
  assert.equal((await gateway.as(from)(path, put)).status, 201);
};
const subjects = async (user: string, room: string) => {
  const { msgs } = (await (await gateway.as(user)(`r/${room}/mailbox`)).json()) as { msgs: { subject: string }[] };
  return msgs.map(({ subject }) => subject);
};
const row = (page: Page, subject: string) =>
  page.getByRole('list', { name: 'Mail' }).getByRole('link', { name: new RegExp(subject) });

describe('a mailbox', () => {
  it('moves what is deleted to the trash, and has it back for a while', async () => {
    await mail('bob', 'alice', 'Compost');
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Compost').click();
    await textOf(page).getByText('About Compost').waitFor();
    await page.keyboard.press('#');
    await row(page, 'Compost').waitFor({ state: 'detached' });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Compost').waitFor();
    assert.ok((await subjects('alice', 'Mail')).includes('Compost'));

    await row(page, 'Compost').click();
    await page.getByRole('button', { name: /^Delete/ }).click();
    await row(page, 'Compost').waitFor({ state: 'detached' });
    // who looks into the trash finds it there
    await go(page, '#/r/Trash');
    await page
      .getByRole('list', { name: 'Trash' })
      .getByRole('link', { name: /Compost/ })
      .click();
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Message deleted').waitFor();
    assert.ok(!(await subjects('alice', 'Mail')).includes('Compost'));
  });

  it('keeps what was done when the page is left', async () => {
    await mail('bob', 'alice', 'Leaving');
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Leaving').click();
    await textOf(page).getByText('About Leaving').waitFor();
    await page.keyboard.press('#');
    await page.getByText('Message deleted').waitFor();
    await page.goto('about:blank');
    await eventually(async () => (await subjects('alice', 'Trash')).includes('Leaving'), true);
  });

  it('marks and deletes what is selected by keys and by boxes', async () => {
    for (const subject of ['Ash', 'Birch', 'Cedar']) await mail('alice', 'bob', subject);
    const page = await openAs('bob', '#/r/Mail');
    await row(page, 'Cedar').focus();
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await page.getByRole('checkbox', { name: /Ash$/ }).click({ modifiers: ['Shift'] });
    await page.getByRole('heading', { name: '3 selected' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await eventually(() => row(page, 'Birch').textContent(), /^alice/);
    await page.getByRole('checkbox', { name: /Cedar$/ }).click();
    await page.getByRole('checkbox', { name: /Birch$/ }).click();
    await page.getByRole('toolbar', { name: 'Selected messages' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 messages deleted').waitFor();
    await row(page, 'Birch').waitFor({ state: 'detached' });
    await row(page, 'Ash').waitFor();
    await go(page, '#/r/Trash');
    await page.getByRole('list', { name: 'Trash' }).getByRole('link', { name: /Birch/ }).waitFor();
    assert.deepEqual((await subjects('bob', 'Trash')).sort(), ['Birch', 'Cedar']);
  });

  it('shows what was sent with whom it went to, as read, and answers them', async () => {
    await mail('alice', 'bob', 'Elm');
    const page = await openAs('alice', '#/r/Sent%20Items');
    await page.getByRole('link', { name: /^To: bob.*Elm/ }).click();
    await page.getByRole('link', { name: 'Reply', exact: true }).click();
    await eventually(() => page.getByRole('group', { name: 'To', exact: true }).textContent(), /bob/);
    await page.getByRole('navigation').getByRole('link', { name: 'Sent Items', exact: true }).waitFor();
  });
});

describe('commands', () => {
  it('are found by a part of their name, as rooms are, and by their keys', async () => {
    const page = await openAs('alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'All commands and rooms' }).fill('town');
    await checkPage(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Town Square' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next unread').waitFor();
    await checkPage(page);
    await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.keyboard.press('F6');
    await eventually(() => page.evaluate('location.hash'), '#/r/Town%20Square');
    await page.getByRole('heading', { level: 1, name: 'Town Square' }).waitFor();
  });

  it('narrow the rooms while something is typed, and search with Enter', async () => {
    const page = await openAs('alice');
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    await rooms.getByRole('link', { name: /^Lobby/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('town');
    await rooms.getByRole('link', { name: /^Lobby/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await eventually(() => focused(page), /^Town Square/);
    await page.getByRole('searchbox').fill('neighbours board');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Messages with “neighbours board”' }).waitFor();
  });
});

describe('on a phone', () => {
  it('the bar at the foot leads to the inbox, the rooms, the search and one’s own calendar', async () => {
    const page = await openAs('alice', '', { viewport: NARROW });
    const bar = page.getByRole('navigation', { name: 'Main' });
    for (const [name, title] of [
      ['Rooms', 'Rooms'],
      ['Search', 'Search'],
      ['Calendar', 'Calendar'],
      ['Tasks', 'Tasks'],
    ] as const) {
      await bar.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await eventually(() => bar.getByRole('link', { name }).getAttribute('aria-current'), 'page');
      await checkPage(page);
    }
  });
});

// Marks of read and unread on many messages at once: what is much is asked first, and everything can be taken back as
// it was, from wherever the reader has gone to meanwhile.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { go, startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
const bob = gateway.as('bob');
const MARKED = 'Mark all as read';

async function put(path: string): Promise<void> {
  assert.equal((await bob(path, { method: 'PUT', body: 'Text' })).status, 201, path);
}

interface Listed {
  name: string;
  unread: number;
  is_mailbox: boolean;
}

/** one's own rooms that count in no inbox */
const QUIET = ['Sent Items', 'Drafts', 'Trash', 'Archive'];

/** Numbers of unread messages by room, of the rooms that have some and count in the inbox. */
async function unread(): Promise<Record<string, number[]>> {
  const rooms = (await (await alice('a/start')).json()) as { rooms: Listed[] };
  const some = rooms.rooms.filter((room) => room.unread > 0 && !(room.is_mailbox && QUIET.includes(room.name)));
  const lists = await Promise.all(
    some.map(async ({ name }) => [name, await (await alice(`r/${encodeURIComponent(name)}/msgs.new`)).json()]),
  );
  return Object.fromEntries(lists);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function markAll(page: Page): Promise<void> {
  await button(page, 'More').first().click();
  await page.getByRole('menuitem', { name: MARKED }).click();
}

describe('mark all as read', () => {
  it('in several rooms asks with the counts, and is taken back exactly from elsewhere', async () => {
    for (const room of ['Lobby', 'Town%20Square'])
      for (const n of [1, 2, 3]) await put(`r/${room}/new?subj=Unread${n}`);
    const page = await openAs('alice', '#/');
    const before = await unread();
    const rooms = Object.keys(before).length;
    const count = Object.values(before).flat().length;
    assert.ok(rooms > 1);
    await button(page, MARKED).click();
    const question = page.getByRole('dialog', { name: `Mark ${count} messages in ${rooms} rooms as read?` });
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await unread(), before);
    await button(page, MARKED).click();
    await question.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText(`${count} messages marked as read.`).waitFor();
    assert.deepEqual(await unread(), {});
    await put('r/Lobby/new?subj=Meanwhile');
    const [meanwhile = 0] = (await unread()).Lobby ?? [];
    await go(page, '#/r/Town%20Square');
    await page.getByRole('heading', { level: 1, name: 'Town Square' }).waitFor();
    assert.equal(await page.locator('.row[data-unread]').count(), 0);
    await button(page, 'Undo').click();
    await eventually(unread, { ...before, Lobby: [...(before.Lobby ?? []), meanwhile] });
    await page.locator('.row[data-unread]').first().waitFor();
    const square = before['Town Square']?.length;
    await page
      .getByRole('navigation')
      .getByRole('link', { name: `Town Square ${square} unread` })
      .waitFor();
  });

  it('in one room is done at once, comes back exactly, and is tried again where that fails', async () => {
    await put('r/Lobby/new?subj=Again');
    const before = await unread();
    const page = await openAs('alice', '#/r/Lobby');
    await page.locator('.row[data-unread]').first().waitFor();
    await markAll(page);
    await page.getByText(/marked as read\.$/).waitFor();
    assert.equal(await page.locator('.row[data-unread]').count(), 0);
    assert.equal((await unread()).Lobby, undefined);
    await page.route('**/r/Lobby/**', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await button(page, 'Undo').click();
    await page.getByText(/^Could not undo/).waitFor();
    assert.equal((await unread()).Lobby, undefined);
    await page.unroute('**/r/Lobby/**');
    await button(page, 'Try again').click();
    await eventually(unread, before);
    await page.locator('.row[data-unread]').first().waitFor();
  });

  it('in one room asks where there are many', async () => {
    const json = JSON.stringify({ name: 'Busy', kind: 'public' });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await alice('r/', { method: 'POST', headers, body: json })).status, 201);
    for (let i = 0; i < 51; i++) await put('r/Busy/new?subj=Busy');
    const before = await unread();
    assert.equal(before.Busy?.length, 51);
    const page = await openAs('alice', '#/r/Busy');
    await page.locator('.row[data-unread]').first().waitFor();
    await markAll(page);
    const question = page.getByRole('dialog', { name: 'Mark 51 messages in Busy as read?' });
    await question.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('51 messages marked as read.').waitFor();
    assert.equal((await unread()).Busy, undefined);
    await button(page, 'Undo').click();
    await eventually(unread, before);
  });
});

describe('marks on what is selected', () => {
  it('are taken back as they were, each of its own', async () => {
    const before = await unread();
    assert.ok(before.Lobby && before.Lobby.length > 1);
    const page = await openAs('alice', '#/r/Lobby');
    await page.locator('.row[data-unread]').first().waitFor();
    await button(page, 'More').first().click();
    await page.getByRole('menuitem', { name: 'Select all' }).click();
    await page.keyboard.press('U');
    await page.getByText(/marked as read\.$/).waitFor();
    await eventually(async () => (await unread()).Lobby, undefined);
    await button(page, 'Undo').click();
    await eventually(unread, before);
  });
});

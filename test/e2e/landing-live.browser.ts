// What others do appears in the web client by itself.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const bob = gateway.as('bob');

const put = async (path: string) => {
  assert.equal((await bob(path, { method: 'PUT', body: 'text' })).status, 201);
};

describe('a page that is left open', () => {
  it('shows a message that another posts into the open room, without a reload', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.getByRole('link', { name: /Sunrise/ }).waitFor();
    await page.evaluate('window.isSamePage = true');
    await put('r/Town%20Square/new?subj=Just%20now');
    await page.getByRole('link', { name: /Unread: Just now.*bob/ }).waitFor();
    await page.getByRole('status').getByText('One new message.').waitFor();
    assert.equal(await page.evaluate('window.isSamePage'), true);
  });

  it('goes on telling after another room was opened, and of each message once', async () => {
    const page = await openAs('alice', '#/r/Town%20Square');
    await page.getByRole('link', { name: /Sunrise/ }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await put('r/Lobby/new?subj=First');
    await page.getByRole('link', { name: /First/ }).waitFor();
    await put('r/Lobby/new?subj=Second');
    await page.getByRole('link', { name: /Second/ }).waitFor();
    await eventually(() => page.getByRole('link', { name: /First/ }).count(), 1);
  });

  it('asks once for the start, and not again when the stream begins or another room is opened', async () => {
    const page = await openAs('alice');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .waitFor();
    let starts = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/a/start')) starts++;
    });
    const begun = page.waitForResponse((answer) => answer.url().includes('/a/events'));
    // instant messages are asked for when the stream is open
    const open = page.waitForResponse((answer) => answer.url().endsWith('/a/im'));
    await page.reload();
    await Promise.all([begun, open]);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await put('r/Lobby/new?subj=Third');
    await page.getByRole('link', { name: /Third/ }).waitFor();
    assert.equal(starts, 2, 'one behind the message');
  });

  it('tells of new mail, and marks the room that has something new', async () => {
    const page = await openAs('alice');
    const mail = page.getByRole('navigation').getByRole('link', { name: /^Mail/ });
    await mail.click();
    const all = page.getByRole('menuitem', { name: 'Mark all as read' });
    await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await all.click();
    await page.getByRole('link', { name: 'Mail', exact: true }).waitFor();
    // of mail that comes before the stream only the list of rooms tells
    const stream = page.waitForResponse(/a\/events\?.*room=Lobby/);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .click();
    await stream;
    await put('r/Mail/new?mailto=alice&subj=Psst');
    await page.getByRole('status').getByText('You have new mail.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Mail 1 unread' }).waitFor();
  });

  it('marks a room where something came while the stream was on its way', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Quiet', kind: 'public' });
    assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
    const page = await openAs('alice');
    const { promise: isPosted, resolve: letPass } = Promise.withResolvers<void>();
    await page.route('**/a/events?*', async (route) => {
      await isPosted;
      await route.continue();
    });
    const asked = page.waitForRequest('**/a/events?*');
    await page.reload();
    await asked;
    const room = page.getByRole('navigation').getByRole('link', { name: /^Quiet/ });
    await room.getByText('Quiet', { exact: true }).waitFor();
    await put('r/Quiet/new?subj=Unheard');
    letPass();
    await eventually(() => room.textContent(), /1 unread$/);
  });
});

// The web client in a browser, in front of a room server that behaves as a real one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { findRoom } from '../../src/backend/store/rooms.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { MAX_SCANNED_MESSAGES } from '../../src/limits/protocol.ts';
import { startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';
import { launchBrowser } from '../support/web-client.ts';

describe('a new room', () => {
  it('promises and offers nothing to who has made it where the room server gives him no rights', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    for (const [c_creataide, words] of [
      ['0', 'Room created. Administrators invite people and change its settings.'],
      ['1', 'Room created.'],
    ] as const) {
      const real = await startRealServer(t, { users: { alice: 4 }, settings: { c_creataide } });
      const gateway = await startGateway(t, { backend: `unix:${real.path}` });
      const page = await browser.newPage();
      const data = { username: 'alice', password: 'alicepw' };
      assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
      await page.goto(`${gateway.url}svc/a/landing.html#/new-room`);
      await page.getByLabel('Name', { exact: true }).fill('Club');
      await page.getByLabel('Who may enter').selectOption('Invited people only');
      await page.getByRole('button', { name: 'Create room' }).click();
      await page.getByRole('status').getByText(words, { exact: true }).waitFor();
      // who may invite others is led there, for nobody else can come in
      if (c_creataide === '0') {
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Room settings' }).click();
      }
      await page.getByRole('heading', { name: 'Room settings' }).waitFor();
      const offered = await page.getByRole('button', { name: 'Delete room' }).count();
      assert.equal(offered, c_creataide === '1' ? 1 : 0);
    }
  });
});

describe('a search', () => {
  it('says when there may be more than it has found', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const real = await startRealServer(t, { users: { alice: 4 }, index: { upTo: 0 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    const alice = gateway.as('alice', 'alicepw');
    const post = (subject: string) => alice(`r/_DRAFTS_/new?subj=${subject}`, { method: 'PUT', body: 'x' });
    await post('quince');
    const note = 'Not all older messages have been indexed yet. There may be more results.';
    const page = await browser.newPage();
    const data = { username: 'alice', password: 'alicepw' };
    assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
    await page.goto(`${gateway.url}svc/a/landing.html#/search/quince`);
    await page.getByRole('link', { name: 'quince' }).waitFor();
    await page.getByText('One message', { exact: true }).waitFor();
    const { store } = real.behind;
    store.transaction(() => {
      const drafts = findRoom(store, findUser(store, 'alice'), 'Drafts')!;
      for (let i = 0; i < MAX_SCANNED_MESSAGES; i++) {
        const body = finishedBody(store, 4, Buffer.from('Content-type: text/plain\n\nx\n'));
        const fields = {
          author: 'alice',
          path: 'alice',
          address: '',
          room: 'Drafts',
          subject: i === MAX_SCANNED_MESSAGES - 1 ? 'quince' : 'x',
        };
        saveMessage(store, { ...fields, format: 4, body, rooms: [drafts.id] });
      }
    });
    assert.equal(await page.getByText(note, { exact: true }).count(), 0);
    await page.reload();
    await page.getByText(note, { exact: true }).waitFor();
    assert.equal(await page.getByText('One message', { exact: true }).count(), 1);
    await page.goto(`${gateway.url}svc/a/landing.html#/search/nowhere`);
    await page.getByText('No results.').waitFor();
    assert.equal(await page.getByText(note, { exact: true }).count(), 1);
  });
});

describe('a contact', () => {
  it('is shown after it was saved, though the room server has rewritten it', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const real = await startRealServer(t, { users: { alice: 4 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    const page = await browser.newPage();
    const data = { username: 'alice', password: 'alicepw' };
    assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Contacts`);
    await page.getByRole('button', { name: 'New contact' }).first().click();
    await page.getByLabel('First name').fill('Zoë');
    await page.getByLabel('Last name').fill('Quince');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Zoë Quince' }).waitFor();
    assert.equal(await page.getByText('not here any more').count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('NaN')),
      [],
    );
  });
});

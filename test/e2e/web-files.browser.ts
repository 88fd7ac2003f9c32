// The web client in a browser: a room of files, from making a folder to saving all of it as one archive.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { postedNumber } from '../support/gateway.ts';
import { checkPage, go, NARROW, startWebClient, textOf, WIDE } from '../support/web-client.ts';
import { WireClient } from '../support/wire-client.ts';

const words = ['--line-listen', 'tcp://127.0.0.1:0'];
const { gateway, openAs } = await startWebClient({ after, afterEach }, { words });
const alice = gateway.as('alice');
/** of QRflags (protocol section 8) */
const DIRECTORY = 32;

async function makeRoom(name: string) {
  const body = JSON.stringify({ name, kind: 'public', view: 12, floor: 0 });
  const made = await alice('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(made.status, 201);
  return (path: string, text: string) =>
    alice(`r/${name}/${path}`, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: text });
}

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const chooser = (page: Page) => page.locator('main input[type=file]');
const nameIn = (page: Page, name: string) => page.getByRole('row').getByRole('link', { name, exact: true });

describe('a room of files', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`takes, shows, renames, moves and deletes them, ${viewport.width} wide`, async () => {
      const room = `Papers${viewport.width}`;
      await makeRoom(room);
      const page = await openAs('alice', `#/r/${room}`, { colorScheme, viewport });
      await page.getByText('No files yet.').waitFor();
      await checkPage(page);
      await page.getByRole('button', { name: 'New folder' }).first().click();
      await page.getByRole('dialog').getByLabel('Name').fill('Minutes');
      await page.keyboard.press('Enter');
      await nameIn(page, 'Minutes').click();
      await page.getByText('No files yet.').waitFor();
      await chooser(page).setInputFiles([file('May #1.txt', 'hello'), file('June.txt', 'hi there')]);
      await nameIn(page, 'May #1.txt').waitFor();
      await nameIn(page, 'June.txt').waitFor();
      await checkPage(page);
      // one of that name asks, and replaces it
      await chooser(page).setInputFiles([file('June.txt', 'changed')]);
      await page.getByRole('button', { name: 'Replace' }).click();
      await eventually(() => page.getByRole('button', { name: 'Replace' }).count(), 0);
      await nameIn(page, 'June.txt').click();
      await page.getByText('changed', { exact: true }).waitFor();
      await checkPage(page);
      await page.keyboard.press('u');
      await page.getByRole('button', { name: 'More actions for May #1.txt' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('June.txt');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByText('This name is already in use.').waitFor();
      await page.getByRole('dialog').getByLabel('Name').fill('May.txt');
      await page.getByRole('button', { name: 'Rename' }).click();
      await nameIn(page, 'May.txt').waitFor();
      await page.getByRole('button', { name: 'More actions for May.txt' }).click();
      await page.getByRole('menuitem', { name: 'Move' }).click();
      await page.getByRole('combobox', { name: 'Move to a folder' }).press('Enter');
      await eventually(() => nameIn(page, 'May.txt').count(), 0);
      await page.getByLabel('Select June.txt').check();
      await page.getByRole('button', { name: 'Delete' }).first().click();
      await page.getByText('“June.txt” deleted.').waitFor();
      await eventually(() => nameIn(page, 'June.txt').count(), 0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await nameIn(page, 'June.txt').waitFor();
      await go(page, `#/r/${room}`);
      await nameIn(page, 'May.txt').waitFor();
      assert.equal(await (await alice(`r/${room}/May.txt`)).text(), 'hello');
    });
  }

  it('shows files that are called like what belongs to a room, and the room works all the same', async () => {
    const put = await makeRoom('Named');
    const number = postedNumber(await put('first.txt', 'by name'));
    const names = [`${number}`, 'mailbox', 'slrp', 'feed', 'msgs.new', 'info.txt', 'roompic', 'members', 'new', 'read'];
    for (const name of names) assert.equal((await put(name, `the file ${name}`)).status, 201);
    const page = await openAs('alice', '#/r/Named');
    for (const name of names) {
      await nameIn(page, name).click();
      await page.getByText(`the file ${name}`, { exact: true }).waitFor();
      await go(page, '#/r/Named');
    }
    const unread = async () => (await (await alice('r/Named/%7Cmsgs.new')).json()) as number[];
    const headers = { 'content-type': 'application/json' };
    await alice(`r/Named/%7C${number}`, { method: 'PATCH', headers, body: '{"seen":false}' });
    await eventually(unread, [number]);
    await page.reload();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
    await eventually(unread, []);
    const feed = await page.locator('link[type="application/atom+xml"]').getAttribute('href');
    assert.equal(feed, '../r/Named/%7Cfeed');
    assert.match(await (await alice(feed.slice(3))).text(), /<feed /);
  });

  it('is also an ordinary one with a directory, which can be shown as a board', async () => {
    const name = 'Shelf';
    const body = JSON.stringify({ name, kind: 'public', view: 0, floor: 0 });
    await alice('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { hostname, port } = new URL(gateway.lineUrl!);
    const line = await WireClient.login({ host: hostname, port: Number(port) }, 'alice', 'alice');
    await line.expect(`GOTO ${name}`, 200);
    const flags = Number((await line.ask('GETR')).line.split('|')[3]);
    await line.expect(`SETR ${name}||shelf|${flags | DIRECTORY}`, 200);
    line.close();
    await alice(`r/${name}/Note.txt`, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'on paper' });
    const letter = postedNumber(await alice(`r/${name}/new?subj=Welcome`, { method: 'PUT', body: 'to the shelf' }));
    const page = await openAs('alice', `#/r/${name}`);
    await nameIn(page, 'Note.txt').waitFor();
    await chooser(page).setInputFiles([file('Plan.txt', 'a plan')]);
    await nameIn(page, 'Plan.txt').click();
    await page.getByText('a plan', { exact: true }).waitFor();
    await checkPage(page);
    // as the inbox and a search name it
    await go(page, `#/r/${name}/${letter}`);
    await textOf(page).getByText('to the shelf').waitFor();
    await go(page, `#/r/${name}`);
    await nameIn(page, 'Plan.txt').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Show as forum' }).click();
    await page
      .getByRole('link', { name: /Welcome/ })
      .first()
      .click();
    await textOf(page).getByText('to the shelf').waitFor();
    await checkPage(page);
    await go(page, `#/r/${name}`);
    await page.getByRole('button', { name: 'Show as files' }).first().click();
    await nameIn(page, 'Plan.txt').waitFor();
  });

  it('says what of a folder another room server has not deleted', async () => {
    const put = await makeRoom('Kept');
    await alice('r/Kept/House', { method: 'MKCOL' });
    await put('House/a.txt', 'a');
    const page = await openAs('alice', '#/r/Kept');
    const left = `<response><href>/svc/r/Kept/House/a%20b.txt</href><status>HTTP/1.1 403 Forbidden</status></response>`;
    await page.route('**/r/Kept/House/', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 207,
            contentType: 'text/xml',
            body: `<multistatus xmlns="DAV:">${left}</multistatus>`,
          })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'More actions for House' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Could not be changed: House/a b.txt').waitFor();
    await nameIn(page, 'House').waitFor();
  });

  it('are selected and moved into a folder by keys alone', async () => {
    const put = await makeRoom('Drawer');
    await alice('r/Drawer/Letters/', { method: 'MKCOL' });
    await put('stamp.txt', 'x');
    const page = await openAs('alice', '#/r/Drawer');
    await page.getByLabel('Select stamp.txt').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('v');
    await page.getByRole('combobox', { name: 'Move to a folder' }).waitFor();
    await page.keyboard.type('lett');
    await page.keyboard.press('Enter');
    await page.getByText('1 item moved to Letters.').waitFor();
    assert.equal((await alice('r/Drawer/Letters/stamp.txt')).status, 200);
    assert.equal((await alice('r/Drawer/stamp.txt')).status, 404);
  });

  it('of which several were moved come back to where each was', async () => {
    const put = await makeRoom('Chest');
    await alice('r/Chest/Letters/', { method: 'MKCOL' });
    await put('a.txt', 'x');
    await put('b.txt', 'x');
    const page = await openAs('alice', '#/r/Chest');
    for (const name of ['a.txt', 'b.txt']) await page.getByLabel(`Select ${name}`).check();
    await page.keyboard.press('v');
    await page.getByRole('combobox', { name: /^Move 2 items/ }).waitFor();
    await page.keyboard.type('lett');
    await page.keyboard.press('Enter');
    await page.getByText('2 items moved to Letters.').waitFor();
    assert.equal((await alice('r/Chest/Letters/b.txt')).status, 200);
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const name of ['a.txt', 'b.txt']) await nameIn(page, name).waitFor();
    assert.equal((await alice('r/Chest/Letters/b.txt')).status, 404);
  });

  it('saves a folder with all that is in it as one archive', async () => {
    const put = await makeRoom('Plans');
    await alice('r/Plans/House/', { method: 'MKCOL' });
    await alice('r/Plans/House/Roof/', { method: 'MKCOL' });
    await put('House/a.txt', 'first');
    await put('House/Roof/b.txt', 'second');
    const page = await openAs('alice', '#/r/Plans');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More actions for House' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'House.zip');
    const { stdout } = await promisify(execFile)('unzip', ['-Z1', await download.path()]);
    assert.deepEqual(stdout.trimEnd().split('\n').sort(), ['House/', 'House/Roof/', 'House/Roof/b.txt', 'House/a.txt']);
  });
});

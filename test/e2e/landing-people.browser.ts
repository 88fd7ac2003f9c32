// The web client in a browser: other people. Instant messages, profiles, members and pictures of rooms, and what only
// administrators see: accounts and floors.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ADMIN_PASSWORD } from '../support/gateway.ts';
import { checkPage, focused, go, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });

/** 1 pixel, made by hand: signature, IHDR, IDAT, IEND */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = { name: 'a.png', mimeType: 'image/png', buffer: PNG };
const LOOKS = [
  ['light', WIDE],
  ['dark', NARROW],
] as const;

async function openAsAdmin(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await open(options);
  const data = { username: 'admin', password: ADMIN_PASSWORD };
  assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
  await page.goto(`${gateway.url}svc/a/landing.html${hash}`);
  return page;
}

interface Mailbox {
  msgs: { msgnum: number; author: string; subject: string }[];
}

const openHeading = (page: Page, name: string, level = 1) =>
  page.getByRole('heading', { level, name, exact: true }).waitFor();
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
const as =
  (user: string, password = user) =>
  async (path: string, method: string, value?: unknown) => {
    const body = value === undefined ? {} : { body: JSON.stringify(value) };
    const response = await gateway.as(user, password)(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...body,
    });
    assert.ok(response.status < 300, `${path}: ${response.status}`);
  };
const alices = as('alice');
const bobs = as('bob');

describe('an instant message', () => {
  it('appears as it comes, in every window, without a look at the server now and then', async () => {
    const page = await openAs('alice');
    await openHeading(page, 'Inbox');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await openHeading(second, 'Inbox');
    // the windows look once in a minute where nothing tells them
    for (const each of [page, second]) await each.clock.install();
    for (const text of ['Tea?', 'Now?']) {
      await eventually(async () => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ to: 'alice', text });
        return (await gateway.as('bob')('a/im', { method: 'POST', headers, body })).status;
      }, 204);
      for (const each of [page, second]) {
        await each.getByRole('log', { name: 'Instant messages' }).getByText(text, { exact: true }).waitFor();
      }
    }
  });
});

describe('a user', () => {
  for (const [colorScheme, viewport] of LOOKS) {
    it(`is shown with picture and words by a click on the author, ${viewport.width} wide`, async () => {
      await bobs('u/bob/bio', 'PUT', 'I like gardens.');
      const put = await gateway.as('bob')('u/bob/userpic', {
        method: 'PUT',
        body: PNG,
        headers: { 'content-type': 'image/png' },
      });
      assert.equal(put.status, 204);
      const page = await openAs('alice', '#/r/Mail', { colorScheme, viewport });
      await page.getByRole('link', { name: /Lunch/ }).click();
      await page.getByRole('button', { name: 'bob', exact: true }).click();
      await checkPage(page);
      await page.getByRole('dialog').getByRole('link', { name: 'About this person' }).click();
      await openHeading(page, 'bob');
      await eventually(() => focused(page), 'bob');
      await page.getByRole('img', { name: 'Picture of bob' }).waitFor();
      await page.getByText('I like gardens.').waitFor();
      await checkPage(page);
      await page.getByRole('link', { name: 'Send mail' }).click();
      await page.getByRole('button', { name: 'Remove bob', exact: true }).waitFor();
    });
  }

  it('who is not there is said not to be', async () => {
    const page = await openAs('alice', '#/user/Nobody%20here');
    await page.getByRole('alert').getByText('such user').waitFor();
  });
});

describe('the settings of a room', () => {
  for (const [colorScheme, viewport] of LOOKS) {
    it(`let its administrator invite, put out, and give it a picture, ${viewport.width} wide`, async () => {
      const name = `Cellar ${colorScheme}`;
      const path = `r/${encodeURIComponent(name)}`;
      await alices('r/', 'POST', { name, kind: 'invitation' });
      const enters = async () => (await gateway.as('bob')(`${path}/`)).status;
      assert.equal(await enters(), 404);
      const page = await openAs('alice', `#/${path}/settings`, { colorScheme, viewport });
      const members = page.getByRole('region', { name: 'Members' });
      await members.getByRole('link', { name: 'alice' }).waitFor();
      await checkPage(page);
      await members.getByLabel('User name').fill('bob');
      await members.getByLabel('Message (optional)').fill('Mind the stairs.');
      await members.getByRole('button', { name: 'Invite' }).click();
      await said(page, 'bob added and notified by mail.');
      await members.getByRole('button', { name: 'Remove bob' }).waitFor();
      assert.equal(await enters(), 200);
      const [told] = ((await (await gateway.as('bob')('r/Mail/mailbox?last=1')).json()) as Mailbox).msgs;
      assert.deepEqual([told!.author, told!.subject], ['alice', `You are invited to ${name}`]);
      const letter = await (await gateway.as('bob')(`r/Mail/${told!.msgnum}`)).text();
      assert.ok(letter.includes(`${gateway.url}svc/a/landing.html#/${path}\n\nMind the stairs.`), letter);
      await members.getByRole('button', { name: 'Remove bob' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await said(page, 'bob removed.');
      await eventually(() => members.getByRole('link', { name: 'bob' }).count(), 0);
      assert.equal(await enters(), 404);
      await members.getByLabel('Notify by mail').uncheck();
      await members.getByLabel('User name').fill('bob');
      await members.getByRole('button', { name: 'Invite' }).click();
      await said(page, 'bob added.');
      await members.getByLabel('User name').fill('Nobody here');
      await members.getByRole('button', { name: 'Invite' }).click();
      await members.getByRole('alert').waitFor();
      await checkPage(page);

      await page.getByLabel('Choose picture').setInputFiles(picture);
      await said(page, 'Picture updated.');
      await go(page, `#/${path}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('img', { name: `Picture of ${name}` }).waitFor();
      await checkPage(page);
      await page.reload();
      await page.getByRole('img', { name: `Picture of ${name}` }).waitFor();
      await go(page, `#/${path}/settings`);
      await page.getByRole('button', { name: 'Remove picture' }).click();
      await said(page, 'Picture removed.');
      await eventually(() => page.getByRole('img', { name: /^Picture/ }).count(), 0);
      assert.equal((await gateway.as('alice')(`${path}/roompic`)).status, 404);
    });
  }

  it('change what it is for and who may do what, and leave the rest as it is', async () => {
    await alices('r/', 'POST', { name: 'Shed', kind: 'public' });
    const page = await openAs('alice', '#/r/Shed/settings');
    const rules = page.getByRole('region', { name: 'Permissions' });
    await rules.getByLabel('Type of room').selectOption('Tasks');
    await rules.getByLabel('Floor').selectOption('Community');
    await rules.getByLabel('Author names').selectOption('Always hidden');
    await rules.getByLabel('Only administrators can write').check();
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await said(page, 'Saved.');
    await checkPage(page);
    const shed = (await (await gateway.as('alice')('r/Shed/')).json()) as Record<string, unknown>;
    const { default_view, is_read_only, is_anonymous_only, is_anonymous_optional, room_aide, is_private } = shed;
    assert.deepEqual([default_view, is_read_only, is_anonymous_only, is_anonymous_optional], [4, true, true, false]);
    assert.deepEqual([room_aide, is_private], ['alice', false]);
    await go(page, '#/r/Shed');
    await page.getByLabel('New task').waitFor();
  });

  it('show no members to those who do not administer it', async () => {
    const page = await openAs('bob', '#/r/Lobby/settings');
    await page.getByRole('button', { name: 'Hide this room' }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Members' }).count(), 0);
    assert.equal(await page.getByRole('region', { name: 'Picture' }).count(), 0);
  });
});

describe('an administrator', () => {
  for (const [colorScheme, viewport] of LOOKS) {
    it(`makes, changes and deletes accounts, ${viewport.width} wide`, async () => {
      const name = `dora ${colorScheme}`;
      const logsIn = async (password: string) => (await gateway.as(name, password)('a/whoami')).status;
      const page = await openAsAdmin('#/settings', { colorScheme, viewport });
      await page.getByRole('link', { name: 'Users' }).click();
      await openHeading(page, 'Users');
      await page.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'alice' }).waitFor();
      await checkPage(page);
      await page.getByRole('button', { name: 'New user' }).filter({ visible: true }).click();
      const fresh = page.getByRole('dialog');
      await fresh.getByLabel('User name').fill(name);
      await fresh.getByLabel('Password').fill('geheim');
      // nobody reads it over a shoulder
      assert.equal(await fresh.getByLabel('Password').getAttribute('type'), 'password');
      await page.keyboard.press('Enter');
      await said(page, `Account ${name} created.`);
      assert.equal(await logsIn('geheim'), 200);
      const level = page.getByLabel(`Role of ${name}`);
      await level.focus();
      await level.evaluate('each => each.className = "before"');
      await level.selectOption('Administrator');
      await said(page, `Role of ${name} changed.`);
      await page.locator('.before').waitFor({ state: 'detached' });
      await eventually(() => page.evaluate('document.activeElement.ariaLabel'), `Role of ${name}`);
      await page.getByRole('button', { name: `More actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Set password' }).click();
      await page.getByRole('dialog').getByLabel('New password').fill('anders');
      await checkPage(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click();
      await said(page, `Password of ${name} changed.`);
      assert.deepEqual([await logsIn('geheim'), await logsIn('anders')], [401, 200]);
      await page.getByLabel('Find a user').fill('no such');
      await page.getByText('No users match.').waitFor();
      await page.getByLabel('Find a user').fill('dora');
      await page.getByRole('button', { name: `More actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await said(page, `${name} deleted.`);
      await eventually(() => page.getByRole('button', { name: `More actions for ${name}` }).count(), 0);
      assert.equal(await logsIn('anders'), 401);
      await checkPage(page);
    });

    it(`makes, names and deletes floors, ${viewport.width} wide`, async () => {
      const [first, second] = [`Attic ${colorScheme}`, `Loft ${colorScheme}`];
      const page = await openAsAdmin('#/floors', { colorScheme, viewport });
      await openHeading(page, 'Floors');
      await checkPage(page);
      await page.getByLabel('Name', { exact: true }).fill(first);
      await page.keyboard.press('Enter');
      const floors = page.getByRole('list', { name: 'Floors' });
      await floors.getByText(first).waitFor();
      await page.getByRole('button', { name: `Rename ${first}` }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(second);
      await page.keyboard.press('Enter');
      await floors.getByText(second).waitFor();
      await eventually(() => page.getByRole('button', { name: 'Delete Main Floor' }).count(), 0);
      await page.getByRole('button', { name: `Delete ${second}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await said(page, 'Floor deleted.');
      await eventually(() => floors.getByText(second).count(), 0);
      await checkPage(page);
    });

    it(`finds any room with who may enter, and the way to its settings, ${viewport.width} wide`, async () => {
      const page = await openAsAdmin('#/settings', { colorScheme, viewport });
      await page.getByRole('link', { name: 'All rooms' }).filter({ visible: true }).click();
      await openHeading(page, 'All rooms');
      const rooms = page.getByRole('table', { name: 'All rooms' });
      await rooms.getByRole('rowheader', { name: 'Community' }).waitFor();
      await checkPage(page);
      // one's own are nobody else's affair
      assert.equal(await rooms.getByRole('link', { name: 'Mail', exact: true }).count(), 0);
      await page.getByLabel('Find a room').fill('COMMIT');
      await page.getByText('1 room', { exact: true }).waitFor();
      if (viewport.width > 800) await rooms.getByRole('cell', { name: 'Anyone with the password' }).waitFor();
      await page.getByLabel('Find a room').fill('no such');
      await page.getByText('No rooms match.').waitFor();
      await page.getByLabel('Find a room').fill('handb');
      await page.getByRole('link', { name: 'Settings for Handbook' }).click();
      await openHeading(page, 'Room settings');
    });
  }

  it('is told of accounts that were never used, which have no time', async () => {
    await as('admin', ADMIN_PASSWORD)('u/', 'POST', { username: 'late riser', password: 'geheim' });
    const page = await openAsAdmin('#/users');
    const row = page.getByRole('row', { name: /late riser/ });
    await row.getByRole('cell', { name: 'never logged in', exact: true }).waitFor();
    await go(page, '#/user/late%20riser');
    await openHeading(page, 'late riser');
    await page.getByText('never logged in', { exact: true }).waitFor();
    assert.equal(await page.getByText(/last login/).count(), 0);
  });

  it('finds who is online, and what the server says of itself', async () => {
    await gateway.as('bob')('a/whoami');
    const page = await openAsAdmin('#/people');
    await page.getByRole('main').getByRole('link', { name: 'bob' }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'This server' }).click();
    await page.getByText('Software', { exact: true }).waitFor();
    await checkPage(page);
  });

  it('alone can change them', async () => {
    const page = await openAs('alice', '#/account');
    await openHeading(page, 'Your account');
    for (const [hash, role, name, sign] of [
      ['#/users', 'table', 'Users', 'bob'],
      ['#/floors', 'list', 'Floors', 'Community'],
    ] as const) {
      await go(page, hash);
      await page.getByRole(role, { name }).getByText(sign).first().waitFor();
      assert.equal(await page.getByRole('main').locator('button:visible, select:visible').count(), 0);
      await checkPage(page);
    }
  });
});

// One browser, several windows, and somebody who logs out or in in one of them: no window shows, or does, anything for
// an account that is not the session's. What another window says, and what the server says, is enough by itself.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ADMIN_PASSWORD } from '../support/gateway.ts';
import { go, logIn, logOut, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });

const SECRET = 'Bobs secret plan';
const ask = (user: string, path: string, init = {}, password = user) =>
  gateway.as(user, password)(path, init) as Promise<Response>;

before(async () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'carol', password: 'carol' });
  assert.equal((await ask('admin', 'u/', { method: 'POST', headers, body }, ADMIN_PASSWORD)).status, 201);
  const posted = await ask('alice', `r/Mail/new?mailto=bob&subj=${encodeURIComponent(SECRET)}`, {
    method: 'PUT',
    body: 'x',
  });
  assert.equal(posted.status, 201);
});

const account = (page: Page, name: string) => page.getByRole('button', { name: `Account of ${name}` }).waitFor();
const logInPage = (page: Page) => page.getByRole('heading', { name: 'Log in' }).waitFor();
const secret = (page: Page) => page.getByText(SECRET).first().waitFor();

/** A window of the same browser. */
async function another(page: Page, hash: string): Promise<Page> {
  const window = await page.context().newPage();
  await window.goto(`${gateway.url}svc/a/landing.html${hash}`);
  return window;
}

/** What the window holds of its page: the document, and what it is called. */
const holds = (page: Page, text: string) =>
  page.evaluate<boolean>(`document.documentElement.outerHTML.includes(${JSON.stringify(text)})`);

/** By a request of the browser that no window has made: only the server can tell. */
async function elsewhere(page: Page, path: string, data?: unknown): Promise<void> {
  const answer = await page.context().request.post(`${gateway.url}svc/${path}`, { data });
  assert.ok(answer.ok(), `${answer.status()}`);
}
const asCarol = { username: 'carol', password: 'carol' };

/** As from the browser's memory of pages. */
const comeBack = (page: Page) =>
  page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");

/** The window hears nothing of others. */
async function deafen(page: Page, hasStream: boolean): Promise<void> {
  if (!hasStream) await page.addInitScript('window.EventSource = class extends EventTarget { close() {} }');
  await page.addInitScript(`
    BroadcastChannel.prototype.addEventListener = () => {};
    addEventListener('storage', (event) => event.stopImmediatePropagation(), true);
    Storage.prototype.getItem = ((own) => function (key) {
      return key.startsWith('account of') ? null : own.call(this, key);
    })(Storage.prototype.getItem);`);
}

async function titlesOf(user: string): Promise<string[]> {
  const { msgs } = (await (await ask(user, 'r/Notes/mailbox')).json()) as { msgs: { subject: string }[] };
  return msgs.map(({ subject }) => subject);
}

describe('two windows of bob', () => {
  it('are empty when one logs out, and are the next one’s when she logs in', async () => {
    const first = await openAs('bob', '#/r/Mail');
    await secret(first);
    const second = await another(first, '#/r/Mail');
    await secret(second);
    await logOut(first);
    await logInPage(first);
    await logInPage(second);
    for (const page of [first, second]) {
      assert.equal(await holds(page, SECRET), false);
      assert.equal(await holds(page, 'bob'), false);
      assert.doesNotMatch(await page.title(), /Mail|\(\d/);
    }
    await logIn(first, 'carol');
    await account(first, 'carol');
    await account(second, 'carol');
    assert.equal(new URL(second.url()).hash, '#/', 'where bob was is nothing to her');
    await go(second, '#/r/Notes');
    await second.getByRole('button', { name: 'New note' }).first().click();
    await second.getByLabel('Title').fill('Of carol');
    await eventually(() => titlesOf('carol'), ['Of carol']);
    assert.deepEqual(await titlesOf('bob'), []);
  });

  it('go on where they were when bob logs in again', async () => {
    const first = await openAs('bob', '#/');
    await account(first, 'bob');
    const second = await another(first, '#/r/Lobby');
    await account(second, 'bob');
    await logOut(first);
    await logInPage(second);
    await logIn(second, 'bob');
    await account(first, 'bob');
    await second.getByRole('heading', { name: 'Lobby' }).first().waitFor();
  });

  it('are both of the next one when she logs in beside him', async () => {
    const first = await openAs('bob', '#/r/Mail');
    await secret(first);
    const second = await another(first, '#/r/Mail');
    await secret(second);
    await elsewhere(first, 'a/login', asCarol);
    // one of them finds out
    await first.reload();
    await account(first, 'carol');
    await account(second, 'carol');
    assert.equal(await holds(second, SECRET), false);
  });
});

describe('a window that hears of others by the server alone', () => {
  const openDeaf = async (hash: string, { hasStream = false } = {}) => {
    const page = await open();
    await deafen(page, hasStream);
    await elsewhere(page, 'a/login', { username: 'bob', password: 'bob' });
    await page.goto(`${gateway.url}svc/a/landing.html${hash}`);
    await account(page, 'bob');
    return page;
  };

  it('has no note of bob land with carol, who has logged in meanwhile', async () => {
    const page = await openDeaf('#/r/Notes');
    await page.getByRole('button', { name: 'New note' }).first().click();
    await page.getByLabel('Title').waitFor();
    await elsewhere(page, 'a/login', asCarol);
    await page.getByLabel('Title').fill('Of bob');
    await account(page, 'carol');
    assert.equal(await holds(page, 'Of bob'), false);
    assert.ok(!(await titlesOf('carol')).includes('Of bob'));
    await logOut(page);
    await logInPage(page);
    await logIn(page, 'bob');
    await account(page, 'bob');
    assert.ok(!(await titlesOf('carol')).includes('Of bob'));
  });

  it('keeps a mail of bob for him', async () => {
    const page = await openDeaf('#/r/Mail/new');
    const returned = async (user: string) => {
      await elsewhere(page, 'a/login', { username: user, password: user });
      await comeBack(page);
      await account(page, user);
    };
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).click();
    const sent = async () => {
      const { msgs } = (await (await ask('alice', 'r/Mail/mailbox')).json()) as {
        msgs: { subject: string; author: string }[];
      };
      return msgs.filter(({ subject }) => subject === 'From bob himself').map(({ author }) => author);
    };
    await page.getByRole('combobox', { name: 'To' }).fill('alice');
    await page.keyboard.press('Enter');
    await page.getByLabel('Subject', { exact: true }).fill('From bob himself');
    await page.locator('[contenteditable="true"]').fill('Not for carol.');
    await page.getByText(/^Draft saved/).waitFor();
    await elsewhere(page, 'a/login', asCarol);
    await send();
    await account(page, 'carol');
    await returned('bob');
    await go(page, '#/r/Drafts');
    await page.getByRole('link', { name: /From bob himself/ }).click();
    await eventually(() => page.getByLabel('Subject', { exact: true }).inputValue(), 'From bob himself');
    await send();
    await page.getByText('Sending to alice').waitFor();
    await returned('carol');
    assert.deepEqual(await sent(), []);
    await returned('bob');
    assert.deepEqual(await sent(), []);
  });

  it('shows the log-in page at once when the session is ended elsewhere, and then the same place', async () => {
    for (const end of ['a/logout', 'password'] as const) {
      const page = await openDeaf('#/r/Mail', { hasStream: true });
      await secret(page);
      if (end === 'a/logout') await elsewhere(page, end);
      else {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ old: 'bob', new: 'bob' });
        assert.equal((await ask('bob', 'a/password', { method: 'POST', headers, body })).status, 204);
      }
      await page.getByText('Your session has expired.').waitFor();
      assert.equal(await holds(page, SECRET), false);
      await logIn(page, 'bob');
      await secret(page);
    }
  });

  it('asks the server when it comes back as it was', async () => {
    const page = await openDeaf('#/r/Mail');
    await secret(page);
    await elsewhere(page, 'a/login', asCarol);
    await comeBack(page);
    await account(page, 'carol');
    assert.equal(await holds(page, SECRET), false);
  });
});

// App passwords in a browser: made, shown once, seen in use, ended; and pages of another origin, named and not.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, it } from 'node:test';
import { checkPage, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

/** two origins with an empty page each; the gateway knows the first */
const [named, other] = await Promise.all([serveNothing(), serveNothing()]);
const words = ['--allow-origin', named];
const { gateway, open, openAs, otherHosts } = await startWebClient({ after, afterEach }, { words });
otherHosts.push(named, other);

async function serveNothing(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Front end</title><link rel="icon" href="data:,"></html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const viewport of [WIDE, NARROW]) {
  it(`an app password is made, shown once and ended, ${viewport.width} wide`, async () => {
    const name = `Telephone ${viewport.width}`;
    const page = await openAs('alice', '#/settings/password', { viewport });
    const section = page.getByRole('region', { name: 'App passwords' });
    await section.getByLabel('App or device').fill(name);
    // several connections of one program from one place are one line
    assert.equal(await page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').count(), 1);
    await section.getByLabel('Access').selectOption('dav');
    await section.getByLabel('Your own password').fill('wrong');
    await section.getByRole('button', { name: 'Create app password' }).click();
    await section.getByText('The password is wrong.').waitFor();
    await section.getByLabel('Your own password').fill('alice');
    await section.getByRole('button', { name: 'Create app password' }).click();
    const secret = (await section.getByRole('status').locator('code').textContent()) ?? '';
    assert.match(secret, /^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/);
    await checkPage(page);
    const calendar = async () => {
      const init = { method: 'PROPFIND', headers: { depth: '0' } };
      return (await gateway.as('alice', secret)('r/_CALENDAR_/', init)).status;
    };
    await section.getByText(name).waitFor();
    await section.getByText('never used').waitFor();
    assert.equal(await calendar(), 207);
    await page.reload();
    await section.getByText('last used').waitFor();
    assert.equal(await page.getByText(secret).count(), 0, 'not a second time');
    await section.getByRole('button', { name: `Revoke: ${name}` }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(name).waitFor();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await section.getByText(name).waitFor({ state: 'detached' });
    assert.equal(await calendar(), 401);
  });
}

it('a page of a named origin reads, writes and logs in; a page of any other does not', async () => {
  /** what a front end would do, with a password and with the cookie; undefined where the browser keeps it back */
  const use = async (origin: string) => {
    const page = await open();
    page.removeAllListeners('console'); // the browser says there what it keeps back
    await page.goto(origin);
    return page.evaluate(
      async ([base, authorization]) => {
        const ask = async (path: string, init: RequestInit) => {
          try {
            const response = await fetch(`${base}svc/${path}`, init);
            return [response.status, response.headers.get('etag') !== null];
          } catch {
            return undefined;
          }
        };
        const headers = { authorization: authorization! };
        return {
          read: await ask('r/Lobby/', { headers }),
          list: await ask('r/Lobby/', { method: 'PROPFIND', headers: { ...headers, depth: '0' } }),
          write: await ask('r/Notes/from-elsewhere.txt', { method: 'PUT', headers, body: 'x' }),
          logIn: await ask('a/login', { method: 'POST', body: 'alice|alice', credentials: 'include' }),
          byCookie: await ask('r/Notes/from-elsewhere.txt', { method: 'DELETE', credentials: 'include' }),
        };
      },
      [gateway.url, `Basic ${btoa('alice:alice')}`],
    );
  };
  assert.deepEqual(await use(named), {
    read: [200, false],
    list: [207, false],
    write: [201, true],
    logIn: [200, false],
    byCookie: [204, false], // another port is the same site
  });
  const nothing = { read: undefined, list: undefined, write: undefined, logIn: undefined, byCookie: undefined };
  assert.deepEqual(await use(other), nothing);
  assert.equal((await gateway.as('alice')('r/Notes/from-elsewhere.txt')).status, 404);
});

it('a room tells browsers of its feed, and makes an address for feed readers', async () => {
  const page = await openAs('alice', '#/r/Lobby/settings');
  const section = page.getByRole('region', { name: 'Feed' });
  await section.getByRole('button', { name: 'Create feed address' }).click();
  const address = (await section.getByRole('status').locator('code').textContent()) ?? '';
  assert.ok(address.startsWith(`${gateway.url}svc/r/Lobby/feed?user=alice&token=`), address);
  await checkPage(page);
  const alternate = page.locator('link[rel=alternate][type="application/atom+xml"]');
  for (const href of [address, `${gateway.url}svc/a/${await alternate.getAttribute('href')}`]) {
    const answer = await page.context().request.get(href);
    assert.equal(answer.status(), 200, href);
    assert.match(await answer.text(), /<title>Lobby<\/title>/);
  }
  await page.goto(`${gateway.url}svc/a/landing.html#/settings/password`);
  await page.getByRole('region', { name: 'App passwords' }).getByText('read one room as a feed · Lobby').waitFor();
  assert.equal(await alternate.count(), 0);
});

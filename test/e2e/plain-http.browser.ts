// A browser that speaks plain HTTP to the gateway under a name: it sends neither Fetch Metadata nor, with a GET, an
// Origin. Links, pictures and forms, of other sites and of messages, may change nothing there; the web client goes on.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { EVENTUALLY_MS, eventually } from '../support/eventually.ts';
import { basic, postedNumber, spawnGateway } from '../support/gateway.ts';
import { launchBrowser, logIn, logOut } from '../support/web-client.ts';

/** not localhost, which browsers trust as they trust TLS */
const HOST = 'vestibule.test';
const NAMES = `MAP ${HOST} 127.0.0.1, MAP elsewhere.test 127.0.0.1`;
/** what may not happen before the test has looked */
const SETTLE_MS = 1000;

const folder = await mkdtemp(join(tmpdir(), 'plain-http-'));
const [gateway, browser] = await Promise.all([
  spawnGateway({ after }, ['--demo', '--data', join(folder, 'data')]),
  launchBrowser([`--host-resolver-rules=${NAMES}`]),
]);
let context: BrowserContext;
let page: Page;
/** of the gateway, under its name */
const site = `http://${HOST}:${new URL(gateway.url).port}`;
const [firstMessage] = (await (await gateway.as('alice')('r/Town%20Square/msgs.all')).json()) as number[];
const attachments = `p/Town%20Square/${firstMessage}`;
/** addresses that change something, and what came of them in a test: `403 /svc/a/im` */
const changing = [
  `${site}/svc/r/Town%20Square/slrp?last=HIGHEST`,
  `${site}/svc/a/im`,
  `${site}/svc/${attachments}`,
  `${site}/svc/a/logout`,
];
let answers: string[] = [];
/** the page of another site, at whatever path */
let foreignPage = '';
const other = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(foreignPage);
});
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
const { port: otherPort } = other.address() as AddressInfo;
const elsewhere = `http://elsewhere.test:${otherPort}`;
/** the gateway's name and another port: browsers send it the cookie with everything */
const sibling = `http://${HOST}:${otherPort}`;

after(async () => {
  await browser.close();
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(EVENTUALLY_MS);
  page = await context.newPage();
  await page.goto(`${site}/svc/a/landing.html`);
  await logIn(page, 'alice');
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
  answers = [];
  const paths = new Set(changing.map((url) => new URL(url).pathname));
  context.on('response', (response) => {
    const request = response.request();
    const { pathname } = new URL(request.url());
    // the web client looks for instant messages by itself
    const isItsOwn = request.resourceType() === 'fetch' && request.headers().referer?.startsWith(`${site}/`);
    if (paths.has(pathname) && !(isItsOwn && pathname.endsWith('/im')))
      answers.push(`${response.status()} ${pathname}`);
  });
});
afterEach(() => context.close());

/** Who the browser is to the gateway, and how far alice has read. */
async function state(): Promise<unknown[]> {
  const look = await context.newPage();
  await look.goto(`${site}/svc/a/whoami`);
  const { username } = JSON.parse((await look.textContent('body'))!) as { username: string };
  await look.close();
  const room = await (await gateway.as('alice')('r/Town%20Square/')).json();
  return [username, (room as { last_seen: number }).last_seen];
}

async function changesNothing(run: () => Promise<void>): Promise<void> {
  const before = await state();
  assert.equal(before[0], 'alice');
  await run();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  assert.deepEqual(await state(), before);
  // the log-out may ask with a page instead
  for (const answer of answers) assert.match(answer, /^403 |^200 \/svc\/a\/logout$/);
}

/** Opens what another site shows. */
async function visit(origin: string, html: string): Promise<Page> {
  foreignPage = `<!doctype html><meta charset="utf-8"><title>Elsewhere</title><body>${html}`;
  const visited = await context.newPage();
  await visited.goto(`${origin}/`);
  return visited;
}

const each = (html: (url: string) => string) => changing.map((url) => html(url.replaceAll('&', '&amp;'))).join('\n');
const POLICIES = ['', ' referrerpolicy="no-referrer"', ' referrerpolicy="unsafe-url"'];
const embedded = (url: string, policy: string) => `
  <img src="${url}"${policy}> <iframe src="${url}"${policy}></iframe> <script src="${url}"${policy}></script>
  <link rel="stylesheet" href="${url}"${policy}> <link rel="prefetch" href="${url}"${policy}>
  <video src="${url}" preload="auto"></video> <object data="${url}"></object> <embed src="${url}">
  <div style="background: url('${url}')">x</div>`;

describe('a page of another site', () => {
  for (const where of ['elsewhere', 'sibling']) {
    const origin = () => (where === 'sibling' ? sibling : elsewhere);

    it(`changes nothing by what it loads: ${where}`, async () => {
      await changesNothing(async () => {
        for (const policy of POLICIES)
          await visit(
            origin(),
            each((url) => embedded(url, policy)),
          );
      });
      assert.ok(answers.length > 0, 'it has asked');
    });

    it(`changes nothing by its scripts: ${where}`, async () => {
      await changesNothing(async () => {
        const visited = await visit(origin(), '');
        await visited.evaluate(
          `Promise.all(${JSON.stringify(changing)}.flatMap((url) =>
            ['no-referrer', 'unsafe-url'].flatMap((referrerPolicy) =>
            ['*/*', 'application/json', ''].map((accept) => fetch(url, { mode: 'no-cors', credentials: 'include',
              referrerPolicy, headers: accept ? { Accept: accept, 'Accept-Language': '*' } : {} }).catch(() => {})))))`,
        );
        // what takes a preflight is not sent
        await visited.evaluate(
          `Promise.all(${JSON.stringify(changing)}.map((url) => fetch(url, { credentials: 'include',
            headers: { 'X-Requested-With': 'x' } }).catch(() => {})))`,
        );
      });
    });

    it(`changes nothing by its links, forms and windows: ${where}`, async () => {
      await changesNothing(async () => {
        for (const url of changing) {
          const form = `<form action="${url}">${url.includes('?') ? '<input name="last" value="HIGHEST">' : ''}
            <button>Go</button></form>`;
          for (const attributes of ['', 'rel="noreferrer"', 'referrerpolicy="unsafe-url"']) {
            const linked = await visit(origin(), `<a href="${url}" ${attributes}>Go</a>`);
            await Promise.all([linked.waitForEvent('framenavigated'), linked.getByText('Go').click()]);
          }
          const sent = await visit(origin(), form);
          await Promise.all([sent.waitForEvent('framenavigated'), sent.getByText('Go').click()]);
          const opener = await visit(origin(), '<button>Go</button>');
          await opener.evaluate(`document.querySelector('button').onclick = () => window.open(${JSON.stringify(url)})`);
          const [opened] = await Promise.all([context.waitForEvent('page'), opener.getByText('Go').click()]);
          await opened.waitForLoadState();
          const refreshed = await visit(origin(), `<meta http-equiv="refresh" content="0;url=${url}">`);
          await refreshed.waitForURL((at) => at.href.startsWith(site));
        }
      });
      assert.ok(answers.length >= 5 * changing.length, `${answers.length} have asked`);
    });
  }
});

describe('a message', () => {
  const post = async (html: string) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return postedNumber(await gateway.as('bob')('r/Lobby/new?subj=Look', { method: 'PUT', headers, body: html }));
  };
  const open = async (msgnum: number) => {
    await page.goto(`${site}/svc/a/landing.html#/r/Lobby/${msgnum}`);
    await page.reload();
    return page.frameLocator('iframe').locator('body');
  };

  it('changes nothing by its links in the web client', async () => {
    const links = changing.map((url, i) => `<p><a href="${url}">link ${i}</a></p>`).join('');
    const msgnum = await post(`<p>read me</p>${links}`);
    await changesNothing(async () => {
      const body = await open(msgnum);
      await body.getByText('read me').waitFor();
      for (const i of changing.keys()) {
        const [opened] = await Promise.all([context.waitForEvent('page'), body.getByText(`link ${i}`).click()]);
        await opened.waitForLoadState();
      }
    });
    assert.equal(answers.length, changing.length);
  });

  it('changes nothing by its links when it is plain text, and by its pictures', async () => {
    const msgnum = await post(`<p>read me</p>${each((url) => `<img src="${url}">`)}`);
    const headers = { 'content-type': 'text/plain' };
    const init = { method: 'PUT', headers, body: `see ${changing[3]} now` };
    const plain = postedNumber(await gateway.as('bob')('r/Lobby/new?subj=Look', init));
    await changesNothing(async () => {
      await (await open(msgnum)).getByText('read me').waitFor();
      await page.getByRole('button', { name: 'Load pictures' }).click();
      await eventually(async () => answers.length, changing.length);
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        (await open(plain)).getByText('/svc/a/logout').click(),
      ]);
      await opened.getByRole('button', { name: 'Log out' }).waitFor();
    });
  });

  it('changes nothing by its links where it is shown by itself, as it was sent', async () => {
    const links = changing
      .map((url, i) => `<p><a href="${url}" referrerpolicy="unsafe-url">link ${i}</a></p>`)
      .join('');
    const msgnum = await post(links);
    await changesNothing(async () => {
      for (const i of changing.keys()) {
        const raw = await context.newPage();
        await raw.goto(`${site}/svc/r/Lobby/${msgnum}`);
        await raw.getByText(`link ${i}`).click();
      }
      await eventually(async () => answers.length, changing.length);
    });
  });
});

describe('what is meant', () => {
  it('goes on in the web client: read marks, instant messages, attachments, the log-out', async () => {
    await page.goto(`${site}/svc/a/landing.html#/r/Town%20Square`);
    // what stands at the end of a chat has been read
    await page.getByRole('button', { name: 'Show as chat', exact: true }).first().click();
    await eventually(async () => answers.includes('204 /svc/r/Town%20Square/slrp'), true);
    const fetched = await page.evaluate(
      `Promise.all(['../a/im', '../${attachments}'].map((path) => fetch(path).then(({ status }) => status)))`,
    );
    assert.deepEqual(fetched, [200, 200]);
    await logOut(page);
    await page.getByLabel('User name').waitFor();
    assert.equal((await state())[0], '');
  });

  it('goes on for a link to the log-out in a page of our own', async () => {
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<a id="mine" href="logout">mine</a>')`);
    await page.evaluate(`document.querySelector('#mine').click()`);
    await page.getByLabel('User name').waitFor();
    assert.deepEqual(answers, ['303 /svc/a/logout']);
    assert.equal((await state())[0], '');
  });

  it('is asked for with a button where a link of another site leads to the log-out', async () => {
    const linked = await visit(elsewhere, `<a href="${changing[3]}">Go</a>`);
    await linked.getByText('Go').click();
    await linked.getByRole('button', { name: 'Log out' }).click();
    await linked.getByLabel('User name').waitFor();
    assert.equal((await state())[0], '');
  });

  it('goes on for programs with the cookie', async () => {
    const { hostname, port } = new URL(gateway.url);
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    assert.match(cookie, /^vestibule=/);
    const ask = async (path: string, headers: Record<string, string>) =>
      (await fetch(`http://${hostname}:${port}/svc/${path}`, { headers, redirect: 'manual' })).status;
    for (const [path, status] of [
      ['r/Lobby/slrp?last=HIGHEST', 204],
      ['a/im', 200],
      [attachments, 200],
    ] as const) {
      assert.equal(await ask(path, { cookie }), status, path);
      assert.equal(await ask(path, { authorization: basic('alice') }), status, path);
    }
    assert.equal(await ask('a/logout', { cookie }), 303);
    assert.equal((await state())[0], '');
  });
});

// The service worker as the bundle has it: a newer version takes the place of the one before at once, and no page gets
// parts of two.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { launchBrowser } from '../support/web-client.ts';

const source = readFileSync(new URL('../../static/worker.js', import.meta.url), 'utf8');
/** what registers it: it imports nothing */
const starting = readFileSync(new URL('../../static/api/worker.js', import.meta.url), 'utf8');
let version = 'ONE';
let isGone = false;

/** A client of one page, a script that it begins with and a part that is loaded later, each named by the version. */
function answerTo({ url }: IncomingMessage, response: ServerResponse) {
  const names = [`app/client-${version}.js`, `app/part-${version}.js`];
  const files: Record<string, [string, string]> = {
    '/svc/a/landing.html': [
      'text/html',
      `<!doctype html><title>${version}</title><script type="module" src="../s/${names[0]}"></script>`,
    ],
    [`/svc/s/${names[0]}`]: [
      'text/javascript',
      `${starting.replaceAll('export ', '')} startWorker({ begun() {}, renewed() {} });
       window.part = () => import('./part-${version}.js');`,
    ],
    [`/svc/s/${names[1]}`]: ['text/javascript', `export const version = '${version}';`],
    '/svc/a/worker.js': [
      'text/javascript',
      source
        .replace('const FILES = [];', `const FILES = ${JSON.stringify(names)};`)
        .replace("const VERSION = 'modules';", `const VERSION = '${version}';`),
    ],
  };
  if (isGone) delete files['/svc/a/worker.js'];
  const user = { logged_in: true, username: 'alice' };
  const message = /^\/svc\/r\/Lobby\/(\d+)\/json$/.exec(url!);
  if (url === '/svc/a/start') files[url] = ['application/json', JSON.stringify({ user })];
  if (message) files[url!] = ['application/json', JSON.stringify({ text: 'x'.repeat(Number(message[1])) })];
  const [type, body] = files[url!] ?? ['text/plain', ''];
  response.writeHead(files[url!] ? 200 : 404, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(body);
}

const server = createServer(answerTo);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/svc/a/landing.html`;
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

it('a newer version is there after a reload, while a page that is open goes on with its own parts', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null'), true);
  assert.equal(await page.title(), 'ONE');
  await context.setOffline(true);
  await page.reload();
  assert.equal(await page.title(), 'ONE');
  await context.setOffline(false);

  version = 'TWO';
  const other = await context.newPage();
  await other.goto(address);
  await eventually(() => other.evaluate('caches.keys().then((names) => names.join())'), /TWO/);
  // the server has it no more
  const part = (one: typeof page) => one.evaluate<string>('part().then((all) => all.version)');
  assert.equal(await part(page), 'ONE');
  await eventually(async () => {
    await other.reload();
    return other.title();
  }, 'TWO');
  assert.equal(await part(other), 'TWO');
  await context.setOffline(true);
  await other.reload();
  assert.deepEqual([await other.title(), await part(other)], ['TWO', 'TWO']);
  await context.close();
});

it('the last 200 messages are kept, and none that is too long', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null'), true);
  const read = (numbers: string) =>
    page.evaluate(`(async () => {
      for (const number of ${numbers}) await (await fetch('../r/Lobby/' + number + '/json')).text();
    })()`);
  const kept = () =>
    page.evaluate<number[]>(`(async () => {
      const cache = await caches.open('/svc/ messages');
      return (await cache.keys()).map(({ url }) => Number(url.split('/').at(-2)));
    })()`);
  // whose they are comes first
  await page.evaluate(`fetch('../a/start').then(() => 0)`);
  await eventually(() => page.evaluate(`caches.match('/svc/a/start').then((answer) => answer !== undefined)`), true);
  await read('Array.from({ length: 200 }, (_, i) => i + 1)');
  await eventually(async () => (await kept()).length, 200);
  await read('[1, 201]');
  await eventually(async () => (await kept()).slice(-2).join(), '1,201');
  const numbers = await kept();
  assert.equal(numbers.length, 200);
  assert.equal(numbers.includes(2), false, 'the one that was not read for longest');
  const most = 256 * 1024 - JSON.stringify({ text: '' }).length;
  await read(`[${most}, ${most + 1}, 3]`);
  await eventually(async () => (await kept()).slice(-2).join(), `${most},3`);
  await context.close();
});

it('goes, with all that it has kept, where the server has none any more', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null'), true);
  const caches = () => page.evaluate<number>('caches.keys().then((names) => names.length)');
  await eventually(async () => (await caches()) > 0, true);
  isGone = true;
  await page.reload();
  const workers = () => page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)');
  await eventually(workers, 0);
  await eventually(caches, 0);
  await context.close();
});

// What the service worker keeps, in caches that are slow: whatever a log-out comes between, nothing stays of who was
// here. The rest of it is tested in browsers (test/e2e/web-offline.browser.ts, test/e2e/web-worker.browser.ts).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createContext, runInContext } from 'node:vm';

const SOURCE = readFileSync(new URL('../../static/worker.js', import.meta.url), 'utf8');
const ORIGIN = 'http://127.0.0.1';

type Answers = Record<string, unknown>;

/** A worker on a device of its own; `atStep` is called at each step of a cache, with their number. */
function startWorker(answers: Answers, atStep: (step: number) => void) {
  const stores = new Map<string, Map<string, Response>>();
  const listeners = new Map<string, (event: unknown) => void>();
  const running: Promise<unknown>[] = [];
  /** that are open, and what they are told */
  const windows: { url: string; focus(): Promise<void>; postMessage(told: unknown): void }[] = [];
  const led: string[] = [];
  let steps = 0;
  const step = async () => {
    await new Promise(setImmediate);
    atStep(steps++);
  };
  const urlOf = (request: Request | string) =>
    new URL(typeof request === 'string' ? request : request.url, ORIGIN).href;
  const caches = {
    async open(name: string) {
      await step();
      const kept = stores.getOrInsertComputed(name, () => new Map<string, Response>());
      const afterStep =
        <T, A extends unknown[]>(act: (...given: A) => T) =>
        async (...given: A): Promise<T> => {
          await step();
          return act(...given);
        };
      return {
        match: afterStep((request: Request | string) => kept.get(urlOf(request))?.clone()),
        put: afterStep((request: Request | string, response: Response) => void kept.set(urlOf(request), response)),
        delete: afterStep((request: Request | string) => kept.delete(urlOf(request))),
        keys: afterStep(() => Array.from(kept.keys(), (url) => new Request(url))),
      };
    },
    async delete(name: string) {
      await step();
      return stores.delete(name);
    },
  };
  const fetch = async ({ url }: Request) => Response.json(answers[new URL(url).pathname]);
  const globals = {
    registration: { scope: `${ORIGIN}/svc/a/` },
    location: new URL(ORIGIN),
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    clients: {
      matchAll: async () => windows,
      openWindow: async (url: string) => void led.push(`new ${url}`),
    },
    ...{ caches, fetch, URL, Request, Response, setTimeout },
  };
  runInContext(SOURCE, createContext(globals));
  const settle = async () => {
    for (let seen = -1; seen !== running.length; ) {
      seen = running.length;
      await Promise.all(running);
    }
  };
  return {
    /** the page asks, and has its answer; what the worker does with it goes on */
    async ask(method: string, path: string, account?: number): Promise<unknown> {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const headers = account === undefined ? {} : { 'X-Account': String(account) };
      const request = Object.defineProperty(new Request(`${ORIGIN}/svc/${path}`, { method, headers }), 'destination', {
        value: '',
      });
      const waitUntil = (work: Promise<unknown>) => void running.push(work);
      listeners.get('fetch')!({ request, waitUntil, respondWith: resolve });
      return method === 'GET' ? promise : undefined;
    },
    /** where a press on a notification leads */
    async press(address: string, open: string[]): Promise<string[]> {
      for (const url of open) {
        const focus = async () => void led.push(`focus ${url}`);
        windows.push({ url, focus, postMessage: (told) => led.push(`tell ${url} ${JSON.stringify(told)}`) });
      }
      const notification = { data: { address }, close: () => led.push('close') };
      const waitUntil = (work: Promise<unknown>) => void running.push(work);
      listeners.get('notificationclick')!({ notification, waitUntil });
      await settle();
      return led;
    },
    settle,
    kept: () => [...stores.values()].flatMap((store) => [...store.keys()].map((url) => new URL(url).pathname)).sort(),
  };
}

const ACCOUNTS: Record<string, number> = { ann: 7, bob: 8 };
const startOf = (username: string) => ({ user: { logged_in: true, username, usernum: ACCOUNTS[username] } });

/** What stays of `path`, asked for by ann or by who logged in after her, with a log-out at one of the steps. */
async function keptOf(path: string, next: string, logOutAt: number): Promise<{ kept: string[]; isOver: boolean }> {
  let asked = 0;
  let counting = false;
  let isOut = false;
  const answers: Answers = { '/svc/a/start': startOf('ann'), '/svc/r/Lobby/info.txt': 'ann’s' };
  const worker = startWorker(answers, () => {
    if (!counting || isOut || asked++ !== logOutAt) return;
    isOut = true;
    void worker.ask('POST', 'a/logout');
  });
  await worker.ask('GET', 'a/start');
  await worker.settle();
  assert.deepEqual(worker.kept(), ['/svc/a/start', '/svc/a/whoami']);
  answers['/svc/a/start'] = startOf(next);
  counting = true;
  await worker.ask('GET', path);
  await worker.settle();
  return { kept: worker.kept(), isOver: !isOut };
}

for (const [what, path, next] of [
  ['a list', 'r/Lobby/info.txt', 'ann'],
  ['the start of the same user', 'a/start', 'ann'],
  ['the start of another user', 'a/start', 'bob'],
] as const) {
  it(`nothing stays where a log-out comes while ${what} is about to be kept`, async () => {
    for (let at = 0; ; at++) {
      const { kept, isOver } = await keptOf(path, next, at);
      if (isOver) return assert.ok(at > 3 && kept.includes(`/svc/${path}`), 'without a log-out it is kept');
      assert.deepEqual(kept, [], `at step ${at}`);
    }
  });
}

it('gives and keeps what is one account’s to pages of that account alone', async () => {
  const answers: Answers = { '/svc/a/start': startOf('ann'), '/svc/r/Lobby/info.txt': 'ann’s' };
  const worker = startWorker(answers, () => {});
  await worker.ask('GET', 'a/start');
  await worker.ask('GET', 'r/Lobby/info.txt', ACCOUNTS.bob);
  await worker.settle();
  assert.ok(!worker.kept().includes('/svc/r/Lobby/info.txt'));
  await worker.ask('GET', 'r/Lobby/info.txt', ACCOUNTS.ann);
  await worker.settle();
  assert.ok(worker.kept().includes('/svc/r/Lobby/info.txt'));
  for (const path of Object.keys(answers)) answers[path] = undefined; // no connection
  const text = async (path: string, account?: number) => {
    const answer = (await worker.ask('GET', path, account).catch(() => undefined)) as Response | undefined;
    return answer?.text();
  };
  assert.equal(await text('r/Lobby/info.txt', ACCOUNTS.ann), JSON.stringify('ann’s'));
  assert.equal(await text('r/Lobby/info.txt', ACCOUNTS.bob), undefined);
  assert.equal(await text('a/start', ACCOUNTS.bob), undefined);
  assert.equal(await text('a/start'), JSON.stringify(startOf('ann')), 'a page begins');
});

it('leads from a notification to a window of the client that is open, else to a new one', async () => {
  const page = `${ORIGIN}/svc/a/landing.html`;
  const isOpen = [`${ORIGIN}/svc/s/guide/start.html`, `${page}#/r/Lobby`];
  assert.deepEqual(await startWorker({}, () => {}).press('#/r/Mail', isOpen), [
    'close',
    `focus ${page}#/r/Lobby`,
    `tell ${page}#/r/Lobby {"address":"#/r/Mail"}`,
  ]);
  assert.deepEqual(await startWorker({}, () => {}).press('#/r/Mail', isOpen.slice(0, 1)), [
    'close',
    'new /svc/a/landing.html#/r/Mail',
  ]);
});

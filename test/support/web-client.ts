// The web client in Chromium (CHROMIUM_PATH), in front of a gateway as a stranger starts it, with the demo's rooms.
// What the page itself complains of in a test fails that test, and so does a request to another host.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { EVENTUALLY_MS } from './eventually.ts';
import { type SpawnedGateway, spawnGateway } from './gateway.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** a busy machine takes long to read a browser from its disk */
const LAUNCH_MS = 90_000;
const checks = await readFile(new URL('./page-checks.js', import.meta.url), 'utf8');

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 360, height: 740 };

/** `after` and `afterEach` of node:test for a whole file */
export interface Hooks {
  after(done: () => Promise<void>): void;
  afterEach(done: () => Promise<void>): void;
}

export interface WebClient {
  gateway: SpawnedGateway;
  /** origins beside the gateway's that pages may ask; to any other host is a fault */
  otherHosts: string[];
  /** A page without an address, in a session of its own. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** The client at `hash`, logged in without the form and with the password of the demo. */
  openAs(user: string, hash?: string, options?: BrowserContextOptions): Promise<Page>;
}

export async function launchBrowser(flags: string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: install chromium or set CHROMIUM_PATH`);
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags], timeout: LAUNCH_MS });
}

/**
 * `words`: more of the gateway's command line. `isBehind`: the client comes from a second gateway, in front of the room
 * server of the first.
 */
export async function startWebClient(
  { after, afterEach }: Hooks,
  { words = [], isBehind = false }: { words?: string[]; isBehind?: boolean } = {},
): Promise<WebClient> {
  const folder = await mkdtemp(join(tmpdir(), 'landing-'));
  const [first, browser] = await Promise.all([
    spawnGateway({ after }, [
      ...['--demo', '--data', join(folder, 'data')],
      ...(isBehind ? ['--line-listen', 'tcp://127.0.0.1:0'] : []),
      ...words,
    ]),
    launchBrowser(),
  ]);
  const second = ['--data', join(folder, 'second'), '--backend', first.lineUrl ?? ''];
  const gateway = isBehind ? await spawnGateway({ after }, second) : first;
  /** what a test lets the page ask beside the gateway */
  const otherHosts: string[] = [];
  let contexts: BrowserContext[] = [];
  /** errors of the page's own and of its security policy; answers of 4xx that a test provokes are not */
  let complaints: string[] = [];

  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    const found = [...complaints];
    // what a page complains of because it is being closed belongs to nobody
    complaints = [];
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    assert.deepEqual(found, []);
  });

  const open = async (options: BrowserContextOptions = {}) => {
    // a service worker stands between the page and what a test does to its requests: those that are for it allow it
    const common = { viewport: WIDE, locale: 'en-GB', reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...common, ...options });
    context.setDefaultTimeout(EVENTUALLY_MS);
    contexts.push(context);
    const page = await context.newPage();
    const heard = complaints;
    page.on('console', (message) => {
      const { url } = message.location();
      // refusals are among what is tested; what is only looked for is known to be there
      const isPicture = /\/(?:user|room)pic$/.test(url);
      const isExpected = /^(?:Failed to load resource|Service Worker registration blocked)/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && (isPicture || !isExpected))
        heard.push(`${message.type()} "${message.text()}" at ${url}, page ${page.url()}`);
    });
    page.on('request', (request) => {
      const own = [gateway.url, 'data:', 'blob:', 'about:', ...otherHosts];
      const isOwn = own.some((start) => request.url().startsWith(start));
      if (!isOwn) heard.push(`asks another host: ${request.url()}`);
    });
    page.on('pageerror', (error) =>
      heard.push(`thrown: ${error.name} "${error.message}" ${error.stack}, page ${page.url()}`),
    );
    return page;
  };
  return {
    gateway,
    otherHosts,
    open,
    async openAs(user, hash = '', options = {}) {
      const page = await open(options);
      const login = await page.context().request.post(`${gateway.url}svc/a/login`, {
        data: { username: user, password: user },
      });
      assert.equal(login.status(), 200);
      await page.goto(`${gateway.url}svc/a/landing.html${hash}`);
      return page;
    },
  };
}

/** With the form. */
export async function logIn(page: Page, user: string, password = user): Promise<void> {
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** By the menu of the account. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

/** Names, headings, contrast: see page-checks.js. */
export async function checkPage(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(`${checks}\npageComplaints()`), []);
}

/** Answers what tells all that toasts and the hidden line for screen readers have said since. */
export async function hear(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.told = [];
    const hear = (changes) => told.push(...changes.flatMap((each) => [...each.addedNodes].map((n) => n.textContent)));
    for (const id of ['toasts', 'heard'])
      new MutationObserver(hear).observe(document.getElementById(id), { childList: true });
  `);
  return () => page.evaluate<string[]>('told');
}

/** The text of a message that is open: the first one, or another of its conversation. */
export const textOf = (page: Page, place = 0) => page.frameLocator('iframe').nth(place).locator('body');

export const go = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

/** The text of what has the focus. */
export const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');

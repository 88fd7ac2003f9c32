// The web client of the one-file binary in Chromium (CHROMIUM_PATH): how long a large room takes beside a small one,
// and the start over a slow line. Prints times and ratios; quote the ratios, the times are the machine's. Run: npm run
// build, then npm run bench:client [-- --messages 50000 --runs 5]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../generate.ts';
import { type Server, startServer } from '../scale-site.ts';
import { scriptOptions } from '../script-options.ts';

const values = scriptOptions(import.meta.filename, {
  messages: { type: 'string', default: '50000' },
  runs: { type: 'string', default: '5' },
});
const RUNS = Number(values.runs);
const SMALL_MESSAGES = 50;
const BINARY = join(import.meta.dirname, '../../dist/vestibule');
/** 400 ms and 1.6 Mbit/s */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const ROW = '.stage .row';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const small = await inRoomOf(browser, SMALL_MESSAGES);
  const large = await inRoomOf(browser, Number(values.messages));
  const of = `${values.messages} messages beside ${SMALL_MESSAGES}`;
  for (const what of ['room opens', 'message opens', 'rows after a jump'] as const) {
    const [few, many] = [median(small[what]), median(large[what])];
    console.log(`${what}: ${many.toFixed(0)} ms, ratio ${(many / few).toFixed(2)} (${of})`);
  }
  console.log(`start at ${SLOW_LINE.latency} ms and 1.6 Mbit/s: ${large.cold}, then ${large.warm}`);
} finally {
  await browser.close();
}

interface Figures {
  'room opens': number[];
  'message opens': number[];
  'rows after a jump': number[];
  cold: string;
  warm: string;
}

async function inRoomOf(browser: Browser, messages: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-'));
  try {
    await fillFolder(folder, { rooms: 10, messages: 100, users: 5, largeRoom: messages, seed: 1 }, () => {});
    const server = await startServer(folder, [], [BINARY]);
    try {
      return await figuresAt(browser, server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figuresAt(browser: Browser, { url }: Server): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  try {
    await context.request.post(`${url}svc/a/login`, { data: { username: READER, password: PASSWORD } });
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', SLOW_LINE);
    const [cold, warm] = [await start(page, line, url), await start(page, line, url)];
    await line.send('Network.emulateNetworkConditions', { ...SLOW_LINE, latency: 0, downloadThroughput: -1 });
    const figures: Figures = { 'room opens': [], 'message opens': [], 'rows after a jump': [], cold, warm };
    await page.goto(`${url}svc/a/landing.html`);
    for (let run = 0; run < RUNS; run++) {
      if (run > 0) await go(page, '#/', ROW);
      await page.locator(ROW).first().waitFor();
      figures['room opens'].push(await go(page, `#/r/${LARGE_ROOM}`, `${ROW} .row-main`));
      const href = await page.locator(`${ROW} .row-main`).nth(run).getAttribute('href');
      figures['message opens'].push(await go(page, href!, '.stage iframe'));
      figures['rows after a jump'].push(await jump(page, (run + 1) / (RUNS + 1)));
    }
    return figures;
  } finally {
    await context.close();
  }
}

/** From the address to the first unread message of the first page. */
async function start(page: Page, line: CDPSession, url: string): Promise<string> {
  let [requests, bytes] = [0, 0];
  const count = () => requests++;
  const add = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  page.on('request', count);
  line.on('Network.loadingFinished', add);
  const from = performance.now();
  await page.goto(`${url}svc/a/landing.html`, { waitUntil: 'commit' });
  // the locator of the driver looks twice a second
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (document.querySelector(${JSON.stringify(ROW)}) ? resolve() : requestAnimationFrame(look));
    look();
  })`);
  const ms = performance.now() - from;
  page.off('request', count);
  line.off('Network.loadingFinished', add);
  await page.goto('about:blank');
  return `usable after ${ms.toFixed(0)} ms, ${requests} requests, ${(bytes / 1000).toFixed(0)} kB`;
}

/** Milliseconds from the change of the address until there is something of that kind, painted. */
function go(page: Page, hash: string, selector: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const before = new Set(document.querySelectorAll(${JSON.stringify(selector)}));
    const from = performance.now();
    location.hash = ${JSON.stringify(hash)};
    const look = () => {
      const there = [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => !before.has(one));
      const took = performance.now() - from;
      if (there || before.size > 0 && took > 5000) setTimeout(() => resolve(took));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** The same from a jump of the list to a part of its height until rows stand in the middle of what is seen. */
function jump(page: Page, part: number): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let scroller = document.querySelector('.stage .virtual');
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
    if (!scroller) return resolve(0);
    const from = performance.now();
    scroller.scrollTop = scroller.scrollHeight * ${part};
    const { left, top, width, height } = scroller.getBoundingClientRect();
    const look = () => {
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      const took = performance.now() - from;
      if (found?.closest('.row') || took > 10_000) setTimeout(() => resolve(took));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

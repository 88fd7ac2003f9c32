// What keeps everything else waiting is told, with the requests that were being answered.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../src/http/listener.ts';
import { sendEmpty } from '../../src/http/respond.ts';
import { Router } from '../../src/http/router.ts';
import { STALL_MS } from '../../src/limits/sessions.ts';
import { RequestsUnderWay } from '../../src/system/stalls.ts';
import { EVENTUALLY_MS } from '../support/eventually.ts';

const entries: { requestId: string; text: string }[] = [];
const underWay = new RequestsUnderWay((requestId, text) => entries.push({ requestId, text }));
const router = new Router<undefined>();
for (const name of ['loop', 'wait', 'parse', 'short', 'quiet']) router.add('GET', `/${name}/:ms`, undefined);
const ids = new Map<string, string>();

const listener = await listen({
  at: { host: '127.0.0.1', port: 0 },
  logError: () => {},
  handle: async (exchange) => {
    underWay.begin(exchange);
    const match = router.match(exchange.method, exchange.rawPath);
    assert.equal(match.kind, 'found');
    if (match.kind === 'found') exchange.route = match.pattern;
    ids.set(exchange.route, exchange.requestId);
    await setTimeout(30); // behind a wait, as work for a request mostly is
    block(exchange.route, Number(exchange.rawPath.split('/')[2]));
    await sendEmpty(exchange, 204);
    underWay.end(exchange);
  },
});
after(async () => {
  await listener.close();
  underWay.close();
});

function block(route: string, ms: number): void {
  const end = performance.now() + ms;
  if (route.startsWith('/quiet')) return;
  if (route.startsWith('/wait')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  else if (route.startsWith('/parse')) while (performance.now() < end) JSON.parse(`[${'1,'.repeat(100_000)}1]`);
  else while (performance.now() < end);
}

/** Asks, and waits until what would be told has been. */
async function ask(path: string): Promise<void> {
  assert.equal((await fetch(`${listener.url}${path}`)).status, 204);
  await setTimeout(100);
}

const told = (route: string) => entries.filter(({ text }) => text.includes(`GET ${route}`));

describe('a stall of the event loop', () => {
  for (const name of ['loop', 'wait', 'parse']) {
    it(`is told with the route and the request, for a ${name}`, async () => {
      const route = `/${name}/:ms`;
      await ask(`/${name}/${STALL_MS + 150}`);
      const [entry] = told(route);
      assert.match(
        entry?.text ?? '',
        /^stall: the event loop was blocked for \d+\.\d s; requests in progress: GET \/\w+\/:ms$/,
      );
      assert.equal(entry!.requestId, ids.get(route));
    });
  }

  it('is not told while it is short', async () => {
    const deadline = Date.now() + EVENTUALLY_MS;
    // a machine that has much else to do can hold up anything: then the next attempt counts
    for (let isFair = false; !isFair; ) {
      assert.ok(Date.now() < deadline, 'no attempt was as short as it should be');
      entries.length = 0;
      let last = performance.now();
      let longest = 0;
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      await ask(`/short/${STALL_MS - 50}`);
      clearInterval(timer);
      assert.ok(longest > STALL_MS - 60, 'it was seen from here');
      isFair = longest < STALL_MS;
      if (isFair) assert.deepEqual(entries, []);
    }
  });
});

it('nothing is told, and no timer runs, while there are no requests', async () => {
  await ask('/quiet/0');
  entries.length = 0;
  block('/loop', STALL_MS + 150);
  await setTimeout(100);
  assert.deepEqual(entries, []);
});

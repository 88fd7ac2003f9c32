// Scripts and style sheets that somebody has posted, in a real browser: a page of ours that is made to load them runs
// none, over a name that browsers trust as they trust TLS, and over plain HTTP, where they do not say what they want.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { launchBrowser } from '../support/web-client.ts';

const PLAIN = 'vestibule.test';
/** counts where it runs */
const SCRIPT = 'globalThis.ran = (globalThis.ran ?? 0) + 1; globalThis.postMessage?.("ran");';

const CHECK = await readFile(new URL('../support/posted-scripts.js', import.meta.url), 'utf8');

const [browser, gateway] = await Promise.all([
  launchBrowser([`--host-resolver-rules=MAP ${PLAIN} 127.0.0.1`]),
  startGateway({ after }, { demo: true }),
]);
after(() => browser.close());

/** Where a message and its part have the content. */
async function posted(type: string, content: string): Promise<string[]> {
  const alice = gateway.as('alice');
  const put = await alice('r/Lobby/new', { method: 'PUT', headers: { 'content-type': type }, body: content });
  const at = put.headers.get('location')!;
  return [at, `${at}/1`];
}

/** What ran, each time that a page at this host was made to load one of the paths in one of the ways. */
async function ranOf(host: string, scripts: readonly string[], style: string): Promise<unknown> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://${host}:${new URL(gateway.url).port}/svc/a/landing.html`);
    return await page.evaluate(`${CHECK}\ncodeThatRan(${JSON.stringify({ scripts, style, script: SCRIPT })})`);
  } finally {
    await context.close();
  }
}

describe('what somebody has posted', () => {
  for (const host of ['localhost', PLAIN]) {
    it(`is no script and no style sheet of a page at ${host}`, async () => {
      const scripts = await posted('text/javascript', SCRIPT);
      const [style] = await posted('text/css', 'body { color: rgb(1, 2, 3) !important; }');
      assert.deepEqual(await ranOf(host, scripts, style!), []);
    });
  }
});

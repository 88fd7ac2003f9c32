// The web client in a browser, in front of a room server that behaves as a real one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';
import { launchBrowser } from '../support/web-client.ts';

describe('a new room', () => {
  it('promises and offers nothing to who has made it where the room server gives him no rights', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    for (const [c_creataide, words] of [
      ['0', 'The room is there. Administrators look after it: they invite and change.'],
      ['1', 'The room is there.'],
    ] as const) {
      const real = await startRealServer(t, { users: { alice: 4 }, settings: { c_creataide } });
      const gateway = await startGateway(t, { backend: `unix:${real.path}` });
      const page = await browser.newPage();
      const data = { username: 'alice', password: 'alicepw' };
      assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
      await page.goto(`${gateway.url}svc/a/landing.html#/new-room`);
      await page.getByLabel('Name', { exact: true }).fill('Club');
      await page.getByLabel('Who may enter').selectOption('Those who are invited');
      await page.getByRole('button', { name: 'Make the room' }).click();
      await page.getByRole('status').getByText(words, { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Room settings' }).waitFor();
      const offered = await page.getByRole('button', { name: 'Delete the room' }).count();
      assert.equal(offered, c_creataide === '1' ? 1 : 0);
    }
  });
});

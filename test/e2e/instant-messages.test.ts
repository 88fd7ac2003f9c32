// Who gets an instant message: every session of a user that has a stream open, however many others he has left behind.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT } from '../../src/limits/protocol.ts';
import { openEvents } from '../support/event-stream.ts';
import { type Api, cookieOf, startGateway } from '../support/gateway.ts';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** A browser: a session of its own. */
async function browserOf(api: Api, username: string): Promise<Api> {
  const body = JSON.stringify({ username, password: username });
  const cookie = cookieOf(await api('a/login', { ...POST, body }));
  return (path, init = {}) => api(path, { ...init, headers: { ...init.headers, cookie } });
}

/** With the stream that a page opens, and what the page asks for when it comes. */
async function openPage(browser: Api) {
  const stream = await openEvents(browser, 'a/events');
  await taken(browser);
  return stream;
}

const taken = async (browser: Api) => ((await (await browser('a/im')).json()) as { text: string }[]).map(textOf);
const textOf = ({ text }: { text: string }) => text;

describe('an instant message', () => {
  it('comes to all streams of a user, whatever his pages that were closed have left open', {
    timeout: 60_000,
  }, async (t) => {
    const { api, as } = await startGateway(t, { demo: true });
    const send = (text: string) => as('bob')('a/im', { ...POST, body: JSON.stringify({ to: 'alice', text }) });
    const browsers = [await browserOf(api, 'alice'), await browserOf(api, 'alice')];
    const streams = await Promise.all(browsers.map(openPage));
    assert.equal((await send('One?')).status, 204);
    for (const stream of streams) assert.deepEqual((await stream.next('im')).data, { waiting: true });
    for (const browser of browsers) assert.deepEqual(await taken(browser), ['One?']);
    // each page leaves a connection for reading and one for instant messages
    for (let left = 0; left < EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT; left++) {
      const closed = await browserOf(api, 'alice');
      (await openPage(closed)).close();
    }
    assert.equal((await send('Two?')).status, 204);
    for (const [i, stream] of streams.entries()) {
      assert.deepEqual((await stream.next('im')).data, { waiting: true });
      assert.deepEqual(await taken(browsers[i]!), ['Two?']);
    }
    for (const stream of streams) stream.close();
  });
});

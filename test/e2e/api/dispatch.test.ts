// From a request to its handler: unknown paths and methods, HEAD.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, startGateway } from '../../support/gateway.ts';

const gateway = await startGateway({ after }, { demo: true });
const { api } = gateway;
const alice = gateway.as('alice');

describe('unknown paths and methods', () => {
  it('are 404 with a problem, or a page for people', async () => {
    for (const path of ['/nothing', '/svc/x', '/svc/a/', '/svc/r/Lobby/1/json/x', '/svc//r/']) {
      const response = await alice(path);
      assert.equal(response.status, 404, path);
      const problem = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([problem.type, problem.title, problem.status], ['about:blank', 'Not Found', 404]);
    }
    const page = await alice('/svc/x', { headers: { accept: 'text/html,*/*;q=0.1' } });
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(await page.text(), /<h1>Not Found<\/h1>/);
  });

  it('are 405 with what is allowed', async () => {
    const wrong: [string, string, RegExp][] = [
      ['POST', '/', /^GET, HEAD, OPTIONS, PROPFIND, REPORT$/],
      ['DELETE', 'r/', /\bGET\b/],
      ['PUT', 'r/Lobby/', /\bGET\b/],
      ['POST', 'r/Lobby/1', /\bDELETE\b.*\bMOVE\b.*\bPUT\b/],
      ['GET', 'a/login', /^OPTIONS, POST$/],
      ['PUT', 'p/abc', /^DELETE, GET, HEAD, OPTIONS$/],
      ['POST', 'c/info', /^GET, HEAD, OPTIONS$/],
      ['PATCH', 'u/alice/userpic', /\bGET\b.*\bPUT\b/],
    ];
    for (const [method, path, allowed] of wrong) {
      const response = await alice(path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.match(response.headers.get('allow')!, allowed, `${method} ${path}`);
    }
  });

  it('tell OPTIONS without a log-in', async () => {
    for (const path of ['r/', 'r/Lobby/', 'r/Lobby/1']) {
      const response = await api(path, { method: 'OPTIONS' });
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('allow')!, /OPTIONS/);
      assert.ok(response.headers.get('dav'));
    }
  });
});

describe('HEAD', () => {
  it('answers like GET, without the content', async () => {
    const paths = ['/', 'f/', 'r/', 'r/Lobby/', 'r/Lobby/stat', 'r/Lobby/msgs.all', 'r/Lobby/mailbox', 'r/Lobby/1'];
    const more = [
      'r/Lobby/1/json',
      'r/Lobby/1/1',
      'r/Lobby/info.txt',
      'c/info',
      'a/whoami',
      'a/biff',
      's/landing.js',
      'nope',
    ];
    for (const path of [...paths, ...more]) {
      const [get, head] = [await alice(path), await alice(path, { method: 'HEAD' })];
      assert.equal(head.status, get.status, path);
      await get.arrayBuffer();
      assert.deepEqual(steady(head), steady(get), path);
    }
  });

  it('is the same when many come over one connection', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => get(alice, i % 2 ? 'r/Lobby/1' : 'r/Lobby/')),
    );
    assert.equal(new Set(answers).size, 2);
  });
});

function steady(response: Response): Record<string, string> {
  const fields = Object.fromEntries(response.headers);
  delete fields.date;
  delete fields['x-request-id'];
  return fields;
}

async function get(api: Api, path: string): Promise<string> {
  const response = await api(path);
  assert.equal(response.status, 200);
  return response.text();
}

// Paths below the first name in a room: folders in a files room, parts of messages elsewhere, or nothing.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { basic, postedNumber, startGateway } from '../../../support/gateway.ts';
import { type Init, sendHttp } from '../../../support/raw-http.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');
const headers = { 'content-type': 'text/plain; charset=utf-8' };
/** Without a look into the description of the interface, which a path like `docs/json` leads astray. */
const plain = (path: string, method: string, init: Init = {}) =>
  sendHttp(gateway.url, `/svc/${path}`, {
    ...init,
    method,
    headers: { authorization: basic('alice'), ...init.headers },
  });
const put = (path: string, body = path) => alice(path, { method: 'PUT', headers, body });
const status = async (method: string, path: string, api = alice) => (await api(path, { method })).status;

assert.equal(await status('MKCOL', 'r/Deep/'), 201);
for (const folder of ['json', 'history', 'docs', 'docs/1'])
  assert.equal(await status('MKCOL', `r/Deep/${folder}/`), 201);

describe('in a files room', () => {
  it('leads into folders, whatever the names below them would mean elsewhere', async () => {
    for (const name of ['docs/json', 'docs/history', 'docs/1/json', 'history/json', 'json/1', 'docs/a b.txt']) {
      const path = `r/Deep/${encodeURI(name)}`;
      assert.equal((await plain(path, 'PUT', { headers, body: name })).status, 201, name);
      assert.equal(await (await plain(path, 'GET')).text(), name);
      assert.equal((await plain(path, 'PUT', { headers, body: 'again' })).status, 204, name);
      assert.equal((await plain(path, 'DELETE')).status, 204, name);
      assert.equal((await plain(path, 'GET')).status, 404, name);
    }
  });

  it('has no place for what has no folder, and refuses what is nobody’s to see', async () => {
    assert.equal((await put('r/Deep/none/a.txt')).status, 409);
    assert.equal(await status('GET', 'r/Deep/none/a.txt'), 404);
    assert.equal(await status('GET', 'r/Nowhere/docs/a.txt'), 404);
    assert.equal(await status('PUT', 'r/Deep/docs/a.txt', gateway.api), 401);
  });

  it('still leads to what lies below a message number', async () => {
    const number = postedNumber(await put('r/Deep/docs/numbered.txt', 'hello'));
    const json = (await (await alice(`r/Deep/${number}/json`)).json()) as { msgnum: number };
    assert.equal(json.msgnum, number);
    assert.equal(await (await alice(`r/Deep/${number}/1`)).text(), 'hello');
  });
});

describe('in another room', () => {
  it('leads to parts, and to nothing else', async () => {
    const number = postedNumber(await put('r/Lobby/new', 'hello'));
    assert.equal(await (await alice(`r/Lobby/${number}/1`)).text(), 'hello');
    assert.equal(await status('GET', `r/Lobby/${number}/json`), 200);
    for (const path of [`${number}/1/2/3`, 'a.txt/b/c', 'none/']) {
      assert.equal(await status('GET', `r/Lobby/${path}`), 404, path);
    }
  });

  it('has no place for a file, for there are no folders', async () => {
    assert.equal((await put('r/Lobby/docs/a.txt')).status, 409);
    assert.equal(await status('MKCOL', 'r/Lobby/docs/a/'), 409);
    assert.equal(await status('LOCK', 'r/Lobby/docs/a.txt'), 409);
    assert.equal(await status('PUT', 'r/Lobby/docs/a.txt', gateway.api), 401);
  });
});

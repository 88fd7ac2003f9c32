// The If header (RFC 4918 section 10.4) on requests that change something.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_IF_RESOURCES } from '../../src/limits/dav.ts';
import { startGateway } from '../support/gateway.ts';
import type { Init } from '../support/raw-http.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');
const status = async (method: string, path: string, init: Init = {}) =>
  (await alice(path, { method, ...(method === 'PUT' && { body: 'x' }), ...init })).status;
const body =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>' +
  '</D:lockinfo>';
const locked = async (path: string, depth = 'infinity') =>
  (await alice(path, { method: 'LOCK', headers: { depth }, body })).headers.get('lock-token')!;
const etagOf = async (path: string) => (await alice(path)).headers.get('etag')!;

await alice('r/If/', { method: 'MKCOL' });
await alice('r/If/docs/', { method: 'MKCOL' });

describe('If', () => {
  it('meets tags and locks of the resource, alone and together', async () => {
    const path = 'r/If/a.txt';
    await status('PUT', path);
    const token = await locked(path);
    const put = async (header: (etag: string) => string) =>
      status('PUT', path, { headers: { if: header(await etagOf(path)) } });
    assert.equal(await put((etag) => `(${token} [${etag}])`), 204);
    assert.equal(await put(() => `(${token} ["0"])`), 412);
    assert.equal(await put(() => '(<DAV:no-lock>)'), 412);
    assert.equal(await put(() => `(${token}) (Not <DAV:no-lock>)`), 204);
    assert.equal(await put(() => '(<urn:uuid:wrong>) (Not <DAV:no-lock>)'), 423, 'it holds, but no token was sent');
    assert.equal(await put((etag) => `(${token} [${etag}]) (Not <DAV:no-lock> [${etag}])`), 204);
    assert.equal(await put(() => `(${token} ["0"]) (Not <DAV:no-lock> ["0"])`), 412);
    assert.equal(await put((etag) => `(Not ${token} [${etag}])`), 412);
    assert.equal(await put(() => '(Not ["0"])'), 423);
    assert.equal(await put(() => `(${token}`), 400);
    assert.equal(await status('UNLOCK', path, { headers: { 'lock-token': token } }), 204);
    assert.equal(await put(() => `(${token})`), 412, 'there is no such lock any more');
  });

  it('meets other resources by their addresses, absolute or not', async () => {
    await status('PUT', 'r/If/b.txt');
    await status('PUT', 'r/If/docs/c.txt');
    const token = await locked('r/If/docs/');
    const etag = await etagOf('r/If/docs/c.txt');
    const put = (header: string) => status('PUT', 'r/If/b.txt', { headers: { if: header } });
    for (const at of ['/svc/r/If/docs/c.txt', `${gateway.url}svc/r/If/docs/c.txt`, '/svc/r/If/%64ocs/c.txt']) {
      assert.equal(await put(`<${at}> (${token} [${etag}])`), 204, at);
      assert.equal(await put(`<${at}> (${token} ["0"])`), 412, at);
    }
    assert.equal(await put(`</svc/r/If/docs> (${token})`), 204, 'a folder without its slash');
    assert.equal(await put(`</svc/r/If/b.txt> (${token})`), 412, 'a lock that is on another one');
    assert.equal(await put(`</svc/r/Nowhere/x> (${token})`), 412);
    assert.equal(await put('</svc/r/Nowhere/x> (Not <urn:uuid:x>)'), 204);
    assert.equal(await status('UNLOCK', 'r/If/docs/', { headers: { 'lock-token': token } }), 204);
  });

  it('submits the tokens of the Destination, too', async () => {
    await status('PUT', 'r/If/from.txt');
    await status('PUT', 'r/If/to.txt');
    const token = await locked('r/If/to.txt');
    const copy = (header?: string) =>
      status('COPY', 'r/If/from.txt', {
        headers: { destination: '/svc/r/If/to.txt', ...(header !== undefined && { if: header }) },
      });
    assert.equal(await copy(), 423);
    assert.equal(await copy(`</svc/r/If/to.txt> (${token})`), 204);
    assert.equal(await copy(`(${token})`), 412, 'the source has no such lock');
    assert.equal(await copy(`</svc/r/If/from.txt> (Not ${token}) </svc/r/If/to.txt> (${token})`), 204);
  });

  it('guards every method that changes something', async () => {
    const path = 'r/If/guarded.txt';
    await status('PUT', path);
    const headers = { if: '(["0"])' };
    const destination = '/svc/r/If/elsewhere.txt';
    for (const [method, at, init] of [
      ['PUT', path, {}],
      ['PUT', 'r/If/free.txt', {}],
      ['DELETE', path, {}],
      ['MOVE', path, { destination }],
      ['COPY', path, { destination }],
      ['MKCOL', 'r/If/folder/', {}],
      ['DELETE', 'r/If/', {}],
      ['MOVE', 'r/If/', { destination: '/svc/r/If2/' }],
    ] as const) {
      assert.equal(await status(method, at, { headers: { ...headers, ...init } }), 412, `${method} ${at}`);
    }
    const change =
      '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x"/></D:prop></D:set></D:propertyupdate>';
    assert.equal(await status('PROPPATCH', path, { headers, body: change }), 412);
    assert.equal(await status('LOCK', path, { headers, body }), 412);
    assert.equal(await status('GET', path), 200);
  });

  it('names a bounded number of other resources', async () => {
    const put = (count: number) => {
      const lists = Array.from({ length: count }, (_, i) => `</svc/r/If/none-${i}> (Not <urn:uuid:x>)`);
      return status('PUT', 'r/If/bounded.txt', { headers: { if: lists.join(' ') } });
    };
    assert.equal(await put(MAX_IF_RESOURCES), 201);
    assert.equal(await put(MAX_IF_RESOURCES + 1), 400);
  });
});

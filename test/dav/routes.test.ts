// The route table of WebDAV.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';

const router = routes('/svc/');
addDavRoutes(router, '/svc/');
const has = (method: string, path: string) => router.match(method, path).kind === 'found';

it('What leads to calendars answers with a slash behind it and without', () => {
  for (const path of ['/', '/svc', '/svc/r', '/svc/u', '/svc/u/alice', '/svc/r/Lobby', '/svc/u/alice/inbox']) {
    for (const method of ['PROPFIND', 'REPORT']) {
      assert.ok(has(method, path), `${method} ${path}`);
      assert.ok(has(method, path === '/' ? path : `${path}/`), `${method} ${path}/`);
    }
  }
  assert.ok(has('PROPFIND', '/svc/u/alice/outbox/') && has('POST', '/svc/u/alice/outbox'));
});

it('Rooms, messages and files have the methods of their kind', () => {
  for (const method of ['PROPFIND', 'PROPPATCH', 'REPORT', 'MKCOL', 'MKCALENDAR', 'MOVE', 'COPY', 'LOCK', 'UNLOCK']) {
    assert.ok(has(method, '/svc/r/Lobby/'), method);
    assert.ok(has(method, '/svc/r/Lobby/1'), method);
    if (method !== 'MKCALENDAR') assert.ok(has(method, '/svc/r/Files/docs/2026/a.txt'), method);
  }
  assert.ok(has('GET', '/svc/r/Lobby/1'), 'beside those of the JSON interface');
});

it('Nothing is made or moved at the root, the home and the principals', () => {
  for (const path of ['/', '/svc/', '/svc/r/', '/svc/u/', '/svc/u/alice/']) {
    for (const method of ['MKCOL', 'MKCALENDAR', 'MOVE', 'COPY', 'LOCK']) {
      assert.equal(has(method, path), false, `${method} ${path}`);
    }
  }
});

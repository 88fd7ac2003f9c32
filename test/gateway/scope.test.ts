// What each scope is good for, by every route that there is: nobody gives a new one away by forgetting it here.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { AppError } from '../../src/errors.ts';
import { requireScope } from '../../src/gateway/caller.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import type { AppPasswordScope } from '../../src/model.ts';

const table = routes('/svc/');
addDavRoutes(table, '/svc/');
const all = table.routes();
const davRoutes = new Set(all.flatMap(({ method, pattern }) => (method === 'PROPFIND' ? [pattern] : [])));
const app = { prefix: '/svc/', davRoutes };

function isGoodFor(
  scope: AppPasswordScope | undefined,
  method: string,
  route: string,
  isChanging = false,
  rawQuery = '',
): boolean {
  try {
    requireScope({ method, route, isChanging, rawQuery } as Exchange, app, scope);
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'forbidden');
    return false;
  }
}

const openTo = (scope: AppPasswordScope) =>
  all
    .filter(({ method, pattern }) => isGoodFor(scope, method, pattern))
    .map(({ method, pattern }) => ({ method, pattern }));

describe('the scope of an app password', () => {
  it('read is safe methods, and no GET that changes something', () => {
    const methods = new Set(openTo('read').map(({ method }) => method));
    assert.deepEqual([...methods].sort(), ['GET', 'PROPFIND', 'REPORT']);
    assert.equal(isGoodFor('read', 'GET', '/svc/a/im', true), false);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.ok(isGoodFor('read', method, '/svc/a/whoami'));
  });

  it('dav is the addresses of WebDAV, without PATCH, and POST at the outbox alone', () => {
    const open = openTo('dav');
    assert.deepEqual(
      open.filter(({ pattern }) => !/^\/(svc\/?)?$|^\/svc\/[ru](\/|$)/.test(pattern)),
      [],
    );
    assert.deepEqual(
      open.filter(({ method }) => method === 'POST').map(({ pattern }) => pattern),
      ['/svc/u/:user/outbox', '/svc/u/:user/outbox/'],
    );
    const below = new Set(open.map(({ pattern }) => pattern));
    for (const name of ['members', 'members/:user', 'mailbox', 'info.txt', 'roompic', 'stat', 'slrp']) {
      assert.ok(!below.has(`/svc/r/:room/${name}`), name);
    }
    for (const { method, pattern } of all) {
      const isDav = /^(PROP|MK|MOVE|COPY|LOCK|UNLOCK|REPORT)/.test(method);
      if (isDav) assert.ok(isGoodFor('dav', method, pattern), `${method} ${pattern}`);
      if (method === 'PATCH') assert.ok(!isGoodFor('dav', method, pattern), pattern);
    }
    assert.equal(isGoodFor('dav', 'GET', '/svc/r/:room/:name', true), false);
    for (const query of ['mailto=bob', 'subj=x', 'att=1', 'draft=3', 'wefw=%3Ca%40b%3E', 'x']) {
      assert.equal(isGoodFor('dav', 'PUT', '/svc/r/:room/:name', false, query), false, query);
    }
  });

  it('feed is one address; all, and no app password, is every one', () => {
    assert.ok(isGoodFor('feed', 'GET', '/svc/r/:room/feed'));
    assert.ok(isGoodFor('feed', 'HEAD', '/svc/r/:room/feed'));
    assert.ok(!isGoodFor('feed', 'PUT', '/svc/r/:room/feed'));
    assert.deepEqual(
      openTo('feed').filter(({ pattern }) => pattern !== '/svc/r/:room/feed'),
      [],
    );
    assert.equal(openTo('all').length, all.length);
    assert.ok(all.every(({ method, pattern }) => isGoodFor(undefined, method, pattern)));
  });
});

// The route table of the JSON interface.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import type { App } from '../../src/gateway/app.ts';
import type { Exchange } from '../../src/http/exchange.ts';

const router = routes('/ctdl/');
const patternOf = (method: string, path: string) => {
  const match = router.match(method, path);
  return match.kind === 'found' ? match.pattern : match.kind;
};

describe('a path', () => {
  it('is found below the prefix, and nowhere else but at the root and in .well-known', () => {
    assert.equal(patternOf('GET', '/ctdl/r/'), '/ctdl/r/');
    for (const path of ['/svc/r/', '/r/', '/ctdl/x', '/ctdlr/']) assert.equal(patternOf('GET', path), 'none', path);
    assert.equal(patternOf('GET', '/'), '/');
    assert.equal(patternOf('GET', '/ctdl'), '/ctdl');
    assert.equal(patternOf('GET', '/.well-known/security.txt'), '/.well-known/*path');
    assert.equal(patternOf('PROPFIND', '/.well-known/caldav'), '/.well-known/caldav', 'whatever the method');
  });

  it('of what a room has of its own is no message', () => {
    for (const name of ['info.txt', 'roompic', 'members', 'stat', 'mailbox', 'slrp']) {
      assert.equal(patternOf('GET', `/ctdl/r/Lobby/${name}`), `/ctdl/r/:room/${name}`);
    }
    assert.equal(patternOf('GET', '/ctdl/r/Lobby/msgs.all'), '/ctdl/r/:room/:name');
    assert.equal(patternOf('GET', '/ctdl/r/Lobby/members.txt'), '/ctdl/r/:room/:name');
  });

  it('has the methods it has, and no other', () => {
    const match = router.match('POST', '/ctdl/r/Lobby/1');
    assert.deepEqual(match.kind === 'method' && match.allow.sort(), ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']);
    assert.equal(patternOf('GET', '/ctdl/a/login'), 'method');
    assert.equal(patternOf('POST', '/ctdl/a/login'), '/ctdl/a/login');
  });
});

describe('a GET that changes something', () => {
  const CHANGING = ['a/im', 'r/Lobby/slrp', 'p/Lobby/1', 'p/r/Lobby/1'];

  it('is refused to links, before anything is asked', async () => {
    for (const path of CHANGING) {
      const match = router.match('GET', `/ctdl/${path}`);
      assert.ok(match.kind === 'found', path);
      const linked = {
        header: (name: string) => ({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' })[name],
      };
      const call = async () => match.value(linked as Partial<Exchange> as Exchange, {} as App);
      await assert.rejects(call(), { code: 'forbidden' }, path);
    }
  });

  it('has no HEAD, unless that changes nothing', () => {
    assert.deepEqual(
      ['a/logout', ...CHANGING].map((path) => patternOf('HEAD', `/ctdl/${path}`)),
      ['method', '/ctdl/a/im', 'method', 'method', 'method'],
    );
  });
});

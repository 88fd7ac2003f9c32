import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { Router } from '../../src/http/router.ts';
import { MAX_PATH_SEGMENTS, MAX_URL_BYTES } from '../../src/limits/http.ts';

const router = new Router<string>()
  .add('GET', '/', 'root')
  .add('GET', '/svc/r', 'rooms redirect')
  .add('GET', '/svc/r/', 'rooms')
  .add('GET', '/svc/r/:room', 'room redirect')
  .add('GET', '/svc/r/:room/', 'room')
  .add('PROPFIND', '/svc/r/:room/', 'propfind')
  .add('GET', '/svc/r/:room/msgs.all', 'all')
  .add('GET', '/svc/r/:room/:message', 'message')
  .add('DELETE', '/svc/r/:room/:message', 'delete')
  .add('GET', '/svc/r/:name/:message/json', 'json')
  .add('GET', '/svc/s/*path', 'static')
  .add('GET', '/svc/s/special/:x/end', 'special')
  .add('OPTIONS', '/svc/*rest', 'options');

function found(method: string, path: string): [string, Record<string, string>] | string {
  const match = router.match(method, path);
  return match.kind === 'found' ? [match.value, { ...match.params }] : match.kind;
}

function refusal(path: string): string {
  try {
    router.match('GET', path);
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
  return 'none';
}

describe('router', () => {
  it('tells a path with a trailing slash from one without', () => {
    assert.deepEqual(found('GET', '/'), ['root', {}]);
    assert.deepEqual(found('GET', '/svc/r'), ['rooms redirect', {}]);
    assert.deepEqual(found('GET', '/svc/r/'), ['rooms', {}]);
    assert.deepEqual(found('GET', '/svc/r/Lobby'), ['room redirect', { room: 'Lobby' }]);
    assert.deepEqual(found('GET', '/svc/r/Lobby/'), ['room', { room: 'Lobby' }]);
  });

  it('prefers static over parameter over wildcard, and comes back where the narrower way ends', () => {
    assert.deepEqual(found('GET', '/svc/r/Lobby/msgs.all'), ['all', { room: 'Lobby' }]);
    assert.deepEqual(found('GET', '/svc/r/Lobby/msgs.new'), ['message', { room: 'Lobby', message: 'msgs.new' }]);
    assert.deepEqual(found('GET', '/svc/r/Lobby/msgs.all/json'), ['json', { name: 'Lobby', message: 'msgs.all' }]);
    assert.deepEqual(found('GET', '/svc/s/special/a/end'), ['special', { x: 'a' }]);
    assert.deepEqual(found('GET', '/svc/s/special/a/b'), ['static', { path: 'special/a/b' }]);
    assert.deepEqual(found('OPTIONS', '/svc/x/y'), ['options', { rest: 'x/y' }]);
  });

  it('never gives an empty segment to a parameter', () => {
    assert.equal(found('GET', '/svc/r//'), 'method');
    assert.deepEqual(found('OPTIONS', '/svc/r//'), ['options', { rest: 'r//' }]);
    assert.deepEqual(found('GET', '/svc/r/Lobby/'), ['room', { room: 'Lobby' }]);
  });

  it('gives a wildcard zero or more segments', () => {
    assert.deepEqual(found('GET', '/svc/s'), ['static', { path: '' }]);
    assert.deepEqual(found('GET', '/svc/s/'), ['static', { path: '' }]);
    assert.deepEqual(found('GET', '/svc/s/a'), ['static', { path: 'a' }]);
    assert.deepEqual(found('GET', '/svc/s/a/b/'), ['static', { path: 'a/b/' }]);
  });

  it('splits before it decodes, and decodes once', () => {
    assert.deepEqual(found('GET', '/svc/r/a%2Fb%20slash%20%26%20%3Cb%3E/'), ['room', { room: 'a/b slash & <b>' }]);
    assert.deepEqual(found('GET', '/svc/r/100%2525/'), ['room', { room: '100%25' }]);
    assert.deepEqual(found('GET', '/svc/r/a+b/'), ['room', { room: 'a+b' }]);
    assert.deepEqual(found('GET', '/svc/r/Zo%C3%AB/'), ['room', { room: 'Zoë' }]);
  });

  it('takes raw UTF-8 bytes, which node hands over as Latin-1, for what they are', () => {
    assert.deepEqual(found('GET', '/svc/r/Zo\xc3\xab%20/'), ['room', { room: 'Zoë ' }]);
    assert.equal(refusal('/svc/r/Zo\xeb/'), 'bad_request');
  });

  it('compares static segments decoded', () => {
    assert.deepEqual(found('GET', '/%73vc/r/Lobby/msgs%2Eall'), ['all', { room: 'Lobby' }]);
  });

  it('refuses malformed encoding, NUL, CR and LF', () => {
    for (const segment of ['%', '%4', '%zz', '%ff', '%C3', '%ed%a0%80', 'a%00b', '%0d', 'x%0A', '%c0%80']) {
      assert.equal(refusal(`/svc/r/${segment}/`), 'bad_request', segment);
    }
  });

  it('refuses an encoded slash where a wildcard would join it', () => {
    assert.equal(refusal('/svc/s/a%2Fb'), 'bad_request');
    assert.equal(refusal('/svc/s/..%2f..%2fetc/passwd'), 'bad_request');
  });

  it('answers HEAD with GET and lists HEAD among the methods', () => {
    assert.deepEqual(found('HEAD', '/svc/r/'), ['rooms', {}]);
    assert.deepEqual(router.match('PUT', '/svc/r/Lobby/'), { kind: 'method', allow: ['GET', 'HEAD', 'PROPFIND'] });
  });

  it('lets the most specific path decide about the method', () => {
    assert.deepEqual(router.match('DELETE', '/svc/r/Lobby/msgs.all'), { kind: 'method', allow: ['GET', 'HEAD'] });
    assert.equal(found('DELETE', '/svc/r/Lobby/7')[0], 'delete');
  });

  it('knows nothing of other paths', () => {
    assert.equal(found('GET', '/other'), 'none');
    assert.equal(found('GET', '*'), 'none');
    assert.equal(found('GET', ''), 'none');
    assert.equal(found('GET', '/__proto__'), 'none');
  });

  it('takes the longest path and the most segments, and no more', () => {
    const segments = (count: number) => `/svc/s${'/a'.repeat(count - 2)}`;
    assert.equal(found('GET', segments(MAX_PATH_SEGMENTS))[0], 'static');
    assert.equal(refusal(segments(MAX_PATH_SEGMENTS + 1)), 'bad_request');
    assert.equal(found('GET', '/svc/s/'.padEnd(MAX_URL_BYTES, 'a'))[0], 'static');
    assert.equal(refusal('/svc/s/'.padEnd(MAX_URL_BYTES + 1, 'a')), 'uri_too_long');
  });

  it('lets `*` take the methods that a path has not', () => {
    const router = new Router<string>().add('GET', '/a', 'get').add('*', '/a', 'any').add('*', '/b', 'any');
    const name = (method: string, path: string) => {
      const match = router.match(method, path);
      return match.kind === 'found' ? match.value : match.kind;
    };
    assert.deepEqual(
      ['GET', 'HEAD', 'PUT'].map((method) => name(method, '/a')),
      ['get', 'get', 'any'],
    );
    assert.deepEqual(
      ['GET', 'HEAD', 'OPTIONS', 'PROPFIND'].map((method) => name(method, '/b')),
      ['any', 'any', 'any', 'any'],
    );
  });

  it('has no HEAD for a GET that changes something', () => {
    const router = new Router<string>().add('GET', '/a', 'get', false);
    assert.deepEqual(router.match('HEAD', '/a'), { kind: 'method', allow: ['GET'] });
    assert.equal(router.match('GET', '/a').kind, 'found');
  });

  it('refuses the same route twice, also under another parameter name', () => {
    assert.throws(() => new Router().add('GET', '/:a', 1).add('GET', '/:b', 2), /duplicate/);
    assert.throws(() => new Router().add('GET', '/*a/b', 1), /wildcard/);
    assert.throws(() => new Router().add('GET', '/:a/:a', 1), /twice/);
    assert.throws(() => new Router().add('GET', 'a', 1), /slash/);
  });

  it('lists its routes', () => {
    assert.deepEqual(new Router().add('GET', '/a', 1).add('PUT', '/:b', 2).routes(), [
      { method: 'GET', pattern: '/a' },
      { method: 'PUT', pattern: '/:b' },
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCookies, serializeCookie } from '../../src/http/cookies.ts';
import { MAX_COOKIE_COUNT } from '../../src/limits/http.ts';
import { MAX_COOKIE_BYTES } from '../../src/limits/sessions.ts';

const ATTRIBUTES = { path: '/svc/', httpOnly: true, secure: false, sameSite: 'Lax' } as const;

describe('cookies', () => {
  it('reads names and values, the first of a name winning', () => {
    const cookies = parseCookies('a=1; b="two"; a=3; novalue; =x; c=d=e;  f = g ;__proto__=h');
    assert.deepEqual(
      [...cookies],
      [
        ['a', '1'],
        ['b', 'two'],
        ['c', 'd=e'],
        ['f', 'g'],
        ['__proto__', 'h'],
      ],
    );
    assert.equal(parseCookies(undefined).size, 0);
  });

  it('reads so many cookies and no more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `c${i}=${i}`).join('; ');
    assert.equal(parseCookies(many(MAX_COOKIE_COUNT)).size, MAX_COOKIE_COUNT);
    assert.equal(parseCookies(many(MAX_COOKIE_COUNT + 1)).size, MAX_COOKIE_COUNT);
  });

  it('writes the attributes', () => {
    assert.equal(
      serializeCookie('s', 'abc', { ...ATTRIBUTES, maxAgeSeconds: 0, secure: true }),
      's=abc; Path=/svc/; SameSite=Lax; Max-Age=0; HttpOnly; Secure',
    );
    assert.equal(serializeCookie('s', '', ATTRIBUTES), 's=; Path=/svc/; SameSite=Lax; HttpOnly');
  });

  it('refuses to write what would end the value, the header or the browser’s patience', () => {
    for (const value of ['a;b', 'a b', 'a\r\nX: y', 'a"b', 'ë', 'a,b']) {
      assert.throws(() => serializeCookie('s', value, ATTRIBUTES));
    }
    assert.throws(() => serializeCookie('a b', 'x', ATTRIBUTES));
    assert.throws(() => serializeCookie('s', 'x', { ...ATTRIBUTES, path: '/;Secure' }));
    const longest = `s=${'x'.repeat(MAX_COOKIE_BYTES - 1)}`;
    assert.equal(serializeCookie('s', longest.slice(2), ATTRIBUTES), `${longest}; Path=/svc/; SameSite=Lax; HttpOnly`);
    assert.throws(() => serializeCookie('s', 'x'.repeat(MAX_COOKIE_BYTES), ATTRIBUTES));
  });
});

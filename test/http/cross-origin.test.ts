// What a browser is told of pages on other origins.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { admitOrigin, isPreflight, preflightHeaders } from '../../src/http/cross-origin.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { PREFLIGHT_SECONDS } from '../../src/limits/http.ts';

function asked(method: string, headers: Record<string, string>): Exchange & { extraHeaders: string[] } {
  const extraHeaders: string[] = [];
  const addHeader = (name: string, value: string) => void extraHeaders.push(name, value);
  return { method, header: (name: string) => headers[name], addHeader, extraHeaders } as never;
}

const NAMED = new Set(['https://app.example.net']);

it('nothing is said where no origin is named', () => {
  const exchange = asked('GET', { origin: 'https://app.example.net' });
  assert.equal(admitOrigin(exchange, new Set()), false);
  assert.deepEqual(exchange.extraHeaders, []);
});

it('a named origin alone is let in, exactly as it is written', () => {
  const exchange = asked('GET', { origin: 'https://app.example.net' });
  assert.equal(admitOrigin(exchange, NAMED), true);
  const [vary, origin, allow, named, credentials, yes] = exchange.extraHeaders;
  assert.deepEqual([vary, origin], ['Vary', 'Origin']);
  assert.deepEqual([allow, named], ['Access-Control-Allow-Origin', 'https://app.example.net']);
  assert.deepEqual([credentials, yes], ['Access-Control-Allow-Credentials', 'true']);
  for (const other of ['https://app.example.net.evil.example', 'http://app.example.net', 'null', '*', undefined]) {
    const stranger = asked('GET', other === undefined ? {} : { origin: other });
    assert.equal(admitOrigin(stranger, NAMED), false, String(other));
    assert.deepEqual(stranger.extraHeaders, ['Vary', 'Origin'], String(other));
  }
});

it('a preflight is an OPTIONS that names a method', () => {
  assert.equal(isPreflight(asked('OPTIONS', { 'access-control-request-method': 'PUT' })), true);
  assert.equal(isPreflight(asked('OPTIONS', {})), false);
  assert.equal(isPreflight(asked('GET', { 'access-control-request-method': 'PUT' })), false);
  const headers = preflightHeaders(['GET', 'PUT']);
  assert.equal(headers['Access-Control-Allow-Methods'], 'GET, PUT');
  assert.equal(headers['Access-Control-Max-Age'], PREFLIGHT_SECONDS);
});

it('every header field that is looked at may be sent, but for those that browsers and proxies write', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const allowed = String(preflightHeaders([])['Access-Control-Allow-Headers']).toLowerCase().split(', ');
  const theirs = ['accept-encoding', 'content-length', 'content-range', 'cookie', 'origin', 'referer', 'user-agent'];
  for (const part of ['api', 'dav', 'gateway', 'http', 'telemetry']) {
    for (const path of readdirSync(join(source, part), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      for (const [, name] of readFileSync(join(source, part, path), 'utf8').matchAll(/\.header\('([^']+)'\)/g)) {
        if (/^(?:access-control|sec|x-forwarded)-/.test(name!)) continue;
        assert.ok(theirs.includes(name!) || allowed.includes(name!), `${part}/${path}: ${name}`);
      }
    }
  }
});

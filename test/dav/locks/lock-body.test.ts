// What a LOCK asks for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepLock, lockSeconds, lockTokenOf, parseLockInfo } from '../../../src/dav/locks.ts';
import { readXml } from '../../../src/dav/xml-read.ts';
import type { Exchange } from '../../../src/http/exchange.ts';
import { DEFAULT_LOCK_SECONDS, MAX_LOCK_OWNER_BYTES, MAX_LOCK_SECONDS } from '../../../src/limits/dav.ts';

const info = (inner: string) => parseLockInfo(readXml(Buffer.from(`<D:lockinfo xmlns:D="DAV:">${inner}</D:lockinfo>`)));
const WRITE = '<D:locktype><D:write/></D:locktype>';
const EXCLUSIVE = `<D:lockscope><D:exclusive/></D:lockscope>${WRITE}`;
const withHeaders = (headers: Record<string, string>) =>
  ({ header: (name: string) => headers[name] }) as unknown as Exchange;

describe('lockinfo (RFC 4918 section 14.11)', () => {
  it('says what kind of lock it is, and whose', () => {
    assert.deepEqual(info(EXCLUSIVE), { isShared: false, ownerXml: '' });
    const owner = '<D:owner><D:href>mailto:a&amp;b</D:href><x:y xmlns:x="urn:x" z="&lt;">t</x:y></D:owner>';
    assert.deepEqual(info(`${WRITE}<D:lockscope><D:shared/></D:lockscope>${owner}`), {
      isShared: true,
      ownerXml: owner.replace('<D:owner>', '<D:owner xmlns:D="DAV:">'),
    });
  });

  it('is refused for any other lock', () => {
    for (const inner of [
      '',
      WRITE,
      '<D:lockscope><D:exclusive/></D:lockscope>',
      `<D:lockscope><D:exclusive/><D:shared/></D:lockscope>${WRITE}`,
      '<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:read/></D:locktype>',
    ]) {
      assert.throws(() => info(inner), { code: 'bad_request' }, inner);
    }
    assert.throws(() => parseLockInfo(readXml(Buffer.from('<lockinfo/>'))), { code: 'bad_request' });
  });

  it('has a bounded owner', () => {
    const owner = (length: number) =>
      `${EXCLUSIVE}<D:owner>${'o'.repeat(length - '<D:owner xmlns:D="DAV:"></D:owner>'.length)}</D:owner>`;
    assert.equal(info(owner(MAX_LOCK_OWNER_BYTES)).ownerXml.length, MAX_LOCK_OWNER_BYTES);
    assert.throws(() => info(owner(MAX_LOCK_OWNER_BYTES + 1)), { code: 'too_large' });
  });
});

describe('Timeout (RFC 4918 section 10.7)', () => {
  it('is the first that can be read, within bounds', () => {
    for (const [value, seconds] of [
      [undefined, DEFAULT_LOCK_SECONDS],
      ['', DEFAULT_LOCK_SECONDS],
      ['Minute-5', DEFAULT_LOCK_SECONDS],
      ['Second-600', 600],
      ['second-0', 1],
      [`Second-${MAX_LOCK_SECONDS}`, MAX_LOCK_SECONDS],
      [`Second-${MAX_LOCK_SECONDS + 1}`, MAX_LOCK_SECONDS],
      ['Infinite, Second-4100000000', MAX_LOCK_SECONDS],
      ['Extend, Second-30', 30],
      [`Second-${'9'.repeat(400)}`, MAX_LOCK_SECONDS],
    ] as const) {
      assert.equal(lockSeconds(value), seconds, String(value));
    }
  });
});

describe('the other header fields', () => {
  it('are a token, with or without its brackets, and a depth', () => {
    for (const value of ['<urn:uuid:1>', 'urn:uuid:1', ' <urn:uuid:1> ', '<urn:uuid:1']) {
      assert.equal(lockTokenOf(withHeaders({ 'lock-token': value })), 'urn:uuid:1');
    }
    for (const value of ['', '<>', 'a b', '<a> <b>']) {
      assert.throws(() => lockTokenOf(withHeaders({ 'lock-token': value })), { code: 'bad_request' }, value);
    }
    assert.equal(isDeepLock(withHeaders({})), true);
    assert.equal(isDeepLock(withHeaders({ depth: 'Infinity' })), true);
    assert.equal(isDeepLock(withHeaders({ depth: '0' })), false);
    assert.throws(() => isDeepLock(withHeaders({ depth: '1' })), { code: 'bad_request' });
  });
});

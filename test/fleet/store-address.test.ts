import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostPortText, maskedStoreAddress, parseHostPort, parseStoreAddress } from '../../src/fleet/store-address.ts';
import { MAX_STORE_HOSTS } from '../../src/limits/processes.ts';

const NONE = { user: undefined, password: undefined, masterName: '', database: 0, isTls: false };
const HOST = { host: 'db.example.org', port: 6379 };

it('an address names one server, sentinels or a cluster, with or without a password, in clear or over TLS', () => {
  for (const [text, address] of [
    ['redis://db.example.org', { ...NONE, kind: 'single', hosts: [HOST] }],
    ['redis://db.example.org/', { ...NONE, kind: 'single', hosts: [HOST] }],
    ['redis://[::1]:7000/3', { ...NONE, kind: 'single', hosts: [{ host: '::1', port: 7000 }], database: 3 }],
    [
      'rediss://ann:p%40ss%3A@db.example.org:6379',
      { ...NONE, kind: 'single', hosts: [HOST], user: 'ann', password: 'p@ss:', isTls: true },
    ],
    ['redis://:secret@db.example.org', { ...NONE, kind: 'single', hosts: [HOST], password: 'secret' }],
    [
      'redis+sentinel://a,b:1/main/2',
      {
        ...NONE,
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 1 },
        ],
        masterName: 'main',
        database: 2,
      },
    ],
    ['redis+cluster://a', { ...NONE, kind: 'cluster', hosts: [{ host: 'a', port: 6379 }] }],
    [
      'rediss://a,b',
      {
        ...NONE,
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 6379 },
        ],
        isTls: true,
      },
    ],
  ] as const) {
    assert.deepEqual(parseStoreAddress(text), address, text);
  }
});

it('what is none is refused', () => {
  for (const text of [
    '',
    'redis:',
    'redis://',
    'http://a',
    'redis://a:0',
    'redis://a:65536',
    'redis://a/x',
    'redis://a/0/1',
    'redis://a b',
    'redis://secret@a',
    'redis://:@a',
    'redis://:%zz@a',
    'redis+sentinel://a',
    'redis+sentinel:///m',
    'redis+cluster://a/1',
    'redis://a,b/1',
    'redis://a,,b',
    'redis://[a]',
  ]) {
    assert.equal(parseStoreAddress(text), undefined, text);
  }
  const hosts = (count: number) => Array.from({ length: count }, (_, i) => `h${i}`).join(',');
  assert.ok(parseStoreAddress(`redis://${hosts(MAX_STORE_HOSTS)}`));
  assert.equal(parseStoreAddress(`redis://${hosts(MAX_STORE_HOSTS + 1)}`), undefined);
});

it('people are not shown the password', () => {
  assert.equal(maskedStoreAddress('redis://ann:secret@a:1/0'), 'redis://ann:(hidden)@a:1/0');
  assert.equal(maskedStoreAddress('rediss://:secret@a'), 'rediss://:(hidden)@a');
  assert.equal(maskedStoreAddress('redis+sentinel://:s@a,b/m'), 'redis+sentinel://:(hidden)@a,b/m');
  assert.equal(maskedStoreAddress('redis://secret@a'), 'redis://(hidden)@a');
  assert.equal(maskedStoreAddress('redis://:p@ss/word@a'), 'redis://:(hidden)@a');
  assert.equal(maskedStoreAddress('redis://a:1'), 'redis://a:1');
});

it('hosts are written as they are read', () => {
  for (const text of ['a:1', '[::1]:2']) assert.equal(hostPortText(parseHostPort(text, 0)!), text);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { redirectOf, slotOf, slotRanges } from '../../../src/extra/resp/store-client.ts';
import { MAX_CLUSTER_NODES } from '../../../src/limits/processes.ts';

const ASKED = { host: '192.0.2.1', port: 6379 };

it('a slot is the CRC-16 of the key, or of what stands between its first braces', () => {
  assert.equal(slotOf('123456789'), 0x31c3);
  assert.equal(slotOf(''), 0);
  assert.equal(slotOf('{user1000}.following'), slotOf('user1000'));
  assert.equal(slotOf('foo{{bar}}zap'), slotOf('{bar'));
  assert.equal(slotOf('foo{bar}{zap}'), slotOf('bar'));
  assert.notEqual(slotOf('foo{}{bar}'), slotOf('bar'));
  assert.equal(slotOf('é'), slotOf('x{é}y'));
});

it('a map of slots names masters; what is none is left out', () => {
  const node = (host: string | null, port: number) => [
    host === null ? null : Buffer.from(host),
    port,
    Buffer.from('id'),
    [],
  ];
  const reply = [
    [0, 99, node('a', 1), node('b', 2)],
    [100, 200, node(null, 3)],
    [201, 16_384, node('c', 4)],
    [-1, 5, node('c', 4)],
    [300, 301, node('c', 0)],
    ['x'],
    null,
  ];
  assert.deepEqual(slotRanges(reply, ASKED), [
    { first: 0, last: 99, host: 'a', port: 1 },
    { first: 100, last: 200, host: '192.0.2.1', port: 3 },
  ]);
  assert.deepEqual(slotRanges('OK', ASKED), []);
  const many = (count: number) => Array.from({ length: count }, (_, i) => [i, i, node('a', i + 1)]);
  assert.equal(slotRanges(many(MAX_CLUSTER_NODES), ASKED).length, MAX_CLUSTER_NODES);
  assert.equal(slotRanges(many(MAX_CLUSTER_NODES + 1), ASKED).length, 0);
});

it('a redirect says where, and whether for once', () => {
  assert.deepEqual(redirectOf('MOVED 3999 127.0.0.1:6381', ASKED), { host: '127.0.0.1', port: 6381, isAsk: false });
  assert.deepEqual(redirectOf('ASK 1 db.example.org:1', ASKED), { host: 'db.example.org', port: 1, isAsk: true });
  assert.deepEqual(redirectOf('MOVED 1 :7', ASKED), { host: '192.0.2.1', port: 7, isAsk: false });
  assert.deepEqual(redirectOf('MOVED 1 ::1:7', ASKED), { host: '::1', port: 7, isAsk: false });
  for (const text of [
    'ERR x',
    'MOVED',
    'MOVED 1 a',
    'MOVED 1 a:0',
    'MOVED 1 a:99999',
    'MOVED 1 a b:1',
    'MOVEDX 1 a:1',
  ]) {
    assert.equal(redirectOf(text, ASKED), undefined, text);
  }
});

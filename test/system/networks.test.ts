// What counts as one client, and how much each may hold.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLoopback, isNetwork, isWithin, NetworkCounts, networkOf } from '../../src/system/networks.ts';

describe('a client', () => {
  it('is an IPv4 address, however it is written, or the /64 network of an IPv6 address', () => {
    const cases: [string, string][] = [
      ['1.2.3.4', '1.2.3.4'],
      ['::ffff:1.2.3.4', '1.2.3.4'],
      ['2001:db8::5', '2001:db8:0:0'],
      ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0'],
      ['2001:db8:0:1::5', '2001:db8:0:1'],
      ['::1', '0:0:0:0'],
      ['', ''],
      ['unknown', 'unknown'],
    ];
    for (const [address, network] of cases) assert.equal(networkOf(address), network, address);
  });
});

describe('networks', () => {
  it('are addresses, and what has so many bits of one', () => {
    for (const text of ['10.0.0.7', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/128'])
      assert.ok(isNetwork(text), text);
    for (const text of ['', 'host', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1']) {
      assert.ok(!isNetwork(text), text);
    }
  });

  it('have members, however an address is written', () => {
    const isMember = isWithin(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32']);
    for (const address of ['10.1.255.255', '192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::1']) {
      assert.ok(isMember(address), address);
    }
    for (const address of ['10.2.0.0', '192.0.2.8', '::ffff:192.0.2.8', '2001:db9::', '', 'unknown']) {
      assert.ok(!isMember(address), address);
    }
    assert.ok(!isWithin([])('10.1.0.0'));
  });
});

describe('counts of clients', () => {
  it('end at the bound, each for itself', () => {
    const counts = new NetworkCounts(2);
    assert.deepEqual(
      ['1.1.1.1', '1.1.1.1', '1.1.1.1', '2.2.2.2', '2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) =>
        counts.enter(address),
      ),
      [true, true, false, true, true, true, false],
    );
  });

  it('go down again', () => {
    const counts = new NetworkCounts(2);
    counts.enter('1.1.1.1');
    counts.enter('1.1.1.1');
    counts.leave('1.1.1.1');
    assert.deepEqual([counts.enter('1.1.1.1'), counts.enter('1.1.1.1')], [true, false]);
    counts.leave('1.1.1.1');
    counts.leave('1.1.1.1');
    assert.deepEqual([counts.enter('1.1.1.1'), counts.enter('1.1.1.1'), counts.enter('1.1.1.1')], [true, true, false]);
  });
});

it('knows the names and addresses that lead to this machine', () => {
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.ok(isLoopback(host), host);
  }
  for (const host of ['localhost.example', 'notlocalhost', '127.0.0.1.example', '10.0.0.1', '0.0.0.0', '::', 'bbs']) {
    assert.ok(!isLoopback(host), host);
  }
});

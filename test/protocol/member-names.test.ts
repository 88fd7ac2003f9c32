// What a segment of a room's address may mean: a number, a name, a UID.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { euidsOf, isAddressable, parseMessageNumber, RESERVED_NAMES } from '../../src/protocol/member-names.ts';

describe('a message number', () => {
  it('is a positive integer without leading zeros that a number can hold', () => {
    assert.equal(parseMessageNumber('1'), 1);
    assert.equal(parseMessageNumber('9'.repeat(15)), 999_999_999_999_999);
    for (const text of ['', '0', '012', '-1', '1.0', '1e3', ' 1', '1 ', '１', '9'.repeat(16)]) {
      assert.equal(parseMessageNumber(text), undefined, text);
    }
  });
});

describe('the name of a message', () => {
  it('is nothing else that an address may mean', () => {
    for (const name of ['', '12', 'msgs.all', 'msgs.', 'mailbox', 'info.txt', 'a|b', 'a\nb', 'a\0']) {
      assert.equal(isAddressable(name), false, name);
    }
    for (const name of ['a.txt', '012', '0', 'msgs', 'Mailbox', '9'.repeat(16), 'ü/b', '.']) {
      assert.equal(isAddressable(name), true, name);
    }
  });

  it('cannot be what the routes use', () => {
    const router = routes('/svc/');
    addDavRoutes(router, '/svc/');
    const used = router.routes().flatMap(({ pattern }) => /^\/svc\/r\/:room\/([^:/]+)$/.exec(pattern)?.[1] ?? []);
    assert.ok(used.length > 0);
    assert.deepEqual([...RESERVED_NAMES].sort(), [...new Set(used)].sort());
    for (const name of used) assert.equal(isAddressable(name), false, name);
  });
});

describe('the UIDs that a segment stands for', () => {
  it('are it and what stands before an ending of calendar objects and cards', () => {
    assert.deepEqual(euidsOf('a@b'), ['a@b']);
    assert.deepEqual(euidsOf('a@b.ics'), ['a@b.ics', 'a@b']);
    assert.deepEqual(euidsOf('x.VCF'), ['x.VCF', 'x']);
    assert.deepEqual(euidsOf('x.ics.ics'), ['x.ics.ics', 'x.ics'], 'one ending only');
    assert.deepEqual(euidsOf('.ics'), ['.ics'], 'no empty one');
    assert.deepEqual(euidsOf('a.icsx'), ['a.icsx']);
  });

  it('are none where it could not be sent', () => {
    for (const segment of ['a|b', 'a\nb.ics', 'a\0']) assert.deepEqual(euidsOf(segment), [], segment);
  });
});

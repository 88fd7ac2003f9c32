// What a segment of a room's address may mean: a number, a name, a UID.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { MAX_MEMBER_NAME_BYTES } from '../../src/limits/backend.ts';
import { VIEW } from '../../src/model.ts';
import {
  euidsOf,
  isAddressable,
  isMemberName,
  isOwnName,
  ownEnding,
  ownNames,
  parseMessageNumber,
  RESERVED_NAMES,
  titleOf,
} from '../../src/protocol/member-names.ts';

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
    for (const name of ['', '12', 'msgs.all', 'msgs.', 'mailbox', 'info.txt', 'a|b', 'a\nb', 'a\0', '.', '..']) {
      assert.equal(isAddressable(name), false, name);
    }
    for (const name of ['a.txt', '012', '0', 'msgs', 'Mailbox', '9'.repeat(16), 'ü/b', '...', '.a']) {
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

describe('the name of a member', () => {
  it('is one that an address may have, of MAX_MEMBER_NAME_BYTES at most', () => {
    const longest = 'é'.repeat(MAX_MEMBER_NAME_BYTES / 2);
    assert.equal(isMemberName(longest), true);
    assert.equal(isMemberName(`${longest}x`), false);
    for (const name of ['', '12', 'mailbox', 'a|b']) assert.equal(isMemberName(name), false, name);
    for (const name of ['12', 'mailbox', 'msgs.all']) assert.equal(isMemberName(name, true), true, name);
    for (const name of ['', '.', '|12']) assert.equal(isMemberName(name, true), false, name);
  });

  it('that nobody has given is its UID, with an ending where rooms hold objects, else its number', () => {
    const own = (view: number, euid: string) => ownNames(view, { msgnum: 7, euid });
    assert.deepEqual(own(VIEW.calendar, 'u'), ['u.ics', '7.ics']);
    assert.deepEqual(own(VIEW.tasks, 'u.ics'), ['u.ics', '7.ics']);
    assert.deepEqual(own(VIEW.addressBook, 'u'), ['u.vcf', '7.vcf']);
    assert.deepEqual(own(VIEW.calendar, '12'), ['12.ics', '7.ics'], 'with its ending it is no number');
    assert.deepEqual(own(VIEW.calendar, ''), ['7.ics']);
    assert.deepEqual(own(VIEW.calendar, 'a|b'), ['7.ics'], 'a UID that no address can have');
    assert.deepEqual(own(VIEW.wiki, 'page'), ['page']);
    for (const euid of ['12', 'mailbox']) assert.deepEqual(own(VIEW.wiki, euid), [euid]);
    assert.deepEqual(own(VIEW.wiki, ''), []);
    assert.deepEqual(own(VIEW.files, 'u'), [], 'a room that knows no UIDs');
  });

  it('is told from one that somebody has given', () => {
    const member = { msgnum: 7, euid: 'u' };
    for (const view of [VIEW.calendar, VIEW.addressBook, VIEW.wiki, VIEW.files]) {
      for (const name of ownNames(view, member)) assert.equal(isOwnName(view, member, name), true, name);
      for (const name of ['', 'given', '7', '8.ics']) assert.equal(isOwnName(view, member, name), false, name);
    }
    assert.equal(isOwnName(VIEW.wiki, { msgnum: 7, euid: '' }, ''), false);
    assert.deepEqual([VIEW.calendar, VIEW.tasks, VIEW.addressBook, VIEW.wiki, VIEW.files].map(ownEnding), [
      '.ics',
      '.ics',
      '.vcf',
      '',
      undefined,
    ]);
  });

  it('is shown where somebody has chosen it, else the title', () => {
    const shown = (name: string, title: string) => titleOf({ msgnum: 7, euid: 'u' }, name, title);
    assert.equal(shown('minutes.txt', 'Title'), 'minutes.txt');
    for (const name of ['', 'u', 'u.ics', '7.vcf']) assert.equal(shown(name, 'Title'), 'Title', name);
    assert.deepEqual([shown('u.ics', ''), shown('', '')], ['u.ics', '7']);
    assert.equal(titleOf({ msgnum: 7, euid: '' }, '.ics', 'Title'), '.ics', 'no UID is no start of a name');
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

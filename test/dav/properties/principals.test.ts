// Live properties that lead a client to its calendars and address books.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { told } from './told.ts';

describe('properties of principals', () => {
  it('lead from anywhere to the homes of the caller, and tell nobody else’s', () => {
    for (const kind of ['root', 'home', 'principals', 'principal', 'inbox', 'room', 'folder', 'member'] as const) {
      assert.equal(
        told('D:current-user-principal', { kind }),
        '<D:current-user-principal><D:href>/svc/u/alice/</D:href></D:current-user-principal>',
      );
    }
    const own = { kind: 'principal', href: '/svc/u/alice/', isOwn: true, addresses: ['alice@example.org'] } as const;
    assert.equal(
      told('C:calendar-home-set', own),
      '<C:calendar-home-set><D:href>/svc/r/</D:href></C:calendar-home-set>',
    );
    assert.equal(
      told('CR:addressbook-home-set', own),
      '<CR:addressbook-home-set><D:href>/svc/r/</D:href></CR:addressbook-home-set>',
    );
    assert.equal(
      told('C:calendar-user-address-set', own),
      '<C:calendar-user-address-set><D:href>mailto:alice@example.org</D:href><D:href>/svc/u/alice/</D:href>' +
        '</C:calendar-user-address-set>',
    );
    assert.equal(told('C:calendar-home-set', { ...own, isOwn: false }), undefined);
    assert.equal(told('C:calendar-home-set', { kind: 'room', collection: 'calendar' }), undefined);
  });
});

describe('a principal', () => {
  it('is one that clients know from the addresses of others, by the one spelling', () => {
    const url = (facts: object) => told('D:principal-URL', { kind: 'principal', ...facts });
    assert.equal(
      url({ href: '/svc/u/ALICE/', isOwn: true }),
      '<D:principal-URL><D:href>/svc/u/alice/</D:href></D:principal-URL>',
    );
    assert.equal(url({ href: '/svc/u/bob/' }), '<D:principal-URL><D:href>/svc/u/bob/</D:href></D:principal-URL>');
    assert.equal(told('D:principal-URL', { kind: 'room' }), undefined);
  });

  it('tells its address and no mail where that is not known', () => {
    assert.equal(
      told('C:calendar-user-address-set', { kind: 'principal', href: '/svc/u/bob/' }),
      '<C:calendar-user-address-set><D:href>/svc/u/bob/</D:href></C:calendar-user-address-set>',
    );
  });

  it('owns what belongs to the caller', () => {
    assert.equal(told('D:owner', { kind: 'room', isOwn: true }), '<D:owner><D:href>/svc/u/alice/</D:href></D:owner>');
    assert.equal(told('D:owner', { kind: 'room' }), undefined);
  });
});

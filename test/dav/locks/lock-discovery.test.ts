// Locks as properties tell of them (RFC 4918 sections 15.8 and 15.10).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockDiscovery, withLocks } from '../../../src/dav/locks.ts';
import type { WriteLock } from '../../../src/fleet/locks.ts';
import { RoomLocks } from '../../../src/gateway/preconditions.ts';
import { resource } from '../properties/told.ts';

const lock = (facts: Partial<WriteLock> = {}): WriteLock => ({
  token: 'urn:uuid:1',
  account: '1',
  collection: 'room/a',
  name: 'docs/',
  isShared: false,
  isDeep: true,
  ownerXml: '',
  until: Date.now() / 1000 + 600,
  made: undefined,
  ...facts,
});

describe('lockdiscovery', () => {
  const told = (facts: Partial<WriteLock>) => lockDiscovery([lock(facts)], (name) => `/svc/r/A/${name}`).text;

  it('tells scope, depth, time, token and root', () => {
    const text = told({}).replace(/Second-(59\d|600)/, 'Second-N');
    assert.equal(
      text,
      '<D:lockdiscovery><D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope>' +
        '<D:depth>infinity</D:depth><D:timeout>Second-N</D:timeout>' +
        '<D:locktoken><D:href>urn:uuid:1</D:href></D:locktoken>' +
        '<D:lockroot><D:href>/svc/r/A/docs/</D:href></D:lockroot></D:activelock></D:lockdiscovery>',
    );
    assert.match(told({ isShared: true, isDeep: false }), /<D:shared\/>.*<D:depth>0<\/D:depth>/);
  });

  it('has no time below zero, and an owner as he has named himself', () => {
    assert.match(told({ until: 0 }), /<D:timeout>Second-0<\/D:timeout>/);
    const ownerXml = '<D:owner xmlns:D="DAV:"><D:href>mailto:a&amp;b</D:href></D:owner>';
    assert.match(told({ ownerXml }), /<D:owner><D:href>mailto:a&amp;b<\/D:href><\/D:owner>/);
    for (const broken of ['<', '</D:prop>', 'x']) assert.equal(told({ ownerXml: broken }), told({}), broken);
  });
});

describe('the locks on a resource', () => {
  const locks = new RoomLocks('room/a', [lock(), lock({ token: 'urn:uuid:2', name: 'docs/a b.txt', isDeep: false })]);
  const tokens = (name: string) =>
    withLocks(resource({}), locks, name, '/svc/r/A/')
      .locks?.text.match(/urn:uuid:\d/g)
      ?.join(' ');

  it('are its own and the deep ones around it', () => {
    assert.deepEqual(['docs/', 'docs/x', 'docs/a b.txt', 'other', ''].map(tokens), [
      'urn:uuid:1',
      'urn:uuid:1',
      'urn:uuid:2 urn:uuid:1',
      undefined,
      undefined,
    ]);
  });

  it('have the addresses of what was locked', () => {
    assert.match(
      withLocks(resource({}), locks, 'docs/a b.txt', '/svc/r/A/').locks!.text,
      /\/svc\/r\/A\/docs\/a%20b\.txt</,
    );
    const plain = resource({});
    assert.equal(withLocks(plain, locks, 'other', '/svc/r/A/'), plain);
  });
});

// Members of rooms as resources.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedHref, memberResource } from '../../src/dav/member-resource.ts';
import type { Member } from '../../src/room-server/collections.ts';

const member = (name: string): Member => ({
  msgnum: 7,
  name,
  euid: '',
  time: 5,
  displayName: 'Subject',
  contentType: 'text/plain',
  size: 3,
  component: undefined,
  extent: undefined,
});
const described = (name: string, collection: 'files' | 'messages') =>
  memberResource(member(name), '/x', { collection, privileges: 1, isOwn: true });

describe('a member', () => {
  it('is a file or a message with type, length and ETag', () => {
    const { kind, contentType, length, etag, created, modified } = described('a.txt', 'messages');
    assert.deepEqual([kind, contentType, length, created, modified], ['member', 'text/plain', 3, 5, 5]);
    assert.match(etag!, /^"[^"]*7[^"]*"$/);
  });

  it('is called by the last segment of its path in a files room, elsewhere by what it says', () => {
    assert.equal(described('docs/2026/a.txt', 'files').displayName, 'a.txt');
    assert.equal(described('a.txt', 'messages').displayName, 'Subject');
  });

  it('is a folder where its name ends in a slash, in a files room only', () => {
    const folder = described('docs/2026/', 'files');
    assert.deepEqual([folder.kind, folder.displayName], ['folder', '2026']);
    for (const fact of ['etag', 'length', 'contentType'] as const) assert.equal(folder[fact], undefined, fact);
    assert.equal(described('odd/', 'messages').kind, 'member');
  });
});

describe('the address of a member that was asked for', () => {
  const asked = (collection: 'files' | 'messages', name: string, segment: string) =>
    askedHref({ href: '/svc/r/A/', collection }, member(name), segment);

  it('is spelt as the client has spelt it', () => {
    assert.equal(asked('messages', 'uid-1', '7'), '/svc/r/A/7');
    assert.equal(asked('messages', 'a/b ü', 'a/b ü'), '/svc/r/A/a%2Fb%20%C3%BC');
    assert.equal(asked('files', 'docs/a.txt', '|7'), '/svc/r/A/%7C7');
    assert.equal(asked('files', '7', '7'), '/svc/r/A/7');
  });

  it('has the slash of a folder, and those of the folders around it', () => {
    assert.equal(asked('files', 'docs/a b/', 'docs/a b'), '/svc/r/A/docs/a%20b/');
    assert.equal(asked('files', 'docs/a.txt', 'docs/a.txt'), '/svc/r/A/docs/a.txt');
  });
});

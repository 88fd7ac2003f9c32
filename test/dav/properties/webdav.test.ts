// Live properties of RFC 4918 section 15, and what every kind of client asks for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '../../../src/dav/resource.ts';
import { tell, told } from './told.ts';

const SUPPORTED_LOCK = `<D:supportedlock>${['exclusive', 'shared']
  .map(
    (scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('')}</D:supportedlock>`;

describe('live properties', () => {
  it('of a message, as allprop gives them', () => {
    const facts = { created: 0, modified: 951782400, contentType: 'text/plain', length: 0, etag: '"7"' };
    assert.deepEqual(tell(facts), [
      '<D:resourcetype/>',
      '<D:displayname>n</D:displayname>',
      '<D:getcontentlength>0</D:getcontentlength>',
      '<D:getcontenttype>text/plain</D:getcontenttype>',
      '<D:getetag>"7"</D:getetag>',
      '<D:getlastmodified>Tue, 29 Feb 2000 00:00:00 GMT</D:getlastmodified>',
      '<D:creationdate>1970-01-01T00:00:00Z</D:creationdate>',
      SUPPORTED_LOCK,
      '<D:lockdiscovery/>',
    ]);
  });

  it('have dates that can be written, whenever that may have been', () => {
    const at = (created: number) => told('D:creationdate', { created });
    assert.equal(at(1e15), '<D:creationdate>9999-12-31T23:59:59Z</D:creationdate>');
    assert.equal(at(-1e15), '<D:creationdate>0000-01-01T00:00:00Z</D:creationdate>');
  });

  it('of a room, which has no length, no type and no ETag', () => {
    assert.deepEqual(tell({ kind: 'room', collection: 'messages' }), [
      '<D:resourcetype><D:collection/></D:resourcetype>',
      '<D:displayname>n</D:displayname>',
      SUPPORTED_LOCK,
      '<D:lockdiscovery/>',
    ]);
  });

  it('tell what kind of resource it is', () => {
    const type = (facts: Partial<Resource>) => told('D:resourcetype', facts)?.replace(/<(\/?)D:resourcetype>/g, '');
    assert.equal(type({ kind: 'room', collection: 'calendar' }), '<D:collection/><C:calendar/>');
    assert.equal(type({ kind: 'room', collection: 'tasks' }), '<D:collection/><C:calendar/>');
    assert.equal(type({ kind: 'room', collection: 'addressbook' }), '<D:collection/><CR:addressbook/>');
    assert.equal(type({ kind: 'room', collection: 'files' }), '<D:collection/>');
    assert.equal(type({ kind: 'folder', collection: 'files' }), '<D:collection/>');
    assert.equal(type({ kind: 'principal' }), '<D:collection/><D:principal/>');
    assert.equal(type({ kind: 'inbox' }), '<D:collection/><C:schedule-inbox/>');
    assert.equal(type({ kind: 'home' }), '<D:collection/>');
    assert.equal(type({ kind: 'member', collection: 'calendar' }), '<D:resourcetype/>');
  });

  it('list reports in the form of RFC 3253 section 3.1.5, those of the kind', () => {
    const set = told('D:supported-report-set', { kind: 'room', collection: 'calendar' })!;
    assert.ok(
      set.includes('<D:supported-report><D:report><C:calendar-multiget/></D:report></D:supported-report>'),
      set,
    );
    assert.ok(set.includes('<D:sync-collection/>'));
    assert.doesNotMatch(set, /addressbook/);
    assert.match(told('D:supported-report-set', { kind: 'room', collection: 'addressbook' })!, /addressbook-query/);
    assert.doesNotMatch(told('D:supported-report-set', { kind: 'principal' })!, /sync-collection/);
  });

  it('tell getctag and sync-token, a long token by a digest', () => {
    const room = (token: string) => told('CS:getctag', { kind: 'room', token });
    assert.equal(room('data:,1-2'), '<CS:getctag>data:,1-2</CS:getctag>');
    assert.equal(room('x'.repeat(100)), `<CS:getctag>${'x'.repeat(100)}</CS:getctag>`);
    assert.match(room('x'.repeat(101))!, /^<CS:getctag>[0-9a-f]{64}<\/CS:getctag>$/);
    assert.equal(
      told('D:sync-token', { kind: 'room', token: 'x'.repeat(101) }),
      `<D:sync-token>${'x'.repeat(101)}</D:sync-token>`,
    );
  });
});

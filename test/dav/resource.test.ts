// The live properties of messages and rooms (RFC 4918 section 15).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementMaker, LIVE_PROPERTIES, type Resource } from '../../src/dav/resource.ts';

describe('live properties', () => {
  const tell = (resource: Partial<Resource>) =>
    LIVE_PROPERTIES.map(
      (property) => elementMaker(property)?.({ href: '/', isCollection: false, displayName: 'n', ...resource })?.text,
    ).filter((text) => text !== undefined);

  it('of a message', () => {
    const facts = { created: 0, modified: 951782400, contentType: 'text/plain', length: 0, etag: '"7"' };
    assert.deepEqual(tell(facts), [
      '<D:resourcetype/>',
      '<D:displayname>n</D:displayname>',
      '<D:getcontentlength>0</D:getcontentlength>',
      '<D:getcontenttype>text/plain</D:getcontenttype>',
      '<D:getetag>"7"</D:getetag>',
      '<D:getlastmodified>Tue, 29 Feb 2000 00:00:00 GMT</D:getlastmodified>',
      '<D:creationdate>1970-01-01T00:00:00Z</D:creationdate>',
      '<D:supportedlock/>',
      '<D:lockdiscovery/>',
    ]);
  });

  it('of a room, which has no length, no type and no ETag', () => {
    assert.deepEqual(tell({ isCollection: true }), [
      '<D:resourcetype><D:collection/></D:resourcetype>',
      '<D:displayname>n</D:displayname>',
      '<D:supportedlock/>',
      '<D:lockdiscovery/>',
    ]);
  });

  it('are those of the namespace DAV: only', () => {
    assert.equal(elementMaker({ namespace: 'u', name: 'displayname' }), undefined);
    assert.equal(elementMaker({ namespace: 'DAV:', name: 'constructor' }), undefined);
  });
});

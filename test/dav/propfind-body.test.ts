// Bodies of PROPFIND (RFC 4918 section 9.1).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePropfind } from '../../src/dav/propfind-body.ts';
import { readXml } from '../../src/dav/xml-read.ts';
import { AppError } from '../../src/errors.ts';
import { MAX_DAV_PROPERTIES } from '../../src/limits/dav.ts';

const xml = (text: string) => readXml(Buffer.from(text));
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';

describe('the body of a PROPFIND', () => {
  const propfind = (inner: string) => parsePropfind(xml(`<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`));

  it('asks for everything when there is none', () => {
    assert.deepEqual(parsePropfind(undefined), { kind: 'all', include: [] });
  });

  it('asks for all properties, their names, or some', () => {
    assert.deepEqual(propfind('<D:allprop/>'), { kind: 'all', include: [] });
    assert.deepEqual(propfind('<D:allprop/><D:include><a xmlns="u"/></D:include>'), {
      kind: 'all',
      include: [{ namespace: 'u', name: 'a' }],
    });
    assert.deepEqual(propfind('<D:propname/>'), { kind: 'names' });
    assert.deepEqual(propfind('<D:prop><D:getetag/><x:getetag xmlns:x="u"/><D:getetag/></D:prop>'), {
      kind: 'some',
      properties: [
        { namespace: 'DAV:', name: 'getetag' },
        { namespace: 'u', name: 'getetag' },
      ],
    });
  });

  it('passes over what it does not know', () => {
    assert.deepEqual(propfind('<x:extra xmlns:x="u"/><D:propname/><D:later/>'), { kind: 'names' });
  });

  it('is refused when it asks for nothing, for two things, or is something else', () => {
    for (const inner of ['', '<x:prop xmlns:x="u"/>', '<D:prop/><D:allprop/>', '<D:propname/><D:propname/>']) {
      assert.throws(() => propfind(inner), isRefusal, inner);
    }
    assert.throws(() => parsePropfind(xml('<propfind xmlns="u"><allprop/></propfind>')), isRefusal);
  });

  it('names a bounded number of properties', () => {
    const many = (count: number) =>
      propfind(`<D:prop>${Array.from({ length: count }, (_, i) => `<a${i}/>`).join('')}</D:prop>`);
    many(MAX_DAV_PROPERTIES);
    assert.throws(() => many(MAX_DAV_PROPERTIES + 1), isRefusal);
  });
});

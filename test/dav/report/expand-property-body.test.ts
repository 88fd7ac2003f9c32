// The body of expand-property (RFC 3253 section 3.8).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readExpandProperty } from '../../../src/dav/report/expand-property.ts';
import { MAX_DAV_PROPERTIES } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

const expand = (inner: string) => readExpandProperty(xmlOf(`<D:expand-property>${inner}</D:expand-property>`));

describe('the body of an expand-property', () => {
  it('names properties, and properties of what these name', () => {
    const inner = '<D:property name="color" namespace="urn:x"/>';
    assert.deepEqual(expand(`<D:property name="owner">${inner}</D:property><D:property name="displayname"/>`), [
      {
        property: { namespace: 'DAV:', name: 'owner' },
        inner: [{ property: { namespace: 'urn:x', name: 'color' }, inner: [] }],
      },
      { property: { namespace: 'DAV:', name: 'displayname' }, inner: [] },
    ]);
  });

  it('is refused where a property could not be written', () => {
    for (const attributes of [
      '',
      'name=""',
      'name="a b"',
      'name="a&gt;"',
      'name="a:b"',
      'name="a" namespace="http://www.w3.org/2000/xmlns/"',
    ]) {
      refuses(() => expand(`<D:property ${attributes}/>`), 'bad_request', attributes);
    }
  });

  it('names a bounded number of properties, nested ones included', () => {
    const many = (count: number) =>
      expand(`<D:property name="a">${'<D:property name="b"/>'.repeat(count - 1)}</D:property>`);
    many(MAX_DAV_PROPERTIES);
    refuses(() => many(MAX_DAV_PROPERTIES + 1), 'bad_request');
  });
});

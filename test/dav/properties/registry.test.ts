// Which properties there are, which of them clients may set, and what holds where they have.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementMaker, isProtected, needOf, propertyNamesOf } from '../../../src/dav/properties/registry.ts';
import type { Resource } from '../../../src/dav/resource.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { resource, told, VIEWER } from './told.ts';

const namesOf = (facts: Partial<Resource>) => propertyNamesOf(resource(facts), VIEWER).map(({ name }) => name);

describe('live properties', () => {
  it('are those of their namespaces only', () => {
    assert.equal(elementMaker({ namespace: 'u', name: 'displayname' }, VIEWER)(resource({})), undefined);
    assert.equal(elementMaker({ namespace: 'DAV:', name: 'constructor' }, VIEWER)(resource({})), undefined);
    assert.equal(isProtected(expandedName('C:supported-calendar-component-set')), true);
    assert.equal(isProtected({ namespace: 'DAV:', name: 'displayname' }), false);
    assert.equal(isProtected({ namespace: 'u', name: 'getetag' }), false);
  });
});

describe('what clients have set', () => {
  const dead = new Map([
    ['{DAV:}displayname', element('D:displayname', 'mine')],
    ['{DAV:}getetag', element('D:getetag', 'forged')],
    ['{urn:x}y', element('D:y', 'z')],
  ]);

  it('stands for what the server would tell, but not for what is protected', () => {
    assert.equal(told('D:displayname', { dead }), '<D:displayname>mine</D:displayname>');
    assert.equal(told('D:getetag', { dead, etag: '"1"' }), '<D:getetag>"1"</D:getetag>');
    assert.equal(elementMaker({ namespace: 'urn:x', name: 'y' }, VIEWER)(resource({ dead }))?.text, '<D:y>z</D:y>');
    assert.equal(needOf({ namespace: 'urn:x', name: 'y' }), 'dead');
    assert.equal(needOf({ namespace: 'DAV:', name: 'getetag' }), undefined);
  });

  it('is among the names, each once', () => {
    const names = namesOf({ dead, etag: '"1"' });
    assert.equal(names.filter((name) => name === 'displayname').length, 1);
    assert.ok(names.includes('y'));
    assert.ok(namesOf({ kind: 'room', collection: 'calendar' }).includes('sync-token'));
    assert.equal(namesOf({ kind: 'room', collection: 'calendar' }).includes('calendar-color'), false);
  });
});

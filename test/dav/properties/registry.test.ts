// Which properties there are, which of them clients may set, and what holds where they have.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementMaker, isProtected, needsOfProperty, propertyNamesOf } from '../../../src/dav/properties/registry.ts';
import type { Resource } from '../../../src/dav/resource.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { resource, told, VIEWER } from './told.ts';

const namesOf = (facts: Partial<Resource>) => propertyNamesOf(resource(facts), VIEWER).map(({ name }) => name);

describe('live properties', () => {
  it('are those of their namespaces only', () => {
    assert.equal(elementMaker({ namespace: 'u', name: 'displayname' }, VIEWER)(resource({})), undefined);
    assert.equal(elementMaker({ namespace: 'DAV:', name: 'constructor' }, VIEWER)(resource({})), undefined);
    assert.equal(isProtected({ namespace: 'u', name: 'getetag' }, resource({})), false);
  });

  it('are protected where a resource has them, those of WebDAV everywhere', () => {
    const calendar = resource({ kind: 'room', collection: 'calendar' });
    const files = resource({ kind: 'room', collection: 'files' });
    const [member, home, inbox] = (['member', 'home', 'inbox'] as const).map((kind) => resource({ kind }));
    const cases: [name: string, protectedOn: Resource[], freeOn: Resource[]][] = [
      ['C:supported-calendar-component-set', [calendar], [files, member!, home!]],
      ['C:max-resource-size', [calendar], [files, home!]],
      ['C:calendar-free-busy-set', [], [calendar, files, home!, inbox!]],
      ['C:calendar-home-set', [], [calendar, home!]],
      ['D:getetag', [calendar, member!], []],
      ['D:quota-used-bytes', [calendar, member!], []],
      ['CS:getctag', [calendar, files, member!, home!], []],
      ['C:schedule-tag', [calendar, member!], []],
      ['D:displayname', [home!, inbox!], [calendar, files, member!]],
      ['I:calendar-color', [], [calendar, member!, home!]],
    ];
    for (const [name, fixed, free] of cases) {
      for (const one of fixed) assert.equal(isProtected(expandedName(name), one), true, `${name} on ${one.kind}`);
      for (const one of free) assert.equal(isProtected(expandedName(name), one), false, `${name} on ${one.kind}`);
    }
  });

  it('that are set where the server has none are shown there only', () => {
    const set = element('C:calendar-free-busy-set', 'x');
    const dead = new Map([['{urn:ietf:params:xml:ns:caldav}calendar-free-busy-set', set]]);
    assert.equal(told('C:calendar-free-busy-set', { kind: 'room', dead }), set.text);
    const forged = new Map([['{DAV:}getetag', element('D:getetag', 'forged')]]);
    assert.equal(told('D:getetag', { kind: 'room', dead: forged }), undefined);
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
    assert.deepEqual(needsOfProperty({ namespace: 'urn:x', name: 'y' }), ['dead', 'kept']);
    assert.deepEqual(needsOfProperty({ namespace: 'DAV:', name: 'getetag' }), []);
    assert.deepEqual(needsOfProperty({ namespace: 'DAV:', name: 'displayname' }), ['dead']);
  });

  it('is among the names, each once', () => {
    const names = namesOf({ dead, etag: '"1"' });
    assert.equal(names.filter((name) => name === 'displayname').length, 1);
    assert.ok(names.includes('y'));
    assert.ok(namesOf({ kind: 'room', collection: 'calendar' }).includes('sync-token'));
    assert.equal(namesOf({ kind: 'room', collection: 'calendar' }).includes('calendar-color'), false);
  });
});

// Live properties of calendars (RFC 4791 section 5.2) and address books (RFC 6352 section 6.2).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementMaker, isProtected } from '../../../src/dav/properties/registry.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { resource, told, VIEWER } from './told.ts';

describe('properties of calendars and address books', () => {
  it('name the component that a calendar takes, and the data', () => {
    const components = (collection: 'calendar' | 'tasks' | 'addressbook') =>
      told('C:supported-calendar-component-set', { kind: 'room', collection });
    const set = (name: string) =>
      `<C:supported-calendar-component-set><C:comp name="${name}"/></C:supported-calendar-component-set>`;
    assert.equal(components('calendar'), set('VEVENT'));
    assert.equal(components('tasks'), set('VTODO'));
    assert.equal(components('addressbook'), undefined);
    assert.match(told('CR:supported-address-data', { kind: 'room', collection: 'addressbook' })!, /text\/vcard/);
    assert.equal(
      told('C:max-resource-size', { kind: 'room', collection: 'tasks' }),
      '<C:max-resource-size>1000</C:max-resource-size>',
    );
  });
});

describe('what clients keep with a room', () => {
  it('is not there until they set it, on the kinds of rooms that have it', () => {
    const calendar = { kind: 'room', collection: 'calendar' } as const;
    for (const [prefixed, has] of [
      ['C:calendar-description', { ...calendar }],
      ['C:calendar-timezone', { ...calendar }],
      ['C:calendar-timezone-id', { ...calendar }],
      ['I:calendar-color', { kind: 'room', collection: 'messages' }],
      ['CR:addressbook-description', { kind: 'room', collection: 'addressbook' }],
    ] as const) {
      const name = expandedName(prefixed);
      assert.equal(told(prefixed, has), undefined, prefixed);
      assert.equal(isProtected(name, resource({ ...has })), false, prefixed);
      const set = element(prefixed, 'set');
      const dead = new Map([[`{${name.namespace}}${name.name}`, set]]);
      assert.equal(elementMaker(name, VIEWER)(resource({ ...has, dead })), set, prefixed);
    }
  });

  it('is none of the collations and formats, which the server tells', () => {
    const book = { kind: 'room', collection: 'addressbook' } as const;
    assert.match(told('CR:supported-collation-set', book)!, /i;unicode-casemap/);
    assert.equal(told('C:supported-collation-set', book), undefined);
    assert.equal(told('CR:max-resource-size', book), '<CR:max-resource-size>1000</CR:max-resource-size>');
    for (const name of ['CR:supported-collation-set', 'C:supported-calendar-data', 'C:max-resource-size']) {
      const has = name.startsWith('CR:') ? book : ({ kind: 'room', collection: 'calendar' } as const);
      assert.equal(isProtected(expandedName(name), resource(has)), true, name);
      assert.equal(isProtected(expandedName(name), resource({ kind: 'home' })), false, name);
    }
  });
});

// Properties of the first component of a kind.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { propertiesOf, propertyValue } from '../../../src/mime/objects/properties.ts';

const SOURCE = [
  'BEGIN:VCALENDAR',
  'SUMMARY:outside',
  'BEGIN:VEVENT',
  'UID: 1 ',
  'summary:first',
  'SUMMARY:second',
  'BEGIN:VALARM',
  'SUMMARY:inside',
  'END:VALARM',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:other',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

describe('properties', () => {
  it('are those directly in the first component of the kind, however deep it is', () => {
    const names = (kind: string) => propertiesOf(SOURCE, kind).map(({ name, value }) => `${name} ${value.trim()}`);
    assert.deepEqual(names('VEVENT'), ['UID 1', 'SUMMARY first', 'SUMMARY second']);
    assert.deepEqual(names('VALARM'), ['SUMMARY inside']);
    assert.deepEqual(names('VTODO'), []);
    assert.deepEqual(propertiesOf('no object', 'VEVENT'), []);
  });

  it('have the value of the first of a name, trimmed, or none', () => {
    const properties = propertiesOf(SOURCE, 'VEVENT');
    assert.deepEqual(
      ['UID', 'SUMMARY', 'LOCATION'].map((name) => propertyValue(properties, name)),
      ['1', 'first', ''],
    );
  });
});

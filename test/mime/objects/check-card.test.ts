// What may be stored as a contact, and which precondition says that it may not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_OBJECT_CHARACTERS } from '../../../src/limits/mime.ts';
import { checkCard } from '../../../src/mime/objects/check-calendar.ts';

describe('a contact', () => {
  const card = (...lines: string[]): string => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
  const fault = (text: string) => checkCard(text).fault?.precondition;

  it('is one vCard of version 3.0 or 4.0 with a name and a UID', () => {
    assert.deepEqual(
      { ...checkCard(card('VERSION:4.0', 'UID:urn:uuid:1', 'FN:x')), object: 0 },
      { object: 0, uid: 'urn:uuid:1', version: '4.0' },
    );
    assert.equal(fault(card('VERSION:3.0', 'N:a;b', 'UID:1')), undefined);
    for (const lines of [
      ['UID:1', 'FN:x'],
      ['VERSION:4.0', 'UID:1', 'ORG:x'],
      ['VERSION:4.0', 'UID:1', 'N:a;b'],
      ['VERSION:3.0', 'FN:x', 'UID:1', 'UID:1'],
    ]) {
      assert.equal(fault(card(...lines)), undefined, lines.join());
    }
    const faults: [string, string][] = [
      ['valid-address-data', ''],
      ['valid-address-data', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'],
      ['valid-address-data', card('VERSION:4.0', 'UID:1')],
      ['valid-address-data', card('VERSION:3.0', 'FN:x')],
      ['valid-address-data', card('VERSION:3.0', 'FN:x', 'UID:1', 'UID:2')],
      ['valid-address-data', card('VERSION:3.0', 'VERSION:4.0', 'FN:x', 'UID:1')],
      ['valid-address-data', card('VERSION:3.0', 'FN:x', 'UID:1') + card('VERSION:3.0', 'FN:x', 'UID:1')],
      ['valid-address-data', card('VERSION:3.0', 'FN:x', 'UID:1', 'BEGIN:A', 'END:A')],
      ['supported-address-data', card('VERSION:2.1', 'FN:x', 'UID:1')],
      ['max-resource-size', card('VERSION:3.0', `NOTE:${'x'.repeat(MAX_OBJECT_CHARACTERS)}`, 'UID:1')],
    ];
    for (const [precondition, text] of faults) assert.equal(fault(text), precondition, text.slice(0, 200));
  });
});

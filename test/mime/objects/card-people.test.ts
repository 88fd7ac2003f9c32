// People on contacts: whom a card suggests as a recipient, and how much of what it holds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_PERSON_ADDRESS_CHARACTERS,
  MAX_PERSON_ADDRESSES,
  MAX_PERSON_NAME_CHARACTERS,
} from '../../../src/limits/mime.ts';
import { peopleOnCard, recipientOf } from '../../../src/mime/objects/properties.ts';

const card = (name: string, ...addresses: string[]) =>
  `BEGIN:VCARD\nFN:${name}\n${addresses.map((address) => `EMAIL:${address}\n`).join('')}END:VCARD\n`;

describe('people on a card', () => {
  it('are one for each address, with the name of the card', () => {
    assert.deepEqual(peopleOnCard(card('Ann  Lee', 'ann@a.example', ' ann@b.example ')), [
      { name: 'Ann Lee', address: 'ann@a.example' },
      { name: 'Ann Lee', address: 'ann@b.example' },
    ]);
    assert.deepEqual(peopleOnCard(card('Nobody')), []);
  });

  it('are as many as the bound allows, and not one more', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@x.example`);
    assert.equal(peopleOnCard(card('A', ...addresses(MAX_PERSON_ADDRESSES))).length, MAX_PERSON_ADDRESSES);
    assert.equal(peopleOnCard(card('A', ...addresses(MAX_PERSON_ADDRESSES + 1))).length, MAX_PERSON_ADDRESSES);
  });

  it('have no address that is too long or could end a field, and a name that is cut', () => {
    const address = (length: number) => `@x.example`.padStart(length, 'a');
    assert.equal(peopleOnCard(card('A', address(MAX_PERSON_ADDRESS_CHARACTERS))).length, 1);
    assert.equal(peopleOnCard(card('A', address(MAX_PERSON_ADDRESS_CHARACTERS + 1))).length, 0);
    assert.deepEqual(peopleOnCard(card('A', 'a|b@x', 'a,b@x', 'a b@x', '<a@x>')), []);
    for (const length of [MAX_PERSON_NAME_CHARACTERS, MAX_PERSON_NAME_CHARACTERS + 1]) {
      assert.equal(peopleOnCard(card('n'.repeat(length), 'a@x'))[0]?.name.length, MAX_PERSON_NAME_CHARACTERS);
    }
  });

  it('become recipients, in quotes where the name would not stay one', () => {
    assert.equal(recipientOf({ name: '', address: 'a@x' }), 'a@x');
    assert.equal(recipientOf({ name: 'Ann Lee', address: 'a@x' }), 'Ann Lee <a@x>');
    assert.equal(recipientOf({ name: 'Smith, "Bob"', address: 'b@x' }), '"Smith, \\"Bob\\"" <b@x>');
  });
});

// The order of contacts, who is found, files of several, and what a form changes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { changeContact, newContact, readContacts } from '../../../../static/formats/contacts.js';
// @ts-expect-error: the web client has no types
import { cardsIn } from '../../../../static/kinds/contacts/cards-file.js';
// @ts-expect-error: the web client has no types
import { differences } from '../../../../static/kinds/contacts/differences.js';
// @ts-expect-error: the web client has no types
import { aboutOf, byLetter, isFound } from '../../../../static/kinds/contacts/names.js';

const contactOf = (fields: object, options?: object) => readContacts(newContact(fields, options).text)[0];

describe('contacts', () => {
  it('stand under the letter of their last or their first name, those without one last', () => {
    const contacts = [
      contactOf({ given: 'Élise', family: 'Petit' }),
      contactOf({ given: 'Anna', family: 'Éluard' }),
      contactOf({ organization: '9 Lives' }),
      contactOf({ organization: 'Zoo' }),
    ];
    const letters = (order: string) => byLetter(contacts, order, 'en').map(([letter]: [string]) => letter);
    assert.deepEqual(letters('family'), ['E', 'P', 'Z', '#']);
    assert.deepEqual(letters('given'), ['A', 'E', 'Z', '#']);
  });

  it('are found by parts of names, addresses and numbers, with or without accents', () => {
    const contact = contactOf({
      ...{ given: 'Élise', family: 'Petit', organization: 'Bakehouse', title: 'Baker' },
      ...{ emails: [{ value: 'elise@x.example', type: '' }], phones: [{ value: '020 555-0142', type: 'cell' }] },
    });
    for (const words of ['elise', 'PETIT é', 'bake', 'x.example', '5550142', ''])
      assert.ok(isFound(contact, words), words);
    const [other] = readContacts('BEGIN:VCARD\nFN:Bo\nBDAY:--0403\nX-SKYPE:bo.k\nX-ANNIVERSARY:2001-02-03\nEND:VCARD');
    for (const words of ['skype bo.k', '04-03', '2001-02']) assert.ok(isFound(other, words), words);
    for (const words of ['bob', 'elise bob', '99']) assert.ok(!isFound(contact, words), words);
    assert.equal(aboutOf(contact), 'Baker, Bakehouse');
  });

  it('come from a file of several as they are written, each with a UID', () => {
    const one = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:One\r\nX-A:b\r\nEND:VCARD';
    const two = 'begin:vcard\nVERSION:4.0\nUID:urn:uuid:lo\n ng\nFN:Two\nend:vcard';
    const [first, second, ...more] = cardsIn(`\uFEFF${one}\r\n\r\nrubbish\n${two}\nBEGIN:VCARD\nFN:cut off`);
    assert.equal(more.length, 0);
    assert.equal(first.text, `${one.replace('FN', `UID:${first.uid}\r\nFN`)}\r\n`);
    assert.equal(second.uid, 'urn:uuid:long');
    assert.equal(second.text, `${two.replaceAll('\n', '\r\n')}\r\n`);
    const [{ uid, text }] = cardsIn('BEGIN:VCARD\nUID:\nFN:x\nEND:VCARD');
    assert.deepEqual(text.match(/UID:.+/g), [`UID:${uid}`]);
  });

  it('are changed only where the form was, and called anew where their names make what they are called', () => {
    const { text } = newContact({ given: 'Ruth', family: 'Feld' });
    const before = readContacts(text)[0];
    const change = differences(before, { given: 'Ruth', family: 'Hahn', notes: '' });
    assert.deepEqual(change, { family: 'Hahn', name: '' });
    assert.equal(readContacts(changeContact(text, change))[0].name, 'Ruth Hahn');
    const named = readContacts(text.replace('FN:Ruth Feld', 'FN:Ruthie'))[0];
    assert.deepEqual(differences(named, { family: 'Hahn' }), { family: 'Hahn' });
    assert.deepEqual(differences(before, { family: 'Feld' }), {});
  });
});

it('a card of vCard 2.1 is brought in as 3.0, with its quoted-printable undone', () => {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4D=C3=BCller;=4A=C3=B6rg;;;',
  ];
  const [{ text }] = cardsIn(
    [...lines, 'FN;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg', 'TEL;CELL:+491', 'END:VCARD', ''].join('\r\n'),
  );
  assert.match(text, /^VERSION:3\.0\r\n/m);
  assert.match(text, /^N:Müller;Jörg;;;\r\n/m);
  assert.match(text, /^TEL;TYPE=CELL:\+491\r\n/m);
});

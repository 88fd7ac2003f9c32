// Contacts as the web client reads and changes them: what is not understood, and what was not changed, stays.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCard } from '../../../src/mime/objects/check-calendar.ts';
// @ts-expect-error: the web client has no types
import { changeContact, newContact, readContacts } from '../../../static/formats/contacts.js';

const CARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'UID:u1',
  'N:Feld;Ruth;;Dr.;',
  'FN:Dr. Ruth Feld',
  'ORG:Linden Row\\, Inc.;Boiler;Cellar',
  'item1.EMAIL;TYPE=INTERNET;TYPE=WORK;X-A=1:ruth@x.example',
  'item1.X-ABLabel:Office',
  'TEL;TYPE=cell,voice:+49 30 1',
  'ADR;TYPE=HOME:;;Long\\nRoad 1;Town;;12345;Land',
  'BDAY:19800521',
  'PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=',
  'X-ODD;A="b;c":kept',
  'END:VCARD',
  '',
].join('\r\n');
const one = (text: string) => readContacts(text)[0];

describe('contacts', () => {
  it('are read from every version', () => {
    const contact = one(CARD);
    assert.deepEqual(
      [contact.name, contact.given, contact.prefix, contact.organization, contact.department, contact.birthday],
      ['Dr. Ruth Feld', 'Ruth', 'Dr.', 'Linden Row, Inc.', 'Boiler', '1980-05-21'],
    );
    assert.deepEqual(contact.emails, [{ value: 'ruth@x.example', type: '=Office' }]);
    assert.deepEqual(contact.phones, [{ value: '+49 30 1', type: 'cell' }]);
    assert.equal(contact.places[0].street, 'Long, Road 1');
    assert.equal(contact.photo, 'data:image/png;base64,iVBORw0KGgo=');
    const old = one(
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Jo\nTEL;HOME:1\nEND:VCARD',
    );
    assert.deepEqual([old.name, old.phones], ['Jo Müller', [{ value: '1', type: 'home' }]]);
    const group = one(
      'BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Board\nMEMBER:urn:uuid:a\nMEMBER:urn:uuid:b\nEND:VCARD',
    );
    assert.deepEqual([group.isGroup, group.members], [true, ['a', 'b']]);
    assert.equal(readContacts(CARD + CARD).length, 2);
    for (const photo of ['javascript:x()', 'data:text/html,x']) {
      assert.equal(one(CARD.replace(/PHOTO.*/, `PHOTO;VALUE=uri:${photo}`)).photo, '');
    }
  });

  const OTHER = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'UID:u2',
    'N:Feld;Ruth;;;',
    'FN:Ruth Feld',
    'BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-04-03',
    'TEL;TYPE=FAX,WORK:1',
    'item1.TEL:2',
    'item1.X-ABLabel:_$!<HomeFAX>!$_',
    'TEL;CELL:3',
    'item2.ADR;type=pref:;;Lane 1;Town;;;',
    'item2.X-ABLabel:Shed\\, back',
    'item3.X-ABDATE;type=pref:2001-02-03',
    'item3.X-ABLabel:_$!<Anniversary>!$_',
    'ITEM4.X-ABDATE:2002-02-03',
    'item4.X-ABLabel:First day',
    'X-EVOLUTION-ANNIVERSARY:2003-02-03',
    'X-SOCIALPROFILE;type=twitter;x-user=ruth:https://twitter.example/ruth',
    'X-SOCIALPROFILE;type=flickr:x-apple:ruthie',
    'SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://m.example/@ruth',
    'IMPP;X-SERVICE-TYPE=Jabber;type=HOME:xmpp:ruth@j.example',
    'IMPP:skype:ruth.feld',
    'X-SKYPE-USERNAME;TYPE=HOME:feld',
    'END:VCARD',
    '',
  ].join('\r\n');

  it('say days without a year, anniversaries, labels, fax numbers and profiles', () => {
    const contact = one(OTHER);
    assert.equal(contact.birthday, '--04-03');
    assert.equal(one(OTHER.replace(/BDAY.*/, 'BDAY:--0403')).birthday, '--04-03');
    assert.deepEqual(
      contact.phones.map(({ type }: { type: string }) => type),
      ['fax work', 'fax home', 'cell'],
    );
    assert.deepEqual([contact.places[0].street, contact.places[0].type], ['Lane 1', '=Shed, back']);
    assert.deepEqual(contact.dates, [
      { value: '2001-02-03', type: 'anniversary' },
      { value: '2002-02-03', type: '=First day' },
      { value: '2003-02-03', type: 'anniversary' },
    ]);
    assert.deepEqual(
      contact.profiles.map(({ service, value }: Record<string, string>) => `${service} ${value}`),
      [
        'Twitter https://twitter.example/ruth',
        'Flickr ruthie',
        'Mastodon https://m.example/@ruth',
        'Jabber ruth@j.example',
        'Skype ruth.feld',
        'Skype feld',
      ],
    );
  });

  it('keep all of that where another field changes; a label goes where the type is chosen anew', () => {
    assert.equal(changeContact(OTHER, { title: 'Chair' }), OTHER.replace('END:VCARD', 'TITLE:Chair\r\nEND:VCARD'));
    const { phones, places } = one(OTHER);
    const moved = changeContact(OTHER, { places: [{ ...places[0], street: 'Lane 2' }] });
    assert.equal(moved, OTHER.replace('Lane 1', 'Lane 2'));
    const [first, second, third] = phones;
    const typed = changeContact(OTHER, {
      phones: [{ ...first, type: 'fax home' }, { ...second, type: 'cell' }, third],
    });
    const lines = (text: string) => text.split('\r\n').filter((line) => /TEL|item1/.test(line));
    assert.deepEqual(lines(typed), ['TEL;TYPE=FAX,HOME:1', 'TEL;TYPE=CELL:2', 'TEL;CELL:3']);
    const born = changeContact(OTHER, { birthday: '1980-04-03' });
    assert.equal(born, OTHER.replace(/BDAY.*/, 'BDAY;VALUE=date:1980-04-03'));
  });

  it('change in what is named and in nothing else', () => {
    assert.equal(changeContact(CARD, one(CARD)), CARD);
    const emails = [...one(CARD).emails, { value: 'r@y.example', type: 'home' }];
    const changed = changeContact(CARD, { emails, title: 'Chair; of all' });
    const lines = changed.split('\r\n');
    assert.deepEqual(
      lines.filter((line: string) => !CARD.split('\r\n').includes(line)),
      ['EMAIL;TYPE=HOME:r@y.example', 'TITLE:Chair\\; of all'],
    );
    const without = changeContact(CARD, { emails: [], photo: '' });
    assert.doesNotMatch(without, /EMAIL|X-ABLabel|PHOTO/);
    assert.match(without, /X-ODD;A="b;c":kept\r\n/);
    assert.match(changeContact(CARD, { department: 'Roof' }), /ORG:Linden Row\\, Inc.;Roof;Cellar\r\n/);
    assert.match(changeContact(CARD, { given: 'Rut', name: '' }), /N:Feld;Rut;;Dr.;\r\nFN:Dr. Rut Feld\r\n/);
    assert.equal(changeContact('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', {}), undefined);
  });

  it('are new as an address book stores them', () => {
    const { text } = newContact({ emails: [{ value: 'bob@x.example', type: '' }] }, { uid: 'n' });
    assert.equal(checkCard(text).fault, undefined);
    assert.equal(one(text).name, 'bob@x.example');
    const photo = 'data:image/jpeg;base64,/9j/4AAQ';
    assert.match(changeContact(text, { photo })!, /PHOTO;ENCODING=b;TYPE=JPEG:\/9j\/4AAQ\r\n/);
    assert.equal(one(changeContact(text, { photo })!).photo, photo);
    const group = newContact({ name: 'Board', members: ['a'] }, { uid: 'g', isGroup: true });
    assert.deepEqual([one(group.text).isGroup, one(group.text).members], [true, ['a']]);
  });
});

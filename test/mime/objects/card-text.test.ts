// Contacts and notes in words.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardText } from '../../../src/mime/objects/card-text.ts';

const card = (...lines: string[]): string => cardText(['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n'));

describe('cardText', () => {
  it('says name, organisation, numbers and addresses', () => {
    assert.equal(
      card(
        'VERSION:4.0',
        'FN:Dr. Eva Müller',
        'N:Müller;Eva;;Dr.;',
        'TEL;VALUE=uri;TYPE="voice,work":tel:+49-30-123',
        'TEL;CELL:+49 170 456',
        'ORG:Example\\, Inc.;Sales\\; East',
        'TITLE:Head',
        'ADR;TYPE=WORK:;;Main Street 1\\nBack yard;Berlin;;10115;Germany',
        'item1.EMAIL;TYPE=INTERNET:eva@example.org',
        'PHOTO;ENCODING=b:AAAA',
        'NOTE:Likes\\ntea',
      ),
      [
        'Dr. Eva Müller',
        'Organisation: Example, Inc., Sales; East',
        'Title: Head',
        'Telephone: +49-30-123 (work)',
        'Telephone: +49 170 456 (cell)',
        'Email: eva@example.org',
        'Address: Main Street 1, Back yard, Berlin, 10115, Germany (work)',
        '',
        'Likes',
        'tea',
        '',
      ].join('\n'),
    );
  });

  it('says days without a year, anniversaries, labels and profiles', () => {
    assert.equal(
      card(
        'FN:Eva',
        'item1.TEL;TYPE=FAX:1',
        'item1.X-ABLabel:_$!<WorkFAX>!$_',
        'X-SOCIALPROFILE;type=twitter:https://t.example/eva',
        'IMPP:xmpp:eva@j.example',
        'BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-03',
        'ANNIVERSARY:20010203',
        'item2.X-ABDATE:--1224',
        'item2.X-ABLabel:Wedding',
      ),
      [
        'Eva',
        'Telephone: 1 (fax) (WorkFAX)',
        'Profile: Xmpp eva@j.example',
        'Profile: Twitter https://t.example/eva',
        'Birthday: 3 April',
        'Anniversary: Saturday, 3 February 2001',
        'Date: 24 December (Wedding)',
        '',
      ].join('\n'),
    );
  });

  it('makes a name of its fields where there is none', () => {
    assert.equal(card('N:Müller;Eva;Maria;Dr.;MD'), 'Dr. Eva Maria Müller MD\n');
    assert.equal(card('EMAIL:a@b'), '(no name)\nEmail: a@b\n');
  });

  it('shows several, each in a paragraph', () => {
    assert.equal(card('FN:A', 'END:VCARD', 'BEGIN:VCARD', 'FN:B'), 'A\n\nB\n');
  });

  it('shows a note without saying its summary twice', () => {
    const note = (...lines: string[]) => cardText(['BEGIN:vnote', 'VERSION:1.1', ...lines, 'END:vnote'].join('\n'));
    assert.equal(
      note('SUMMARY:Milk', 'BODY;ENCODING=QUOTED-PRINTABLE:Milk=0Aand br=C3=B6tchen'),
      'Milk\nand brötchen\n',
    );
    assert.equal(note('SUMMARY:Shopping', 'BODY:Milk'), 'Shopping\n\nMilk\n');
  });
});

describe('a birthday', () => {
  const birthday = (value: string): string => cardText(`BEGIN:VCARD\nFN:A\nBDAY:${value}\nEND:VCARD\n`);

  it('is a day in words where it is a whole date', () => {
    assert.equal(birthday('19800521'), 'A\nBirthday: Wednesday, 21 May 1980\n');
    assert.equal(birthday('1980-05-21'), 'A\nBirthday: Wednesday, 21 May 1980\n');
    assert.equal(birthday('--0521'), 'A\nBirthday: 21 May\n');
  });
});

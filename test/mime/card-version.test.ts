import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asVersion3 } from '../../src/mime/stored-content.ts';

const card = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));

describe('a contact that a room server has written anew', () => {
  const written = card('begin:vcard', 'VERSION:2.1', 'FN;charset=UTF-8:Zoë', 'TEL;TYPE=home:1', 'UID:1', 'end:vcard');

  it('is one of version 3.0, of the same length', () => {
    const shown = card('BEGIN:VCARD', 'VERSION:3.0', 'FN;charset=UTF-8:Zoë', 'TEL;TYPE=home:1', 'UID:1', 'END:VCARD');
    assert.deepEqual(asVersion3(written), shown);
    assert.equal(asVersion3(written).length, written.length);
  });

  it('is nothing else: one of another program, of another version, or really of 2.1', () => {
    const others = [
      card('BEGIN:VCARD', 'VERSION:2.1', 'FN:a', 'END:VCARD'),
      card('begin:vcard', 'VERSION:3.0', 'FN:a', 'end:vcard'),
      card('begin:vcard', 'VERSION:2.1', 'FN;ENCODING=QUOTED-PRINTABLE:=41', 'end:vcard'),
      card('begin:vcard', 'VERSION:2.1', 'FN;QUOTED-PRINTABLE:=41', 'end:vcard'),
      Buffer.from(''),
    ];
    for (const other of others) assert.equal(asVersion3(other), other);
  });
});

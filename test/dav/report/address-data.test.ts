// CR:address-data as a report asks for it (RFC 6352 section 10.4).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCardQuery } from '../../../src/dav/report/query.ts';
import { addressDataText } from '../../../src/dav/report/wanted.ts';
import { MAX_PICKED_PARTS } from '../../../src/limits/dav.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { refuses, xmlOf } from './bodies.ts';

const cards = (inner: string) =>
  readCardQuery(xmlOf(`<CR:addressbook-query>${inner}<CR:filter/></CR:addressbook-query>`));
const address = (inner: string, attributes = '') =>
  cards(`<D:prop><CR:address-data${attributes}>${inner}</CR:address-data></D:prop>`).addressData;

describe('the data of contacts', () => {
  it('asks for whole contacts or some of their properties, in both versions of vCard', () => {
    assert.deepEqual(address('')!.props, []);
    assert.deepEqual(address('<CR:prop name="UID"/><CR:prop name="item1.TEL" novalue="yes"/>')!.props, [
      { name: 'UID', isWithoutValue: false },
      { name: 'item1.TEL', isWithoutValue: true },
    ]);
    assert.deepEqual(address('<CR:allprop/>')!.props, []);
    address('', ' content-type="text/vcard" version="4.0"');
    refuses(() => address('', ' content-type="application/json"'), 'supported-address-data');
    refuses(() => address('', ' version="2.1"'), 'supported-address-data');
    const many = (count: number) => address('<CR:prop name="UID"/>'.repeat(count));
    many(MAX_PICKED_PARTS);
    refuses(() => many(MAX_PICKED_PARTS + 1), 'bad_request');
  });
});

describe('the text of a contact', () => {
  it('has the properties that are picked, in its own order', () => {
    const card = parseObject('BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:x\nTEL:5\nEND:VCARD\n').object!;
    const picked = address('<CR:prop name="TEL" novalue="yes"/><CR:prop name="FN"/>')!;
    assert.equal(addressDataText(card, picked), 'BEGIN:VCARD\r\nFN:x\r\nTEL:\r\nEND:VCARD\r\n');
    assert.match(addressDataText(card, address('')!), /UID:1/);
  });
});

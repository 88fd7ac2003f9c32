// The allow-list of elements and attributes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowedAttributes, ELEMENT_NAMES } from '../../src/html/attributes.ts';

/** what is left of them, as they would be written */
const left = (element: string, attributes: Record<string, string>): string =>
  allowedAttributes(element, new Map(Object.entries(attributes)))
    .list.map(([name, value]) => `${name}=${value}`)
    .join(' ');

describe('an allowed element', () => {
  it('has a title, a language, a direction and a style, in the order they came', () => {
    const all = { title: '"<x>', style: 'color:red', lang: 'de-CH', dir: 'RTL' };
    for (const name of ELEMENT_NAMES)
      assert.equal(left(name, all), 'title="<x> style=color: red lang=de-CH dir=RTL', name);
  });

  it('has no attribute that runs, loads or leads somewhere', () => {
    const bad = {
      onclick: 'x',
      href: 'x',
      src: 'x',
      srcset: 'x',
      background: 'x',
      is: 'x',
    };
    for (const name of ELEMENT_NAMES) assert.equal(left(name, { ...bad, constructor: 'x' }), '', name);
  });

  it('has the attributes of its own, and not those of others', () => {
    assert.equal(left('td', { colspan: '2', width: '5' }), 'colspan=2 width=5');
    assert.equal(left('tr', { colspan: '2', width: '5' }), 'width=5');
    assert.equal(left('font', { face: 'Arial', size: '+1', color: '#f00' }), 'face=Arial size=+1 color=#f00');
    assert.equal(left('span', { face: 'Arial', color: 'red' }), '');
  });
});

describe('the value of an attribute', () => {
  /** each with what it becomes; undefined: left out */
  const VALUES: Record<string, [element: string, values: Record<string, string | undefined>]> = {
    width: [
      'td',
      {
        ' 20 ': '20',
        '20px': '20',
        '20.5': '20',
        '50%': '50%',
        '9999': '9999',
        '10000': undefined,
        '5em': undefined,
        '-1': undefined,
      },
    ],
    colspan: ['td', { '1': '1', '1000': '1000', '1001': undefined, '0': undefined, x: undefined }],
    border: ['table', { '0': '0', '999': '999', '1000': undefined }],
    bgcolor: ['td', { '#fff': '#fff', red: 'red', 'url(x)': undefined, '#12': undefined, 're d': undefined }],
    align: ['p', { Center: 'Center', left: 'left', start: undefined }],
    lang: ['p', { en: 'en', 'en-Latn-US': 'en-Latn-US', en_US: undefined, '': undefined }],
    id: ['p', { top: 'm-top', 'm-top': 'm-top', 'a b': undefined, 'a"': undefined, '': undefined }],
    name: ['map', { m: 'm-m', 'm-m': 'm-m', '<x>': undefined }],
    usemap: ['img', { '#m': '#m-m', m: '#m-m', 'http://x#m': undefined }],
    coords: ['area', { '0,0,100,100': '0,0,100,100', 'x()': undefined }],
    hidden: ['p', { '': '', 'until-found': '' }],
    value: ['li', { '5': '5', x: undefined }],
    start: ['ol', { '-3': '-3', '1234567890': undefined }],
    type: ['ol', { a: 'a', I: 'I', square: 'square', x: undefined }],
    size: ['font', { '+1': '+1', '7': '7', '100': undefined }],
    face: [
      'font',
      {
        "Arial, 'x'": "Arial, 'x'",
        'a"b': undefined,
        ['x'.repeat(200)]: 'x'.repeat(200),
        ['x'.repeat(201)]: undefined,
      },
    ],
    datetime: ['time', { '2026-01-01T10:00Z': '2026-01-01T10:00Z', '<x>': undefined }],
    style: ['p', { 'position:fixed': undefined, 'width:1px': 'width: 1px' }],
  };
  for (const [name, [element, values]] of Object.entries(VALUES)) {
    it(`has its form: ${name}`, () => {
      for (const [source, expected] of Object.entries(values)) {
        const found = allowedAttributes(element, new Map([[name, source]])).list;
        assert.deepEqual(found, expected === undefined ? [] : [[name, expected]], source);
        assert.deepEqual(allowedAttributes(element, new Map(found)).list, found, 'once more changes nothing');
      }
    });
  }
});

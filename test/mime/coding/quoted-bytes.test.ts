// Quoted-printable bytes, a piece at a time; what streams make of it is in quoted-printable.test.ts.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decodeQuoted } from '../../../src/mime/coding/quoted-bytes.ts';

function decoded(text: string, isLast = true): { text: string; rest: string } {
  const bytes = new TextEncoder().encode(text);
  const out = new Uint8Array(bytes.length);
  const { read, written } = decodeQuoted(bytes, out, isLast);
  const decoder = new TextDecoder();
  return { text: decoder.decode(out.subarray(0, written)), rest: decoder.decode(bytes.subarray(read)) };
}

it('takes escapes in either case, and soft breaks with blanks before their line end', () => {
  assert.equal(decoded('Gr=C3=BC=c3=9fe').text, 'Grüße');
  assert.equal(decoded('a=\r\nb=\nc= \t\r\nd').text, 'abcd');
  assert.equal(decoded('a\r\nb\n').text, 'a\r\nb\n');
});

it('leaves an = alone that begins nothing', () => {
  assert.equal(decoded('1=2, =ZZ, x=y').text, '1=2, =ZZ, x=y');
  assert.equal(decoded(`a=${' '.repeat(76)}\nb`).text, 'ab');
  assert.equal(decoded(`a=${' '.repeat(77)}\nb`).text, `a=${' '.repeat(77)}\nb`);
});

it('waits for more bytes where these could still be part of something', () => {
  assert.deepEqual(decoded('a=', false), { text: 'a', rest: '=' });
  assert.deepEqual(decoded('a=C', false), { text: 'a', rest: '=C' });
  assert.deepEqual(decoded('a= ', false), { text: 'a', rest: '= ' });
  assert.deepEqual(decoded('a=C3', false).rest, '');
});

// Quoted-printable (RFC 2045 section 6.7), written so that it passes the line protocol, and read leniently.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quotedPrintableDecoder, quotedPrintableEncoder } from '../../../src/mime/coding/transfer.ts';
import { runOnText } from './run-coder.ts';

const encodeQp = (text: string) => runOnText(quotedPrintableEncoder(), text);
const decodeQp = (text: string) => runOnText(quotedPrintableDecoder(), text);

describe('quoted-printable', () => {
  it('leaves text readable', () => {
    assert.equal(encodeQp('Grüße = 1\n'), 'Gr=FC=DFe =3D 1\n');
    assert.equal(encodeQp('one\ntwo\n'), 'one\ntwo\n');
  });
  it('encodes what stands before a line end and would be lost', () => {
    assert.equal(encodeQp('a\r\n'), 'a=0D\n');
    assert.equal(encodeQp('a \nb\t\n'), 'a=20\nb=09\n');
  });
  it('encodes the first character of a line 000, also behind a soft break', () => {
    assert.equal(encodeQp('000\n'), '=3000\n');
    assert.equal(encodeQp(`${'x'.repeat(75)}000\n`), `${'x'.repeat(75)}=\n=3000\n`);
    assert.equal(encodeQp('0000\n00\n'), '0000\n00\n');
  });
  it('ends in a soft break where the text has no line end', () => {
    assert.equal(encodeQp('a'), 'a=\n');
    assert.equal(encodeQp('a '), 'a =\n');
  });
  it('protects the empty lines at either end', () => {
    assert.equal(encodeQp('\n\na\n'), '=0A=\n\na\n');
    assert.equal(encodeQp('a\n\n\n'), 'a\n\n=0A=\n');
    assert.equal(encodeQp('\n'), '=0A=\n');
  });
  it('is given away in memory of its own, no longer than it is', () => {
    const encoder = quotedPrintableEncoder();
    const first = encoder.push(Buffer.alloc(100_000, 'a'));
    const before = first.toString();
    encoder.push(Buffer.alloc(100_000, 'b'));
    assert.equal(first.toString(), before);
    assert.equal(first.buffer.byteLength, first.length);
  });
  it('breaks lines at 76 characters', () => {
    assert.equal(encodeQp(`${'x'.repeat(75)}\n`), `${'x'.repeat(75)}\n`);
    assert.equal(encodeQp(`${'x'.repeat(76)}\n`), `${'x'.repeat(75)}=\nx\n`);
  });
  it('reads soft breaks with blanks behind the equals sign, LF or CRLF, and at the very end', () => {
    assert.equal(decodeQp('a=\nb=\r\nc= \t\nd= \r\ne='), 'abcde');
    assert.equal(decodeQp('a=  '), 'a');
    assert.equal(decodeQp('a=\r'), 'a');
  });
  it('reads lower case digits and keeps what is no escape as it is', () => {
    assert.equal(decodeQp('=e9=E9'), '\xe9\xe9');
    assert.equal(decodeQp('=XY =4 =G0 == =\rx =4'), '=XY =4 =G0 == =\rx =4');
  });
  it('keeps line ends as they are', () => {
    assert.equal(decodeQp('a\nb\r\n\r\n'), 'a\nb\r\n\r\n');
  });
  it('does not hold more than a bounded run of blanks', () => {
    const blanks = ' '.repeat(76);
    assert.equal(decodeQp(`a=${blanks}\nb`), 'ab');
    assert.equal(decodeQp(`a=${blanks} \nb`), `a=${blanks} \nb`);
    const decoder = quotedPrintableDecoder();
    decoder.push(Buffer.from('='));
    assert.equal(decoder.push(Buffer.alloc(100_000, ' ')).length, 100_001);
  });
});

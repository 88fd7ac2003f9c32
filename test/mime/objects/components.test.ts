// Objects read strictly and written again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_CONTENT_LINES,
  MAX_OBJECT_CHARACTERS,
  MAX_OBJECT_COMPONENTS,
  MAX_OBJECT_DEPTH,
  MAX_OBJECT_LINES,
} from '../../../src/limits/mime.ts';
import { escapeText, foldLine, makeLine, parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { unescapeText } from '../../../src/mime/objects/content-lines.ts';
import { newSeed, randomFrom } from '../../support/random.ts';

const again = (text: string): string => {
  const { object, fault } = parseObject(text);
  assert.equal(fault, undefined);
  return writeComponent(object!);
};
const faultOf = (text: string): string | undefined => parseObject(text).fault;

describe('an object', () => {
  it('comes back as it was, with what nobody knows', () => {
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'X-Odd;x-p="a;b:c",d;E=^n:v;a:l\\,ue',
      'BEGIN:X-UNKNOWN',
      'item1.X-thing:1',
      'BEGIN:VALARM',
      'TRIGGER:-PT5M',
      'END:VALARM',
      'END:X-UNKNOWN',
      'END:VCALENDAR',
      '',
    ];
    assert.equal(again(lines.join('\r\n')), lines.join('\r\n'));
    assert.equal(again(lines.join('\n')), lines.join('\r\n'));
    assert.equal(again(`\ufeff${lines.join('\n\n')}`), lines.join('\r\n'));
  });

  it('is unfolded and folded at 75 octets, never inside a character', () => {
    const long = `SUMMARY:${'äöü€😀x'.repeat(40)}`;
    const written = again(`BEGIN:VCARD\r\nSUM\r\n MARY:${long.slice(8, 30)}\n\t${long.slice(30)}\r\nEND:VCARD\r\n`);
    const lines = written.split('\r\n');
    assert.equal(lines.slice(1, -2).join('\n').replaceAll('\n ', ''), long);
    for (const line of lines) assert.ok(Buffer.byteLength(line) <= 75 && Buffer.from(line).toString() === line);
    assert.equal(again(written), written);
    assert.equal(foldLine('x'.repeat(75)), 'x'.repeat(75));
    assert.equal(foldLine('x'.repeat(76)), `${'x'.repeat(75)}\r\n x`);
    assert.equal(foldLine('x'.repeat(149)), `${'x'.repeat(75)}\r\n ${'x'.repeat(74)}`);
    assert.equal(foldLine('x'.repeat(150)), `${'x'.repeat(75)}\r\n ${'x'.repeat(74)}\r\n x`);
  });

  it('keeps quoted-printable as it came', () => {
    const card = 'BEGIN:VCARD\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\r\n b=C3=A4\r\nFN:x\r\nEND:VCARD\r\n';
    assert.equal(again(card), card);
  });

  it('keeps lines that are none, and leaves out what is around it', () => {
    const card = 'BEGIN:VCARD\r\nno colon\r\nFN:x\r\nX-EMPTY\r\nEND:VCARD\r\n';
    assert.equal(again(card), card);
    assert.equal(again(`Content-Type: text/vcard\r\n\r\n${card}END:VCARD\r\nbye\r\n`), card);
  });

  it('is refused with the line that is wrong', () => {
    assert.match(faultOf('A:1\nBEGIN:VCARD\nBEGIN:A\nFN:x\n y\nEND:VCARD\n')!, /^line 6, END:VCARD: BEGIN:A in line 3/);
    assert.match(faultOf('BEGIN:VCARD\nFN:x\n\nBEGIN:A\n')!, /^line 4, BEGIN:A: there is no END:A/);
    assert.match(faultOf('BEGIN:VCARD\nEND:VCARD\nBEGIN:VCARD\n')!, /^line 3, BEGIN:VCARD: more than one VCARD/);
  });

  it('is refused when it is none', () => {
    const faulty: string[] = [
      '',
      'hello',
      'A:1',
      'BEGIN:VCARD\n',
      'BEGIN:VCARD\nEND:VCALENDAR\n',
      'BEGIN:VCARD\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD\n',
      'BEGIN:A\nBEGIN:B\nEND:A\nEND:B\n',
    ];
    for (const text of faulty) assert.notEqual(faultOf(text), undefined, JSON.stringify(text));
  });

  it('is refused beyond each bound', () => {
    const nested = (depth: number) => {
      const names = Array.from({ length: depth }, (_, i) => `X${i}`);
      return `${names.map((name) => `BEGIN:${name}\n`).join('')}${names
        .map((name) => `END:${name}\n`)
        .reverse()
        .join('')}`;
    };
    assert.equal(faultOf(nested(MAX_OBJECT_DEPTH)), undefined);
    assert.match(faultOf(nested(MAX_OBJECT_DEPTH + 1))!, /deep/);
    const many = (count: number) => `BEGIN:A\n${'BEGIN:B\nEND:B\n'.repeat(count - 1)}END:A\n`;
    assert.equal(faultOf(many(MAX_OBJECT_COMPONENTS)), undefined);
    assert.match(faultOf(many(MAX_OBJECT_COMPONENTS + 1))!, /components/);
    const long = (count: number) => `BEGIN:A\n${'B:1\n'.repeat(count - 2)}END:A\n`;
    assert.equal(faultOf(long(MAX_CONTENT_LINES)), undefined);
    assert.match(faultOf(long(MAX_CONTENT_LINES + 1))!, /lines/);
    const folded = (lines: number) => `BEGIN:X\nA:${'b\n '.repeat(lines - 3)}\nEND:X\n`;
    assert.equal(faultOf(folded(MAX_OBJECT_LINES)), undefined);
    assert.match(faultOf(folded(MAX_OBJECT_LINES + 1))!, /lines/);
    const large = (length: number) => `BEGIN:A\nB:${'x'.repeat(length - 17)}\nEND:A\n`;
    assert.equal(large(100).length, 100);
    assert.equal(faultOf(large(MAX_OBJECT_CHARACTERS)), undefined);
    assert.match(faultOf(large(MAX_OBJECT_CHARACTERS + 1))!, /large/);
  });

  it('is read, or refused, whatever its bytes are', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const words = [
      'BEGIN:',
      'END:',
      'VEVENT',
      'X',
      '\n',
      '\r\n',
      '\n ',
      ';',
      '=',
      '"',
      ':',
      'é',
      '\0',
      '\\',
      '^n',
      '.',
    ];
    for (let i = 0; i < 300; i++) {
      const noise = Array.from({ length: random(40) }, () => words[random(words.length)]).join('');
      const text = i % 2 === 0 ? noise : `BEGIN:X\n${noise}\nEND:X`;
      const { object } = parseObject(text);
      if (object) assert.equal(again(writeComponent(object)), writeComponent(object), `seed ${seed}`);
    }
  });
});

describe('a line that is made', () => {
  it('reads as it was meant', () => {
    const line = makeLine('ATTENDEE', 'mailto:x', { CN: 'a;b "c"', ROLE: 'CHAIR' });
    assert.deepEqual([line.params.get('CN'), line.params.get('ROLE'), line.value], ['a;b "c"', 'CHAIR', 'mailto:x']);
    const text = 'a, b; c\\d\ne';
    assert.equal(unescapeText(escapeText(text)), text);
  });

  it('has its escapes undone from left to right', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const characters = [...'\\\\nN,;:x\n$&'];
    for (let round = 0; round < 5000; round++) {
      const text = Array.from({ length: random(12) }, () => characters[random(characters.length)]).join('');
      let expected = '';
      for (let at = 0; at < text.length; at++) {
        const isEscape = text[at] === '\\' && at + 1 < text.length && '\\nN,;:'.includes(text[at + 1]!);
        if (isEscape) at++;
        expected += isEscape && text[at]!.toLowerCase() === 'n' ? '\n' : text[at];
      }
      assert.equal(unescapeText(text), expected, `seed ${seed}: ${JSON.stringify(text)}`);
    }
  });
});

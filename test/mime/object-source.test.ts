// From bytes to the text of an object.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bytesWithoutMethod, CALENDAR_HEAD_BYTES, objectSource, withoutMethod } from '../../src/mime/object-source.ts';

it('a fold inside of a character is undone, and no other', () => {
  const folded = Buffer.from('SUMMARY:M\u00c3\r\n \u00bcller \u00e2\n\t\u0082\n \u00ac\r\n a', 'latin1');
  assert.equal(objectSource(folded), 'SUMMARY:Müller €\r\n a');
  assert.equal(objectSource(Buffer.from('a\r\n é')), 'a\r\n é');
  assert.equal(objectSource(Buffer.from('caf\u00e9\r\n \u00bc', 'latin1')), 'café\r\n ¼', 'in another charset');
});

it('the bytes decide on the charset, then its name', () => {
  assert.equal(objectSource(Buffer.from('é'), 'iso-8859-1'), 'é');
  assert.equal(objectSource(Buffer.from('\u00a4', 'latin1'), 'iso-8859-15'), '€');
  assert.equal(objectSource(Buffer.from('\ufeffa', 'utf16le')), 'a');
  assert.equal(objectSource(Buffer.from('a', 'utf16le'), 'utf-16le'), 'a');
});

it('characters that XML cannot carry are left out', () => {
  assert.equal(objectSource(Buffer.from('a\0\v\f\x1b\x7f\ufffe\t\r\nb')), 'a\x7f\t\r\nb');
});

it('METHOD is left out of the head of a calendar, whatever its lines end in', () => {
  for (const end of ['\r\n', '\n', '\r']) {
    const lines = (...more: string[]) => ['BEGIN:VCALENDAR', ...more, 'VERSION:2.0', 'END:VCALENDAR', ''].join(end);
    const text = lines('method;x=y:PUBLISH', ...(end === '\r' ? [] : [' MORE', '\tagain']));
    assert.equal(withoutMethod(text), lines(), JSON.stringify(text));
    assert.deepEqual(bytesWithoutMethod(Buffer.from(text)), Buffer.from(lines()));
  }
  const late = `BEGIN:VCALENDAR\n${'X:1\n'.repeat(CALENDAR_HEAD_BYTES / 4)}METHOD:PUBLISH\n`;
  assert.equal(withoutMethod(late), late);
  assert.equal(withoutMethod('DESCRIPTION:x\n METHOD:y\nX-METHOD:z\n'), 'DESCRIPTION:x\n METHOD:y\nX-METHOD:z\n');
});

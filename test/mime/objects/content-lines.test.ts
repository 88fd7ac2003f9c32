// Content lines of iCalendar and vCard: folding, parameters, encodings, bounds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_CONTENT_LINES,
  MAX_CONTENT_PARAMETERS,
  MAX_OBJECT_DEPTH,
  MAX_PROPERTY_NAME_CHARACTERS,
} from '../../../src/limits/mime.ts';
import { lineOf, parseComponents, textOf } from '../../../src/mime/objects/content-lines.ts';

const only = (lines: string) => parseComponents(`BEGIN:VCARD\r\n${lines}\r\nEND:VCARD\r\n`)[0]!;

describe('parseComponents', () => {
  it('undoes folding and escapes', () => {
    const card = only('NOTE:one\\, two\\nthr\r\n ee\\\\n \r\n\tfour');
    assert.equal(textOf(card, 'NOTE'), 'one, two\nthree\\n four');
  });

  it('reads parameters, quoted ones too, and leaves the group out', () => {
    const card = only('item1.ATTENDEE;CN="a:b;c";TYPE=work;TYPE="cell,fax";PREF;X=^^a^\'b^n:mailto:x:y');
    const line = lineOf(card, 'ATTENDEE')!;
    assert.equal(line.value, 'mailto:x:y');
    assert.deepEqual(Object.fromEntries(line.params), {
      CN: 'a:b;c',
      TYPE: 'work,cell,fax',
      PREF: 'PREF',
      X: '^a"b ',
    });
  });

  it('decodes quoted-printable of any charset over several lines', () => {
    const card = only(
      'NOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FC=\r\nller=0Aend\r\nFN;QUOTED-PRINTABLE:=C5=BE',
    );
    assert.equal(textOf(card, 'NOTE'), 'Müller\nend');
    assert.equal(textOf(card, 'FN'), 'ž');
  });

  it('keeps what is inside apart, and closes what has no end', () => {
    const [calendar, ...others] = parseComponents(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\nBEGIN:VALARM\nSUMMARY:b\nEND:VALARM\nEND:VEVENT\nX:1\n' +
        'BEGIN:VTODO\nSUMMARY:c',
    );
    assert.deepEqual(others, []);
    assert.deepEqual(
      calendar!.components.map((component) => [component.name, textOf(component, 'SUMMARY')]),
      [
        ['VEVENT', 'a'],
        ['VTODO', 'c'],
      ],
    );
    assert.equal(textOf(calendar!, 'X'), '1');
  });

  it('skips what is no content line', () => {
    assert.deepEqual(parseComponents('no colon\n:\n;x:y\nEND:X\nA:1\n\0'), []);
    assert.equal(only('???\nFN:name').lines.length, 1);
  });

  it('takes a quote that nothing closes for a character', () => {
    const [line] = only('ATTENDEE;CN="Doe, J:mailto:x').lines;
    assert.deepEqual([line!.params.get('CN'), line!.value], ['Doe, J', 'mailto:x']);
  });

  it('ends lines at CR LF, LF, CR CR LF, or CR where there is no LF', () => {
    for (const end of ['\r\n', '\n', '\r\r\n', '\r']) {
      const { lines } = parseComponents(['BEGIN:VCARD', 'FN:a', ' b', '', 'N:c', 'END:VCARD'].join(end))[0]!;
      const read = lines.map(({ name, value, number }) => [name, value, number]);
      const expected = [
        ['FN', 'ab', 2],
        ['N', 'c', 5],
      ];
      assert.deepEqual(read, expected, JSON.stringify(end));
    }
  });

  it('looks at no more lines than the bound', () => {
    const card = (count: number) => parseComponents(`BEGIN:VCARD\n${'A:1\n'.repeat(count - 2)}FN:last\n`)[0]!;
    assert.equal(textOf(card(MAX_CONTENT_LINES), 'FN'), 'last');
    assert.equal(textOf(card(MAX_CONTENT_LINES + 1), 'FN'), '');
  });

  it('looks at so many parameters of a line, and still finds its value behind more', () => {
    for (const count of [MAX_CONTENT_PARAMETERS, MAX_CONTENT_PARAMETERS + 1]) {
      const params = Array.from({ length: count }, (_, i) => `;P${i}=x`).join('');
      const line = lineOf(only(`TEL${params}:123`), 'TEL')!;
      assert.deepEqual([line.params.size, line.value], [MAX_CONTENT_PARAMETERS, '123']);
    }
  });

  it('takes a name, and a group, of as many characters as the bound', () => {
    const [name, longer] = [MAX_PROPERTY_NAME_CHARACTERS, MAX_PROPERTY_NAME_CHARACTERS + 1].map((n) => 'X'.repeat(n));
    const count = (line: string) => only(line).lines.length;
    assert.deepEqual([`${name}:1`, `${name}.${name}:1`, `${longer}:1`, `${longer}.A:1`].map(count), [1, 1, 0, 0]);
  });

  it('goes no deeper than the bound', () => {
    const depthOf = (depth: number): number => {
      let deepest = 0;
      let [component] = parseComponents(`${'BEGIN:X\n'.repeat(depth)}FN:deep\n`);
      for (; component; [component] = component.components) {
        if (textOf(component, 'FN') !== '') return depth;
        deepest++;
      }
      return deepest - depth;
    };
    assert.equal(depthOf(MAX_OBJECT_DEPTH), MAX_OBJECT_DEPTH);
    assert.notEqual(depthOf(MAX_OBJECT_DEPTH + 1), MAX_OBJECT_DEPTH + 1);
  });
});

// Two versions that come from the same one: what each has changed is kept, unless it is the same.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { mergeObjects, mergeVersions } from '../../../static/formats/merge.js';

const merge = mergeObjects as (base: string, mine: string, theirs: string) => string | undefined;
const object = (lines: string[], more: string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:x',
    'BEGIN:VTODO',
    'UID:1',
    ...lines,
    'END:VTODO',
    ...more,
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const card = (...lines: string[]) => ['BEGIN:VCARD', 'VERSION:4.0', ...lines, 'END:VCARD', ''].join('\r\n');

describe('two versions of an object', () => {
  it('are one where each has changed something else', () => {
    const base = object(['DTSTAMP:20260101T000000Z', 'SUMMARY:Bread', 'SEQUENCE:0']);
    const mine = object(['DTSTAMP:20260102T000000Z', 'SUMMARY:Bread', 'SEQUENCE:1', 'STATUS:COMPLETED']);
    const theirs = object(['DTSTAMP:20260103T000000Z', 'SUMMARY:Dark bread', 'SEQUENCE:2', 'X-OWN;A=1:kept']);
    const merged = object([
      'DTSTAMP:20260102T000000Z',
      'SUMMARY:Dark bread',
      'SEQUENCE:2',
      'X-OWN;A=1:kept',
      'STATUS:COMPLETED',
    ]);
    assert.equal(merge(base, mine, theirs), merged);
  });

  it('lose what one of them has taken away', () => {
    const base = object(['SUMMARY:Bread', 'DUE:20260101T000000Z', 'PRIORITY:1']);
    const mine = object(['SUMMARY:Bread', 'PRIORITY:1']);
    assert.equal(merge(base, mine, object(['SUMMARY:Bread', 'DUE:20260101T000000Z'])), object(['SUMMARY:Bread']));
  });

  it('are two where both have changed the same', () => {
    const base = object(['SUMMARY:Bread']);
    assert.equal(merge(base, object(['SUMMARY:Dark bread']), object(['SUMMARY:White bread'])), undefined);
    assert.equal(
      merge(base, object(['SUMMARY:Dark bread']), object(['SUMMARY:Dark bread'])),
      object(['SUMMARY:Dark bread']),
    );
  });

  it('are two where they have changed what means something together only', () => {
    const base = object(['DTSTART:20260101T100000Z', 'DUE:20260101T110000Z']);
    const mine = object(['DTSTART:20260101T120000Z', 'DUE:20260101T110000Z']);
    assert.equal(merge(base, mine, object(['DTSTART:20260101T100000Z', 'DUE:20260101T103000Z'])), undefined);
    const known = card('UID:1', 'item1.TEL:1', 'item1.X-ABLabel:Home');
    const own = card('UID:1', 'item1.TEL:2', 'item1.X-ABLabel:Home');
    assert.equal(merge(known, own, card('UID:1', 'item1.TEL:1', 'item1.X-ABLabel:Work')), undefined);
  });

  it('keep each other’s exceptions, and ask where both have one of the same day', () => {
    const exception = (day: number, words: string) => [
      'BEGIN:VTODO',
      'UID:1',
      `RECURRENCE-ID:2026010${day}T100000Z`,
      `SUMMARY:${words}`,
      'END:VTODO',
    ];
    const base = object(['SUMMARY:Bread']);
    const mine = object(['SUMMARY:Bread'], exception(1, 'a'));
    const merged = merge(base, mine, object(['SUMMARY:Bread'], exception(2, 'b')))!;
    assert.match(merged, /SUMMARY:a/);
    assert.match(merged, /SUMMARY:b/);
    assert.equal(merge(base, mine, object(['SUMMARY:Bread'], exception(1, 'b'))), undefined);
  });

  it('of a card are one with its properties in their order', () => {
    const base = card('UID:1', 'FN:Ann', 'TEL:1');
    assert.equal(
      merge(base, card('UID:1', 'FN:Ann', 'TEL:2'), card('UID:1', 'FN:Ann', 'TEL:1', 'NOTE:x')),
      card('UID:1', 'FN:Ann', 'TEL:2', 'NOTE:x'),
    );
  });

  it('that are no objects are two', () => {
    assert.equal(merge('a', 'a b', 'c a'), undefined);
  });
});

describe('two versions of a text', () => {
  const text = (...lines: string[]) => lines.join('\n');
  const base = text('one', 'two', 'three', 'four', 'five');

  it('are one where each has changed other lines', () => {
    const mine = text('new', 'one', 'two', 'three', 'four', 'five', 'six');
    const theirs = text('one', 'two', '3', 'five');
    assert.equal(mergeVersions(base, mine, theirs), text('new', 'one', 'two', '3', 'five', 'six'));
    assert.equal(mergeVersions(base, base, theirs), theirs);
    assert.equal(mergeVersions(base, theirs, base), theirs);
    assert.equal(mergeVersions(base, theirs, theirs), theirs);
    assert.equal(mergeVersions('', 'a', 'a'), 'a');
    assert.equal(mergeVersions('<p>a</p><p>b</p>', '<p>A</p><p>b</p>', '<p>a</p><p>B</p>'), '<p>A</p>\n<p>B</p>');
  });

  it('are two where both have changed the same lines, until somebody says whose count', () => {
    const mine = text('one', 'second', 'three', 'four', '5');
    const theirs = text('ONE', '2', 'three', 'four', 'five');
    assert.equal(mergeVersions(base, mine, theirs), undefined);
    assert.equal(mergeVersions(base, mine, theirs, 'mine'), text('one', 'second', 'three', 'four', '5'));
    assert.equal(mergeVersions(base, mine, theirs, 'theirs'), text('ONE', '2', 'three', 'four', '5'));
    assert.equal(mergeVersions(base, `${base}\na`, `${base}\nb`), undefined);
    assert.equal(mergeVersions('', 'a', 'b', 'mine'), 'a');
  });

  it('inside objects are merged by lines, other properties by whose count', () => {
    const note = (body: string, colour: string) =>
      `BEGIN:VNOTE\r\nVERSION:1.1\r\nBODY:${body}\r\nX-C:${colour}\r\nEND:VNOTE\r\n`;
    const merged = mergeVersions(note('a\\nb\\nc', 'x'), note('A\\nb\\nc', 'x'), note('a\\nb\\nC', 'y'));
    assert.match(merged ?? '', /BODY;.*QUOTED-PRINTABLE:A=0D=0Ab=0D=0AC\r\nX-C:y\r\n/);
    assert.equal(mergeVersions(note('a', 'x'), note('b', 'x'), note('c', 'y')), undefined);
    assert.equal(mergeVersions(note('a', 'x'), note('b', 'x'), note('c', 'y'), 'mine'), note('b', 'y'));
    assert.equal(mergeVersions(note('a', 'x'), note('b', 'x'), note('c', 'y'), 'theirs'), note('c', 'y'));
  });
});

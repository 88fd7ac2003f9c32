// Colours, places and words of notes, and that the marks of a note survive.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { changeNote, newNote, readNote } from '../../../../static/formats/notes.js';
// @ts-expect-error: the web client has no types
import { colourOf, hueOfColour } from '../../../../static/kinds/notes/colours.js';
// @ts-expect-error: the web client has no types
import { arranged, isFound } from '../../../../static/kinds/notes/order.js';

describe('notes', () => {
  it('have one of eight hues, the nearest to what another program wrote', () => {
    for (const hue of [0, 1, 2, 3, 4, 5, 6, 7]) assert.equal(hueOfColour(colourOf(hue)), hue);
    assert.equal(hueOfColour('#ADD8E6'), 6);
    assert.equal(hueOfColour('#ff0000'), hueOfColour('#FFD8DE'));
    for (const none of ['', 'red', '#ffffff', '#808080']) assert.equal(hueOfColour(none), 4);
  });

  it('are pinned first, the latest first, and those that are not known last', () => {
    const notes = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
    const places = new Map([
      ['a', { time: 1, isPinned: false }],
      ['b', { time: 3, isPinned: false }],
      ['c', { time: 2, isPinned: true }],
    ]);
    const { pinned, others } = arranged(notes, places);
    assert.deepEqual([pinned, others], [[notes[2]], [notes[1], notes[0], notes[3]]]);
  });

  it('are found by all words, in title or text', () => {
    const note = { title: 'Café', text: 'two\nlines' };
    for (const words of ['cafe two', 'LINES', '']) assert.ok(isFound(note, words), words);
    assert.ok(!isFound(note, 'cafe three'));
  });

  it('keep what is not understood when they are pinned or coloured, also in a calendar object', () => {
    const pinned = changeNote(`${newNote({ title: 'x' }).text.replace('END', 'X-A:b\r\nEND')}`, { isPinned: true });
    assert.deepEqual([readNote(pinned).isPinned, readNote(pinned).title], [true, 'x']);
    assert.match(pinned, /X-A:b/);
    assert.doesNotMatch(changeNote(pinned, { isPinned: false }), /PINNED/);
    const lines =
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VJOURNAL\r\nUID:j\r\nSUMMARY:y\r\nX-A:b\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n';
    const journal = changeNote(lines, { isPinned: true, colour: '#DBEECB' }, 0);
    assert.deepEqual([readNote(journal).isPinned, readNote(journal).colour], [true, '#DBEECB']);
    assert.match(journal, /X-A:b/);
  });
});

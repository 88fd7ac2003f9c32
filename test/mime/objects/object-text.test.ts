// Which media types are calendars and contacts, and their text for people.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCalendar, isCard, objectText } from '../../../src/mime/objects/properties.ts';

describe('a media type', () => {
  it('is a calendar, a contact, or neither', () => {
    assert.deepEqual(['text/calendar', 'text/x-vcalendar', 'application/ics', 'text/plain'].map(isCalendar), [
      true,
      true,
      true,
      false,
    ]);
    assert.deepEqual(['text/vcard', 'text/directory', 'text/x-vnote', 'text/calendar', ''].map(isCard), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the text of an object', () => {
  it('is that of its kind', () => {
    const event = 'BEGIN:VEVENT\nSUMMARY:party\nEND:VEVENT';
    assert.equal(objectText('application/ics', event), 'Event: party\n');
    assert.match(objectText('text/x-vcard', 'BEGIN:VCARD\nFN:Ann\nEND:VCARD'), /Ann/);
    assert.equal(objectText('text/vcard', event), event, 'nothing of it is a contact');
  });

  it('is the source where nothing of it is understood', () => {
    for (const type of ['text/calendar', 'text/vcard']) assert.equal(objectText(type, 'see you'), 'see you');
  });
});

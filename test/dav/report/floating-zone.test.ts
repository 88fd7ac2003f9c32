// The zone of floating times.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { floatingZone, type RoomReportRequest, zoneInCalendar } from '../../../src/dav/report/answer.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { fixedZone, offsetAt, UTC } from '../../../src/mime/objects/offsets.ts';

const ZONE =
  'BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0500\nTZOFFSETTO:+0500\n' +
  'END:STANDARD\nEND:VTIMEZONE\n';
const calendar = (zones: string) => `\nBEGIN:VCALENDAR\n${zones}END:VCALENDAR\n`;
const HOURS = 3600;

describe('a calendar as a zone', () => {
  it('has exactly one', () => {
    assert.equal(offsetAt(zoneInCalendar(calendar(ZONE))!, 0), 5 * HOURS);
    for (const text of ['', 'x', calendar(''), calendar(ZONE + ZONE), ZONE]) {
      assert.equal(zoneInCalendar(text), undefined, text);
    }
  });
});

describe('the zone of floating times', () => {
  const dead = (text: string) =>
    new Map([['{urn:ietf:params:xml:ns:caldav}calendar-timezone', element('C:calendar-timezone', text)]]);
  const questionOf = (facts: object) => ({ find: async () => facts }) as unknown as RoomReportRequest;

  it('is what the query says, before all else', async () => {
    const named = fixedZone('X', HOURS);
    const question = questionOf({ dead: dead(calendar(ZONE)) });
    assert.equal(await floatingZone(question, named), named);
  });

  it('is that of the calendar where the query says nothing', async () => {
    const zone = await floatingZone(questionOf({ dead: dead(calendar(ZONE)) }), undefined);
    assert.equal(offsetAt(zone, 0), 5 * HOURS);
  });

  it('is the one whose name the calendar has', async () => {
    const key = '{urn:ietf:params:xml:ns:caldav}calendar-timezone-id';
    const named = new Map([[key, element('C:calendar-timezone-id', ' Asia/Kolkata ')]]);
    assert.equal(offsetAt(await floatingZone(questionOf({ dead: named }), undefined), 0), 5.5 * HOURS);
  });

  it('is UTC where nobody says anything that can be used', async () => {
    for (const facts of [{}, { dead: dead('x') }, { dead: new Map() }]) {
      assert.equal(await floatingZone(questionOf(facts), undefined), UTC);
    }
  });
});

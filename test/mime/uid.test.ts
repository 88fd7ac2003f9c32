// The UID inside an object that is PUT.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { uidOf } from '../../src/mime/stored-content.ts';

async function* pieces(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
}

const uid = (text: string, type = 'text/calendar; charset=utf-8') => uidOf(type, pieces(text));

it('it is the value of the first UID, unfolded, whatever its parameters and case', async () => {
  assert.equal(await uid('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a@b\r\nUID:c\r\n'), 'a@b');
  assert.equal(await uid('BEGIN:VCARD\nuid;X=1:urn:x\n', 'text/vcard'), 'urn:x');
  assert.equal(await uid('UID:a long\r\n  one\r\n'), 'a long one');
  assert.equal(await uid('UI\r\n D: x \r\n'), 'x');
});

it('it is not what only looks like one', async () => {
  for (const text of ['X-UID:a\r\n', 'SUMMARY:UID:a\r\n', 'UIDX:a\r\n', '', 'UID\r\n'])
    assert.equal(await uid(text), '', text);
});

it('it is looked for in calendars, contacts and notes only', async () => {
  const text = 'UID:a\r\n';
  for (const type of [
    'text/calendar',
    'TEXT/VCARD',
    'text/x-vcard',
    'text/directory',
    'text/vnote',
    'application/ics',
  ]) {
    assert.equal(await uid(text, type), 'a', type);
  }
  for (const type of ['text/plain', '', 'application/json', 'text/calendarx', 'x-text/calendar']) {
    assert.equal(await uid(text, type), '', type);
  }
});

// What one version says and the other does not, as it is shown to who chooses.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { saidOnlyIn } from '../../../static/formats/versions.js';

const said = saidOnlyIn as (one: string, other: string, locale?: string) => string[];

it('names the values of what differs, without what every change sets anew', () => {
  const card = (...lines: string[]) => ['BEGIN:VCARD', 'UID:1', ...lines, 'END:VCARD', ''].join('\r\n');
  const one = card('REV:1', 'TITLE:Miller', 'NOTE:a\\, b\\nc');
  const other = card('REV:2', 'TITLE:Weaver', 'TEL;TYPE=home:1');
  assert.deepEqual(said(one, other), ['Miller', 'a, b c']);
  assert.deepEqual(said(other, one), ['Weaver', '1']);
  assert.deepEqual(said(one, one), []);
});

it('names a moment as the reader writes it, and a day without a time', () => {
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
  assert.match(said(event('DTSTART;TZID=Europe/Berlin:20310618T080000'), event(), 'en-GB')[0]!, /^18 Jun 2031, 08:00$/);
  assert.deepEqual(said(event('DUE;VALUE=DATE:20310618'), event(), 'en-GB'), ['18/06/2031']);
});

it('names lines of a page, and all of it where there is none', () => {
  assert.deepEqual(said('a\nb\n\nc', 'a\r\nc'), ['b']);
  assert.deepEqual(said('a\nb', ''), ['a', 'b']);
});

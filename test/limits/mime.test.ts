// Bounds of messages and of the objects in them that rely on one another.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_OBJECT_BYTES, MAX_SCHEDULING_BYTES } from '../../src/limits/backend.ts';
import { MAX_BOUNDARY_BYTES } from '../../src/limits/http.ts';
import * as mime from '../../src/limits/mime.ts';
import { KIB } from '../../src/limits/units.ts';

describe('bounds of messages', () => {
  it('let the longest delimiter be told while it may still be one', () => {
    assert.ok('--'.length + MAX_BOUNDARY_BYTES + '--\r\n'.length < mime.MAX_DELIMITER_LINE_BYTES);
  });

  it('let a header line be one of a header', () => {
    assert.ok(mime.MAX_TEXT_LINE_BYTES < mime.MAX_MIME_HEADER_BYTES);
    assert.ok(mime.MAX_PART_FIELD_CHARACTERS < mime.MAX_TEXT_LINE_BYTES);
    assert.ok(mime.MAX_MIME_DEPTH < mime.MAX_MIME_PARTS);
    assert.ok(mime.MAX_KEPT_PARTS < mime.MAX_MIME_PARTS);
  });

  it('render no more text than is read, twice as long at most', () => {
    assert.ok(mime.MAX_RENDERED_TEXT_BYTES < mime.MAX_RENDERED_SOURCE_BYTES);
    assert.equal(mime.MAX_RENDERED_CHARACTERS, 2 * mime.MAX_RENDERED_TEXT_BYTES);
    assert.ok(mime.MAX_QUOTE_DEPTH <= mime.MAX_HTML_DEPTH);
  });
});

describe('bounds of calendars and contacts', () => {
  it('read all of an object that is stored', () => assert.ok(MAX_OBJECT_BYTES <= mime.MAX_OBJECT_CHARACTERS));

  it('follow a rule for every occurrence that is answered', () => {
    assert.ok(mime.MAX_OCCURRENCES <= mime.MAX_RECURRENCE_STEPS);
    assert.ok(mime.MAX_DATES <= mime.MAX_OCCURRENCES);
    assert.ok(mime.MAX_RECURRENCE_CHARACTERS <= mime.MAX_RULE_CHARACTERS);
    assert.ok(mime.MAX_ZONE_STEPS < mime.MAX_RECURRENCE_STEPS);
  });

  it('send every guest a message, in what one change may send', () => {
    assert.ok(mime.MAX_ATTENDEES <= mime.MAX_MESSAGE_LINES);
    assert.ok(mime.MAX_ATTENDEES * 16 * KIB <= mime.MAX_MESSAGE_CHARACTERS);
    assert.ok(MAX_OBJECT_BYTES <= mime.MAX_MESSAGE_CHARACTERS);
    assert.ok(mime.MAX_ATTENDEES * mime.MAX_PERSON_ADDRESS_CHARACTERS < MAX_SCHEDULING_BYTES);
  });

  it('have hosts and addresses as DNS and SMTP bound them', () => {
    assert.equal(mime.MAX_HOST_CHARACTERS, 253);
    assert.equal(mime.MAX_LABEL_CHARACTERS, 63);
    assert.equal(mime.MAX_PERSON_ADDRESS_CHARACTERS, 254);
  });
});

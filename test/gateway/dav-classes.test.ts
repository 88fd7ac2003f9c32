// What OPTIONS says of WebDAV: the classes that clients look for before they try.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { davHeaders } from '../../src/gateway/dav-options.ts';
import type { CollectionKind } from '../../src/model.ts';

const classes = (kind?: CollectionKind) => davHeaders(kind).DAV.split(', ');

it('class 1 is there where 2 and 3 are (RFC 4918 section 18), and each is named once', () => {
  for (const kind of [undefined, 'calendar', 'tasks', 'addressbook', 'files', 'messages'] as const) {
    assert.deepEqual(classes(kind).slice(0, 3), ['1', '2', '3'], String(kind));
    assert.equal(new Set(classes(kind)).size, classes(kind).length, String(kind));
  }
});

it('a room has the classes of its kind, and all are named where a client looks for its rooms', () => {
  const all = ['extended-mkcol', 'calendar-access', 'calendar-auto-schedule', 'addressbook'];
  assert.deepEqual(classes().slice(3), all);
  assert.deepEqual(classes('calendar').slice(3), ['calendar-access', 'calendar-auto-schedule']);
  assert.deepEqual(classes('tasks'), classes('calendar'));
  assert.deepEqual(classes('addressbook').slice(3), ['addressbook']);
  assert.deepEqual(classes('files').slice(3), []);
});

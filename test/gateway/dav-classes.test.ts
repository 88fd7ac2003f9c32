// What OPTIONS says of WebDAV: the classes that clients look for before they try.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAV_HEADERS, HAS_SCHEDULING } from '../../src/gateway/dav-classes.ts';

const classes = DAV_HEADERS.DAV.split(', ');

it('class 1 is there where 2 and 3 are (RFC 4918 section 18), and each is named once', () => {
  assert.equal(classes[0], '1');
  for (const one of ['2', '3', 'extended-mkcol', 'calendar-access', 'addressbook'])
    assert.ok(classes.includes(one), one);
  assert.equal(new Set(classes).size, classes.length);
});

it('scheduling is advertised where properties lead to an inbox (RFC 6638 section 2)', () => {
  assert.equal(classes.includes('calendar-auto-schedule'), HAS_SCHEDULING);
});

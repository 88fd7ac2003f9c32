// The body of a multiget.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readMultiget } from '../../../src/dav/report/multiget.ts';
import { refuses, xmlOf } from './bodies.ts';

const multiget = (inner: string) => readMultiget(xmlOf(`<C:calendar-multiget>${inner}</C:calendar-multiget>`));

it('A multiget names members as written, each once, and what it wants of them', () => {
  const { hrefs, wanted, calendarData } = multiget(
    '<D:prop><D:getetag/><C:calendar-data/></D:prop><D:href>/svc/r/A/1 </D:href><D:href>/b%20c</D:href>' +
      '<D:href>/svc/r/A/1</D:href>',
  );
  assert.deepEqual(hrefs, ['/svc/r/A/1', '/b%20c']);
  assert.equal(wanted.kind, 'some');
  assert.ok(calendarData);
});

it('One that names nothing is refused', () => {
  refuses(() => multiget('<D:prop/>'), 'bad_request');
  refuses(() => multiget('<href xmlns="u">/a</href>'), 'bad_request');
});

// What DAV shows of a message, kept by its number as long as that is the same message.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StoredTraitsCache } from '../../../src/gateway/message/stored-traits.ts';
import { MAX_STORED_TRAITS } from '../../../src/limits/dav.ts';

const ROW = { msgnum: 5, euid: 'u', time: 100 };
const headers = (...lines: [string, string][]) => lines.map(([name, value]) => ({ name, value }));

it('it is what the headers say: name, subject, type, length and when it was stored', () => {
  const cache = new StoredTraitsCache();
  const traits = cache.keep(
    ROW,
    headers(
      ['Subject', '=?utf-8?Q?=C3=A9?='],
      ['Content-Type', 'text/calendar; charset=utf-8'],
      ['X-Vestibule-Name', 'a%20b.ics'],
      ['X-Vestibule-Size', '345'],
      ['X-Vestibule-Original-time', '1000000000'],
      ['Message-ID', '<65F5E100-00000005@x>'],
    ),
  );
  assert.deepEqual(traits, {
    ...{ euid: 'u', time: 100, stored: 0x65f5e100, name: 'a b.ics', subject: 'é' },
    ...{ contentType: 'text/calendar; charset=utf-8', size: 345, facts: undefined },
  });
  assert.equal(cache.of(ROW), traits);
});

it('a multipart that is stored with other line ends is as long as it was PUT', () => {
  const fields = headers(['Content-Type', 'multipart/mixed; boundary=b'], ['X-Vestibule-Lines', 'crlf 1234']);
  assert.equal(new StoredTraitsCache().keep(ROW, fields).size, 1234);
});

it('another message under the same number is not taken for it', () => {
  const cache = new StoredTraitsCache();
  const traits = cache.keep(ROW, []);
  assert.equal(cache.of({ ...ROW, euid: 'other' }), undefined);
  assert.equal(cache.of({ ...ROW, time: 101 }), undefined);
  assert.equal(cache.lastOf(5), traits);
  assert.equal(cache.lastOf(6), undefined);
});

it('what is learnt later is added, and what others hold does not change', () => {
  const cache = new StoredTraitsCache();
  const bare = cache.keep(ROW, []);
  const sized = cache.keepSize(5, bare, 77);
  const full = cache.keepFacts(5, sized, { component: 'VEVENT', extent: undefined });
  assert.deepEqual([bare.size, sized.size, full.size], [undefined, 77, 77]);
  assert.deepEqual([sized.facts, full.facts?.component], [undefined, 'VEVENT']);
  assert.equal(cache.of(ROW), full);
});

it(`so many are kept: ${MAX_STORED_TRAITS}, and one more costs one`, () => {
  const cache = new StoredTraitsCache();
  for (let msgnum = 1; msgnum <= MAX_STORED_TRAITS; msgnum++) cache.keep({ ...ROW, msgnum }, []);
  assert.ok(cache.lastOf(1));
  cache.keep({ ...ROW, msgnum: MAX_STORED_TRAITS + 1 }, []);
  const count = Array.from({ length: MAX_STORED_TRAITS + 1 }, (_, i) => cache.lastOf(i + 1)).filter(Boolean).length;
  assert.equal(count, MAX_STORED_TRAITS);
});

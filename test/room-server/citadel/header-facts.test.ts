// What DAV shows of a message, kept by its number as long as that is the same message.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_STORED_TRAITS } from '../../../src/limits/dav.ts';
import { HeaderFactsCache } from '../../../src/room-server/citadel/header-facts.ts';

const ROW = { msgnum: 5, euid: 'u', time: 100 };
const headers = (...lines: [string, string][]) => lines.map(([name, value]) => ({ name, value }));

it('it is what the headers say: name, subject, type, length and when it was stored', () => {
  const cache = new HeaderFactsCache();
  const facts = cache.add(
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
  assert.deepEqual(facts, {
    ...{ euid: 'u', time: 100, stored: 0x65f5e100, name: 'a b.ics', subject: 'é' },
    ...{ contentType: 'text/calendar; charset=utf-8', size: 345, object: undefined },
  });
  assert.equal(cache.of(ROW), facts);
});

it('a multipart that is stored with other line ends is as long as it was PUT', () => {
  const fields = headers(['Content-Type', 'multipart/mixed; boundary=b'], ['X-Vestibule-Lines', 'crlf 1234']);
  assert.equal(new HeaderFactsCache().add(ROW, fields).size, 1234);
});

it('another message under the same number is not taken for it', () => {
  const cache = new HeaderFactsCache();
  const facts = cache.add(ROW, []);
  assert.equal(cache.of({ ...ROW, euid: 'other' }), undefined);
  assert.equal(cache.of({ ...ROW, time: 101 }), undefined);
  assert.equal(cache.lastOf(5), facts);
  assert.equal(cache.lastOf(6), undefined);
});

it('what is learnt later is added, and what others hold does not change', () => {
  const cache = new HeaderFactsCache();
  const bare = cache.add(ROW, []);
  const sized = cache.set(5, { ...bare, size: 77 });
  const full = cache.set(5, { ...sized, object: { component: 'VEVENT', extent: undefined } });
  assert.deepEqual([bare.size, sized.size, full.size], [undefined, 77, 77]);
  assert.deepEqual([sized.object, full.object?.component], [undefined, 'VEVENT']);
  assert.equal(cache.of(ROW), full);
});

it(`so many are kept: ${MAX_STORED_TRAITS}, and one more costs one`, () => {
  const cache = new HeaderFactsCache();
  for (let msgnum = 1; msgnum <= MAX_STORED_TRAITS; msgnum++) cache.add({ ...ROW, msgnum }, []);
  assert.ok(cache.lastOf(1));
  cache.add({ ...ROW, msgnum: MAX_STORED_TRAITS + 1 }, []);
  const count = Array.from({ length: MAX_STORED_TRAITS + 1 }, (_, i) => cache.lastOf(i + 1)).filter(Boolean).length;
  assert.equal(count, MAX_STORED_TRAITS);
});

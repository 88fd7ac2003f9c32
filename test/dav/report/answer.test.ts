// The response of one member in a report.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Answered, isDataWanted, type RoomReportRequest, responsesTo } from '../../../src/dav/report/answer.ts';
import { readWanted } from '../../../src/dav/report/wanted.ts';
import { CachedObject } from '../../../src/gateway/collection/objects.ts';
import { REQUEST_TURN_MS } from '../../../src/limits/http.ts';
import { MAX_OCCURRENCES } from '../../../src/limits/mime.ts';
import type { Member } from '../../../src/room-server/collections.ts';
import { exchangeWith } from '../asking.ts';
import { VIEWER } from '../properties/told.ts';
import { xmlOf } from './bodies.ts';

const MEMBER = { msgnum: 7, name: 'a b.ics', euid: 'a', time: 0, contentType: 'text/calendar' } as Member;
const cached = (text: string) => new CachedObject(MEMBER, text);
const EVENT = (rule = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260101T000000Z\r\n${rule}END:VEVENT\r\n` +
  'END:VCALENDAR\r\n';
const wanted = (inner: string) => readWanted(xmlOf(`<C:calendar-query>${inner}</C:calendar-query>`));

async function told(inner: string, answered: Answered | string, headers: Record<string, string> = {}) {
  const question = {
    // without a room server: neither the data nor a tag is a reason to ask one
    context: { exchange: exchangeWith(headers) },
    room: { href: '/svc/r/Calendar/', collection: 'calendar', kind: 'room', displayName: 'Calendar' },
    viewer: VIEWER,
  } as unknown as RoomReportRequest;
  async function* batches() {
    yield [answered];
  }
  const found: string[] = [];
  for await (const batch of await responsesTo(question, wanted(inner), batches())) {
    found.push(...batch.map(({ text }) => text));
  }
  return found.join('');
}

describe('a response', () => {
  it('has the data of the object as it is stored, escaped once', async () => {
    const text = EVENT('SUMMARY:a & b\r\n');
    const response = await told('<D:prop><C:calendar-data/></D:prop>', { member: MEMBER, cached: cached(text) });
    assert.match(response, /^<D:response><D:href>\/svc\/r\/Calendar\/a%20b\.ics<\/D:href>/);
    assert.ok(
      response.includes(`<C:calendar-data>${text.replace('&', '&amp;').replaceAll('\r', '&#13;')}</C:calendar-data>`),
    );
  });

  it('is made in turns with other work, within one object too', async (t) => {
    let now = performance.now();
    t.mock.method(performance, 'now', () => ++now);
    let turns = 0;
    const others = (async () => {
      for (; turns < 1000; turns++) await setImmediate();
    })();
    const inner =
      '<D:prop><C:calendar-data><C:expand start="20260101T000000Z" end="20270101T000000Z"/></C:calendar-data></D:prop>';
    const response = await told(inner, { member: MEMBER, cached: cached(EVENT('RRULE:FREQ=DAILY;COUNT=100\r\n')) });
    assert.equal(response.match(/BEGIN:VEVENT/g)?.length, 100);
    // found, made and written: 300 steps, a clock that shows a millisecond more at each
    assert.ok(turns >= 300 / REQUEST_TURN_MS / 2, `${turns} turns of others`);
    turns = 1000;
    await others;
  });

  it('stands under the href that was asked, where there was one', async () => {
    const answered = { member: MEMBER, href: '/svc/r/Calendar/7' };
    assert.match(await told('<D:prop><D:getetag/></D:prop>', answered), /<D:href>\/svc\/r\/Calendar\/7<\/D:href>/);
  });

  it('is 404 for an href under which nothing is', async () => {
    assert.equal(
      await told('<D:prop><D:getetag/></D:prop>', '/svc/r/Calendar/gone'),
      '<D:response><D:href>/svc/r/Calendar/gone</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>',
    );
  });

  it('is 507 for an object of more instances than may be expanded, and has the others', async () => {
    const expand = '<C:expand start="20260101T000000Z" end="20270101T000000Z"/>';
    const asked = (count: number) => {
      const object = cached(EVENT(`RRULE:FREQ=SECONDLY;COUNT=${count}\r\n`));
      return told(`<D:prop><C:calendar-data>${expand}</C:calendar-data></D:prop>`, { member: MEMBER, cached: object });
    };
    assert.match(await asked(2), /DTSTART:20260101T000001Z/);
    assert.match(await asked(MAX_OCCURRENCES + 1), /507.*<D:number-of-matches-within-limits\/>/);
  });

  it('has no data of what was not read, which is told unless little is wanted', async () => {
    const inner = '<D:prop><C:calendar-data/></D:prop>';
    assert.match(await told(inner, { member: MEMBER }), /<C:calendar-data\/>.*404/);
    assert.doesNotMatch(await told(inner, { member: MEMBER }, { prefer: 'return=minimal' }), /404/);
  });
});

describe('the data of objects', () => {
  it('is wanted where the report names it', () => {
    const names = ['<C:calendar-data/>', '<CR:address-data/>', '<D:getetag/>'];
    assert.deepEqual(
      names.map((name) => isDataWanted(wanted(`<D:prop>${name}</D:prop>`))),
      [true, true, false],
    );
  });
});

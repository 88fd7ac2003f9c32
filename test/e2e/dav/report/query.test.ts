// calendar-query and addressbook-query: the members that pass a filter.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, newCalendar } = await startDavWorld({ after });
const calendar = await newCalendar();
for (const [uid, day] of [
  ['a', '20260110'],
  ['b', '20260111'],
] as const) {
  assert.equal((await alice('PUT', `${calendar}/${uid}.ics`, CALENDAR_TYPE, eventOn(uid, day))).status, 201);
}
const query = (inner: string, path = `${calendar}/`, headers: Record<string, string> = { depth: '1' }) => {
  const filter = `<C:filter><C:comp-filter name="VCALENDAR">${inner}</C:comp-filter></C:filter>`;
  return alice('REPORT', path, headers, `<C:calendar-query><D:prop><D:getetag/></D:prop>${filter}</C:calendar-query>`);
};
const names = async (...asked: Parameters<typeof query>) =>
  hrefsIn(await query(...asked))
    .map((href) => href.split('/').at(-1))
    .sort();
const EVENTS = '<C:comp-filter name="VEVENT"/>';

it('A kind of component is enough to decide, one that is not there as well', async () => {
  assert.deepEqual(await names(EVENTS), ['a.ics', 'b.ics']);
  assert.deepEqual(await names(''), ['a.ics', 'b.ics']);
  assert.deepEqual(await names('<C:comp-filter name="VTODO"/>'), []);
  const none = '<C:comp-filter name="VTODO"><C:is-not-defined/></C:comp-filter>';
  assert.deepEqual(await names(none), ['a.ics', 'b.ics']);
});

it('A range is of those that take place in it, also what was put since', async () => {
  const range = '<C:time-range start="20260111T000000Z" end="20260112T000000Z"/>';
  const filter = `<C:comp-filter name="VEVENT">${range}</C:comp-filter>`;
  assert.deepEqual(await names(filter), ['b.ics']);
  assert.equal((await alice('PUT', `${calendar}/c.ics`, CALENDAR_TYPE, eventOn('c', '20260111'))).status, 201);
  assert.deepEqual(await names(filter), ['b.ics', 'c.ics']);
  assert.equal((await alice('DELETE', `${calendar}/c.ics`)).status, 204);
  assert.deepEqual(await names(filter), ['b.ics']);
});

it('Depth 0 is of the calendar, which is no object; an object is asked by itself', async () => {
  assert.deepEqual(await names(EVENTS, `${calendar}/`, { depth: '0' }), []);
  assert.deepEqual(await names(EVENTS, `${calendar}/`, {}), ['a.ics', 'b.ics']);
  assert.deepEqual(await names(EVENTS, `${calendar}/a.ics`, { depth: '0' }), ['a.ics']);
});

it('A limit of contacts cuts the answer, which says so', async () => {
  for (const uid of ['x', 'y']) {
    const card = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${uid}`, 'END:VCARD', ''].join('\r\n');
    const type = { 'content-type': 'text/vcard; charset=utf-8' };
    assert.equal((await alice('PUT', `r/Contacts/${uid}.vcf`, type, card)).status, 201);
  }
  const limited = async (count: number) => {
    const filter =
      '<CR:filter test="anyof"><CR:prop-filter name="FN"><CR:text-match match-type="equals">x</CR:text-match>' +
      '<CR:text-match match-type="equals">y</CR:text-match></CR:prop-filter></CR:filter>';
    const limit = `<CR:limit><CR:nresults>${count}</CR:nresults></CR:limit>`;
    const body = `<CR:addressbook-query><D:prop><D:getetag/></D:prop>${filter}${limit}</CR:addressbook-query>`;
    const told = await alice('REPORT', 'r/Contacts/', { depth: '1' }, body);
    return [hrefsIn(told).length, told.text.includes('number-of-matches-within-limits')];
  };
  assert.deepEqual(await limited(2), [2, false]);
  assert.deepEqual(await limited(1), [2, true], 'one of them, and that there are more');
});

// Live properties of scheduling (RFC 6638 sections 2 and 9).

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { elementMaker, isProtected, needsOfProperty } from '../../../src/dav/properties/registry.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { MAX_ATTENDEES } from '../../../src/limits/mime.ts';
import { resource, told, VIEWER } from './told.ts';

it('The caller’s own principal tells where inbox and outbox are, and nobody else’s', () => {
  const own = { kind: 'principal', isOwn: true } as const;
  const at = (name: string) => `<C:${name}><D:href>/svc/u/alice/${name.split('-')[1]}/</D:href></C:${name}>`;
  for (const name of ['schedule-inbox-URL', 'schedule-outbox-URL']) {
    assert.equal(told(`C:${name}`, own), at(name));
    assert.equal(told(`C:${name}`, { kind: 'principal' }), undefined);
    assert.equal(told(`C:${name}`, { kind: 'room', isOwn: true }), undefined);
  }
});

it('The inbox tells which calendar is meant where none is named (RFC 6638 section 9.2)', () => {
  assert.equal(
    told('C:schedule-default-calendar-URL', { kind: 'inbox', defaultCalendar: '/svc/r/Work/' }),
    '<C:schedule-default-calendar-URL><D:href>/svc/r/Work/</D:href></C:schedule-default-calendar-URL>',
  );
  assert.equal(needsOfProperty(expandedName('C:schedule-default-calendar-URL'))[0], 'defaultCalendar');
  assert.match(told('C:calendar-free-busy-set', { kind: 'inbox' })!, /<D:href>\/svc\/r\/Calendar\/<\/D:href>/);
  assert.equal(told('C:schedule-default-calendar-URL', { kind: 'outbox' }), undefined);
});

it('A calendar counts for busy times unless a client has said otherwise', () => {
  const calendar = { kind: 'room', collection: 'calendar' } as const;
  const name = expandedName('C:schedule-calendar-transp');
  assert.match(told('C:schedule-calendar-transp', calendar)!, /<C:opaque\/>/);
  const set = element('C:schedule-calendar-transp', element('C:transparent'));
  const dead = new Map([[`{${name.namespace}}${name.name}`, set]]);
  assert.equal(elementMaker(name, VIEWER)(resource({ ...calendar, dead })), set);
  assert.equal(isProtected(name, resource(calendar)), false);
  assert.equal(told('C:schedule-calendar-transp', { kind: 'room', collection: 'addressbook' }), undefined);
});

it('A calendar tells how many may be invited, an invitation its tag', () => {
  assert.equal(
    told('C:max-attendees-per-instance', { kind: 'room', collection: 'calendar' }),
    `<C:max-attendees-per-instance>${MAX_ATTENDEES}</C:max-attendees-per-instance>`,
  );
  assert.equal(told('C:schedule-tag', { scheduleTag: '"7-1"' }), '<C:schedule-tag>"7-1"</C:schedule-tag>');
  assert.equal(told('C:schedule-tag', {}), undefined);
  assert.deepEqual(needsOfProperty(expandedName('C:schedule-tag')), ['scheduleTag']);
});

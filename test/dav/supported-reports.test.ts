// Which reports a resource answers.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { supportedReports } from '../../src/dav/properties/webdav.ts';
import type { Resource } from '../../src/dav/resource.ts';

const reports = (kind: Resource['kind'], collection?: Resource['collection']) =>
  supportedReports({ kind, collection })
    .map(({ name }) => name)
    .sort();
const EVERYWHERE = ['expand-property', 'principal-property-search', 'principal-search-property-set'];

it('Every resource answers what any may be asked', () => {
  for (const kind of ['root', 'principal', 'outbox', 'folder', 'member'] as const) {
    assert.deepEqual(reports(kind), EVERYWHERE, kind);
  }
  assert.deepEqual(reports('principals'), [...EVERYWHERE, 'principal-match'].sort());
});

it('A room answers sync-collection, and what its kind is queried by', () => {
  assert.deepEqual(reports('room', 'messages'), [...EVERYWHERE, 'sync-collection']);
  for (const kind of ['calendar', 'tasks'] as const) {
    const queries = ['calendar-multiget', 'calendar-query', 'free-busy-query'];
    assert.deepEqual(reports('room', kind), [...EVERYWHERE, 'sync-collection', ...queries].sort());
  }
  const cards = ['addressbook-multiget', 'addressbook-query'];
  assert.deepEqual(reports('room', 'addressbook'), [...EVERYWHERE, 'sync-collection', ...cards].sort());
});

it('The home answers sync-collection, and the queries of all that is below', () => {
  const queries = ['calendar-multiget', 'calendar-query', 'free-busy-query'];
  const cards = ['addressbook-multiget', 'addressbook-query'];
  assert.deepEqual(reports('home'), [...EVERYWHERE, 'sync-collection', ...queries, ...cards].sort());
});

it('An object answers the queries of its room, and no sync', () => {
  assert.deepEqual(reports('member', 'calendar'), ['calendar-multiget', 'calendar-query', ...EVERYWHERE]);
  assert.deepEqual(reports('member', 'addressbook'), ['addressbook-multiget', 'addressbook-query', ...EVERYWHERE]);
  assert.deepEqual(reports('inbox'), ['calendar-multiget', 'calendar-query', ...EVERYWHERE, 'sync-collection']);
});

// Reports that look for people.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, bob } = await startDavWorld({ after });
const searchFor = (text: string, type = 'contains', property = '<D:displayname/>') => {
  const match = `<D:match match-type="${type}">${text}</D:match>`;
  return `<D:property-search><D:prop>${property}</D:prop>${match}</D:property-search>`;
};
const search = (inner: string, attributes = '', as = alice) => {
  const wanted = '<D:prop><D:displayname/></D:prop>';
  const body = `<D:principal-property-search${attributes}>${inner}${wanted}</D:principal-property-search>`;
  return as('REPORT', 'u/', { depth: '0' }, body);
};
const found = async (...asked: Parameters<typeof search>) =>
  hrefsIn(await search(...asked))
    .map((href) => href.split('/')[3])
    .sort();

it('Users are found by their name, as the kind of match says, in any case of letters', async () => {
  assert.deepEqual(await found(searchFor('LIC')), ['alice']);
  assert.deepEqual(await found(searchFor('li', 'starts-with')), []);
  assert.deepEqual(await found(searchFor('al', 'starts-with')), ['alice']);
  assert.deepEqual(await found(searchFor('ob', 'ends-with')), ['bob']);
  assert.deepEqual(await found(searchFor('bo', 'equals')), []);
});

it('All tests are to hold, or any, and each in all of its properties', async () => {
  const both = searchFor('alice') + searchFor('bob');
  assert.deepEqual(await found(both), []);
  assert.deepEqual(await found(both, ' test="anyof"'), ['alice', 'bob']);
  assert.deepEqual(await found(searchFor('alice', 'contains', '<D:displayname/><D:getetag/>')), []);
});

it('An address is found in one’s own only', async () => {
  const address = searchFor('alice@', 'contains', '<C:calendar-user-address-set/>');
  assert.deepEqual(await found(address), ['alice']);
  assert.deepEqual(await found(address, '', bob), []);
});

it('Who looks for nothing is refused, and who looks for himself is found', async () => {
  assert.equal((await search('')).status, 400);
  assert.equal((await search('<D:property-search><D:prop/></D:property-search>')).status, 400);
  const match = (inner: string) =>
    alice('REPORT', 'u/', { depth: '0' }, `<D:principal-match>${inner}</D:principal-match>`);
  assert.deepEqual(hrefsIn(await match('<D:self/>')), ['/svc/u/alice/']);
  assert.equal((await match('<D:principal-property><D:owner/></D:principal-property>')).status, 400);
});

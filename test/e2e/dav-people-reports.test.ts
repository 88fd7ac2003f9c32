// Reports that every resource answers: expand-property (RFC 3253 section 3.8), and those that look for people
// (RFC 3744 sections 9.3 to 9.5). Documents are compared whole.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_EXPANDED_RESOURCES, MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../src/limits/dav.ts';
import { startGateway } from '../support/gateway.ts';
import { condition, multistatus, report, responseOf, toldReport } from '../support/reports.ts';

const gateway = await startGateway({ after }, { users: ['carol', 'dave'].map((name) => ({ name, password: name })) });
const carol = gateway.as('carol');
const ask = async (path: string, body: string) => toldReport(await report(carol, path, body, { depth: '0' }));
const property = (name: string, inner = '', namespace = 'DAV:') =>
  `<D:property name="${name}" namespace="${namespace}">${inner}</D:property>`;
const CALDAV = 'urn:ietf:params:xml:ns:caldav';
const named = (name: string) => `<D:displayname>${name}</D:displayname>`;
const principal = (name: string) => responseOf(`/svc/u/${name}/`, named(name));

describe('expand-property', () => {
  const expand = (path: string, inner: string) => ask(path, `<D:expand-property>${inner}</D:expand-property>`);

  it('shows properties of what a property names, to any depth', async () => {
    const inner = property('displayname') + property('current-user-principal', property('displayname'));
    const answer = await expand('u/carol/', property('calendar-home-set', inner, CALDAV) + property('displayname'));
    const home = responseOf(
      '/svc/r/',
      named('Rooms'),
      `<D:current-user-principal>${principal('carol')}</D:current-user-principal>`,
    );
    const homes = `<C:calendar-home-set>${home}</C:calendar-home-set>`;
    assert.deepEqual(answer, multistatus(responseOf('/svc/u/carol/', homes, named('carol'))));
  });

  it('works on rooms, the home and the root, and leaves alone what names nothing', async () => {
    const owner = property('owner', property('displayname'));
    assert.deepEqual(
      await expand('r/Calendar/', owner + property('displayname', property('displayname'))),
      multistatus(responseOf('/svc/r/Calendar/', `<D:owner>${principal('carol')}</D:owner>`, named('Calendar'))),
    );
    for (const path of ['/', '/svc/', 'r/', 'u/', 'u/dave/']) {
      const [status, text] = await expand(path, property('current-user-principal', property('displayname')));
      assert.equal(status, 207, path);
      assert.ok(text.includes(`<D:current-user-principal>${principal('carol')}`), text);
    }
  });

  it('tells what is missing, and what is not to be found', async () => {
    const [, text] = await expand('u/carol/', property('none'));
    assert.match(text, /<D:prop><D:none\/><\/D:prop><D:status>HTTP\/1.1 404/);
    const addresses = property('calendar-user-address-set', property('displayname'), CALDAV);
    const [, expanded] = await expand('u/carol/', addresses);
    assert.ok(expanded.includes(principal('carol')), expanded);
    assert.match(expanded, /<D:href>mailto:carol@[^<]*<\/D:href><D:status>HTTP\/1.1 404/);
  });

  it('shows a bounded number of resources', async () => {
    // an address of carol's, and her own
    const two = property('calendar-user-address-set', property('displayname'), CALDAV);
    const most = two.repeat(MAX_EXPANDED_RESOURCES / 2);
    assert.equal((await expand('u/carol/', most))[0], 207);
    const more = most + property('current-user-principal', property('displayname'));
    assert.deepEqual(await expand('u/carol/', more), condition('D:number-of-matches-within-limits'));
  });
});

describe('principal-property-search', () => {
  const search = (inner: string, attributes = '') =>
    ask(
      'u/',
      `<D:principal-property-search${attributes}>${inner}<D:prop><D:displayname/></D:prop>` +
        '</D:principal-property-search>',
    );
  const match = (name: string, text: string, attributes = '') =>
    `<D:property-search><D:prop><${name}/></D:prop><D:match${attributes}>${text}</D:match></D:property-search>`;
  const address = 'C:calendar-user-address-set';

  it('finds users by a part of their name', async () => {
    assert.deepEqual(await search(match('D:displayname', 'AR')), multistatus(principal('carol')));
    assert.deepEqual(
      await search(match('D:displayname', 'a')),
      multistatus(...['admin', 'carol', 'dave'].map(principal)),
    );
    assert.deepEqual(
      await search(match('D:displayname', 'a', ' match-type="starts-with"')),
      multistatus(principal('admin')),
    );
    assert.deepEqual(await search(match('D:displayname', 'nobody')), multistatus());
  });

  it('finds oneself by an address, but nobody else', async () => {
    assert.deepEqual(await search(match(address, 'mailto:carol@')), multistatus(principal('carol')));
    assert.deepEqual(await search(match(address, 'dave@')), multistatus());
  });

  it('finds what passes all tests, or any', async () => {
    const both = match('D:displayname', 'dave') + match(address, 'carol@');
    assert.deepEqual(await search(both), multistatus());
    assert.deepEqual(await search(both, ' test="anyof"'), multistatus(principal('carol'), principal('dave')));
  });

  it('is bounded, and says what it looks for', async () => {
    assert.equal((await search(match('D:displayname', 'a').repeat(MAX_FILTER_ELEMENTS)))[0], 207);
    assert.equal((await search(match('D:displayname', 'a').repeat(MAX_FILTER_ELEMENTS + 1)))[0], 400);
    assert.equal((await search(match('D:displayname', 'a'.repeat(MAX_MATCH_TEXT_CHARACTERS))))[0], 207);
    assert.equal((await search(match('D:displayname', 'a'.repeat(MAX_MATCH_TEXT_CHARACTERS + 1))))[0], 400);
    assert.equal((await search(''))[0], 400);
    assert.equal((await search('<D:property-search/>'))[0], 400);
  });

  it('tells what can be looked for', async () => {
    const [status, text] = await ask('u/', '<D:principal-search-property-set/>');
    assert.equal(status, 200);
    for (const name of ['D:displayname', address]) assert.ok(text.includes(`<D:prop><${name}/></D:prop>`), text);
  });
});

describe('principal-match', () => {
  it('finds oneself among the principals', async () => {
    const body = '<D:principal-match><D:self/><D:prop><D:displayname/></D:prop></D:principal-match>';
    assert.deepEqual(await ask('u/', body), multistatus(principal('carol')));
    assert.deepEqual(await ask('r/', body), condition('D:supported-report'));
    assert.equal((await ask('u/', '<D:principal-match/>'))[0], 400);
  });
});

describe('reports around the rooms', () => {
  it('are refused where nothing is, and to nobody', async () => {
    assert.equal((await ask('u/nobody/', '<D:expand-property/>'))[0], 404);
    assert.equal((await report(gateway.api, 'u/', '<D:principal-search-property-set/>')).status, 401);
    for (const path of ['/', 'u/', 'u/carol/']) {
      const sync = '<D:sync-collection><D:sync-token/></D:sync-collection>';
      assert.deepEqual(await ask(path, sync), condition('D:supported-report'), path);
    }
    assert.deepEqual(gateway.faults, []);
  });
});

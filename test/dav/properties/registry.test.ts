// The live properties of each kind of resource (RFC 4918 section 15, RFC 3744, RFC 4791, RFC 6352).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ALLPROP_PROPERTIES,
  elementMaker,
  isProtected,
  needOf,
  propertyNamesOf,
} from '../../../src/dav/properties/registry.ts';
import type { Resource } from '../../../src/dav/resource.ts';
import { CALDAV_NAMESPACE, element, expandedName } from '../../../src/dav/xml-write.ts';
import { PRIVILEGE } from '../../../src/gateway/rights.ts';

const SUPPORTED_LOCK = `<D:supportedlock>${['exclusive', 'shared']
  .map(
    (scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('')}</D:supportedlock>`;
const VIEWER = { prefix: '/svc/', principal: '/svc/u/alice/', maxResourceSize: 1000 };
const resource = (facts: Partial<Resource>): Resource => ({ kind: 'member', href: '/', displayName: 'n', ...facts });
const told = (prefixed: string, facts: Partial<Resource>) =>
  elementMaker(expandedName(prefixed), VIEWER)(resource(facts))?.text;
const namesOf = (facts: Partial<Resource>) => propertyNamesOf(resource(facts), VIEWER).map(({ name }) => name);

describe('live properties', () => {
  const tell = (facts: Partial<Resource>) =>
    ALLPROP_PROPERTIES.map((property) => elementMaker(property, VIEWER)(resource(facts))?.text).filter(
      (text) => text !== undefined,
    );

  it('of a message, as allprop gives them', () => {
    const facts = { created: 0, modified: 951782400, contentType: 'text/plain', length: 0, etag: '"7"' };
    assert.deepEqual(tell(facts), [
      '<D:resourcetype/>',
      '<D:displayname>n</D:displayname>',
      '<D:getcontentlength>0</D:getcontentlength>',
      '<D:getcontenttype>text/plain</D:getcontenttype>',
      '<D:getetag>"7"</D:getetag>',
      '<D:getlastmodified>Tue, 29 Feb 2000 00:00:00 GMT</D:getlastmodified>',
      '<D:creationdate>1970-01-01T00:00:00Z</D:creationdate>',
      SUPPORTED_LOCK,
      '<D:lockdiscovery/>',
    ]);
  });

  it('of a room, which has no length, no type and no ETag', () => {
    assert.deepEqual(tell({ kind: 'room', collection: 'messages' }), [
      '<D:resourcetype><D:collection/></D:resourcetype>',
      '<D:displayname>n</D:displayname>',
      SUPPORTED_LOCK,
      '<D:lockdiscovery/>',
    ]);
  });

  it('tell what kind of resource it is', () => {
    const type = (facts: Partial<Resource>) => told('D:resourcetype', facts)?.replace(/<(\/?)D:resourcetype>/g, '');
    assert.equal(type({ kind: 'room', collection: 'calendar' }), '<D:collection/><C:calendar/>');
    assert.equal(type({ kind: 'room', collection: 'tasks' }), '<D:collection/><C:calendar/>');
    assert.equal(type({ kind: 'room', collection: 'addressbook' }), '<D:collection/><CR:addressbook/>');
    assert.equal(type({ kind: 'room', collection: 'files' }), '<D:collection/>');
    assert.equal(type({ kind: 'folder', collection: 'files' }), '<D:collection/>');
    assert.equal(type({ kind: 'principal' }), '<D:collection/><D:principal/>');
    assert.equal(type({ kind: 'inbox' }), '<D:collection/><C:schedule-inbox/>');
    assert.equal(type({ kind: 'home' }), '<D:collection/>');
    assert.equal(type({ kind: 'member', collection: 'calendar' }), '<D:resourcetype/>');
  });

  it('lead from anywhere to the homes of the caller, and tell nobody else’s', () => {
    for (const kind of ['root', 'home', 'principals', 'principal', 'inbox', 'room', 'folder', 'member'] as const) {
      assert.equal(
        told('D:current-user-principal', { kind }),
        '<D:current-user-principal><D:href>/svc/u/alice/</D:href></D:current-user-principal>',
      );
    }
    const own = { kind: 'principal', href: '/svc/u/alice/', isOwn: true, addresses: ['alice@example.org'] } as const;
    assert.equal(
      told('C:calendar-home-set', own),
      '<C:calendar-home-set><D:href>/svc/r/</D:href></C:calendar-home-set>',
    );
    assert.equal(
      told('CR:addressbook-home-set', own),
      '<CR:addressbook-home-set><D:href>/svc/r/</D:href></CR:addressbook-home-set>',
    );
    assert.equal(
      told('C:calendar-user-address-set', own),
      '<C:calendar-user-address-set><D:href>mailto:alice@example.org</D:href><D:href>/svc/u/alice/</D:href>' +
        '</C:calendar-user-address-set>',
    );
    assert.equal(told('C:calendar-home-set', { ...own, isOwn: false }), undefined);
    assert.equal(told('C:calendar-home-set', { kind: 'room', collection: 'calendar' }), undefined);
  });

  it('name the component that a calendar takes, and the data', () => {
    const components = (collection: 'calendar' | 'tasks' | 'addressbook') =>
      told('C:supported-calendar-component-set', { kind: 'room', collection });
    const set = (name: string) =>
      `<C:supported-calendar-component-set><C:comp name="${name}"/></C:supported-calendar-component-set>`;
    assert.equal(components('calendar'), set('VEVENT'));
    assert.equal(components('tasks'), set('VTODO'));
    assert.equal(components('addressbook'), undefined);
    assert.match(told('CR:supported-address-data', { kind: 'room', collection: 'addressbook' })!, /text\/vcard/);
    assert.equal(
      told('C:max-resource-size', { kind: 'room', collection: 'tasks' }),
      '<C:max-resource-size>1000</C:max-resource-size>',
    );
  });

  it('list reports in the form of RFC 3253 section 3.1.5, those of the kind', () => {
    const set = told('D:supported-report-set', { kind: 'room', collection: 'calendar' })!;
    assert.ok(
      set.includes('<D:supported-report><D:report><C:calendar-multiget/></D:report></D:supported-report>'),
      set,
    );
    assert.ok(set.includes('<D:sync-collection/>'));
    assert.doesNotMatch(set, /addressbook/);
    assert.match(told('D:supported-report-set', { kind: 'room', collection: 'addressbook' })!, /addressbook-query/);
    assert.doesNotMatch(told('D:supported-report-set', { kind: 'principal' })!, /sync-collection/);
  });

  it('tell the privileges of the caller, those that contain others too', () => {
    const told2 = told('D:current-user-privilege-set', { kind: 'room', privileges: PRIVILEGE.read | PRIVILEGE.write })!;
    for (const name of ['read', 'write', 'write-content', 'write-properties', 'bind', 'unbind', 'unlock']) {
      assert.ok(told2.includes(`<D:privilege><D:${name}/></D:privilege>`), name);
    }
    const mayAdd = told('D:current-user-privilege-set', { privileges: PRIVILEGE.read | PRIVILEGE.bind })!;
    assert.doesNotMatch(mayAdd, /write/);
    assert.equal(told('D:current-user-privilege-set', {}), undefined);
  });

  it('tell getctag and sync-token, a long token by a digest', () => {
    const room = (token: string) => told('CS:getctag', { kind: 'room', token });
    assert.equal(room('data:,1-2'), '<CS:getctag>data:,1-2</CS:getctag>');
    assert.equal(room('x'.repeat(100)), `<CS:getctag>${'x'.repeat(100)}</CS:getctag>`);
    assert.match(room('x'.repeat(101))!, /^<CS:getctag>[0-9a-f]{64}<\/CS:getctag>$/);
    assert.equal(
      told('D:sync-token', { kind: 'room', token: 'x'.repeat(101) }),
      `<D:sync-token>${'x'.repeat(101)}</D:sync-token>`,
    );
  });

  it('are those of their namespaces only', () => {
    assert.equal(elementMaker({ namespace: 'u', name: 'displayname' }, VIEWER)(resource({})), undefined);
    assert.equal(elementMaker({ namespace: 'DAV:', name: 'constructor' }, VIEWER)(resource({})), undefined);
    assert.equal(isProtected({ namespace: CALDAV_NAMESPACE, name: 'supported-calendar-component-set' }), true);
    assert.equal(isProtected({ namespace: 'DAV:', name: 'displayname' }), false);
    assert.equal(isProtected({ namespace: 'u', name: 'getetag' }), false);
  });
});

describe('what clients have set', () => {
  const kept = new Map([
    ['{DAV:}displayname', element('D:displayname', 'mine')],
    ['{DAV:}getetag', element('D:getetag', 'forged')],
    ['{urn:x}y', element('D:y', 'z')],
  ]);

  it('stands for what the server would tell, but not for what is protected', () => {
    assert.equal(told('D:displayname', { kept }), '<D:displayname>mine</D:displayname>');
    assert.equal(told('D:getetag', { kept, etag: '"1"' }), '<D:getetag>"1"</D:getetag>');
    assert.equal(elementMaker({ namespace: 'urn:x', name: 'y' }, VIEWER)(resource({ kept }))?.text, '<D:y>z</D:y>');
    assert.equal(needOf({ namespace: 'urn:x', name: 'y' }), 'kept');
    assert.equal(needOf({ namespace: 'DAV:', name: 'getetag' }), undefined);
  });

  it('is among the names, each once', () => {
    const names = namesOf({ kept, etag: '"1"' });
    assert.equal(names.filter((name) => name === 'displayname').length, 1);
    assert.ok(names.includes('y'));
    assert.ok(namesOf({ kind: 'room', collection: 'calendar' }).includes('sync-token'));
    assert.equal(namesOf({ kind: 'room', collection: 'calendar' }).includes('calendar-color'), false);
  });
});

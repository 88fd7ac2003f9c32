// The response of a resource: the properties that it has, and those of the wanted that it has not. Those of a kept list
// are made once: of the same members, for the same question, and never with what one caller may see and another not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchDescriber, describer, isMinimalWanted, needsOf, type WantedProperties } from '../../src/dav/describer.ts';
import { ALLPROP_PROPERTIES, isOfMemberAlone } from '../../src/dav/properties/registry.ts';
import { type PropertyName, propertyKey, type Resource } from '../../src/dav/resource.ts';
import { expandedName } from '../../src/dav/xml-read.ts';
import { element } from '../../src/dav/xml-write.ts';
import { exchangeWith } from './asking.ts';
import { resource, VIEWER } from './properties/told.ts';

const some = (...names: string[]): WantedProperties => ({ kind: 'some', properties: names.map(expandedName) });
const X: PropertyName = { namespace: 'urn:x', name: 'y' };
const KEPT = new Map([[propertyKey(X), element('D:y', 'set')]]);
const MEMBER = resource({ href: '/a', etag: '"1"' });
/** `200 D:getetag, 404 D:getcontentlength` */
const told = (text: string) =>
  [...text.matchAll(/<D:prop>(.*?)<\/D:prop><D:status>HTTP\/1\.1 (\d+)/g)].map(
    ([, properties = '', status]) =>
      `${status} ${[...properties.matchAll(/<([A-Za-z]+:[\w-]+)[ />][^<]*/g)].map(([, name]) => name).join(' ')}`,
  );

describe('a response', () => {
  it('has what was asked for, found or missing', () => {
    const describeOne = describer(some('D:getetag', 'D:getcontentlength', 'D:getetag'), VIEWER);
    assert.equal(
      describeOne(MEMBER).text,
      '<D:response><D:href>/a</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag></D:prop>' +
        '<D:status>HTTP/1.1 200 OK</D:status></D:propstat><D:propstat><D:prop><D:getcontentlength/></D:prop>' +
        '<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>',
    );
  });

  it('leaves out what is missing where the client wants little', () => {
    const describeOne = describer(some('D:getetag', 'D:getcontentlength'), VIEWER, { isMinimal: true });
    assert.deepEqual(told(describeOne(MEMBER).text), ['200 D:getetag']);
    assert.deepEqual(told(describer(some('C:calendar-data'), VIEWER, { isMinimal: true })(MEMBER).text), []);
  });

  it('has all that allprop gives, what clients have set, and what was included, missing or not', () => {
    const all = describer({ kind: 'all', include: [expandedName('D:owner'), X] }, VIEWER);
    const [found, missing] = told(all({ ...MEMBER, dead: KEPT }).text);
    assert.match(found!, /^200 D:resourcetype D:displayname D:getetag/);
    assert.equal(found!.match(/D:y/g)?.length, 1, 'once');
    assert.equal(missing, '404 D:owner', 'nothing of allprop is told as missing');
  });

  it('has names without values where names are asked for', () => {
    const { text } = describer({ kind: 'names' }, VIEWER)({ ...MEMBER, dead: KEPT });
    assert.match(text, /<D:getetag\/>/);
    assert.match(text, /<x:y xmlns:x="urn:x"\/>/);
    assert.doesNotMatch(text, /"1"|>set<|404/);
  });

  it('has the properties of a report in place of those of the same name', () => {
    const makers = new Map([['{urn:x}y', () => element('D:y', 'made')]]);
    const { text } = describer({ kind: 'some', properties: [X] }, VIEWER, { makers })({ ...MEMBER, dead: KEPT });
    assert.match(text, />made</);
    assert.doesNotMatch(text, /set/);
  });
});

describe('what has to be asked for', () => {
  const needs = (wanted: WantedProperties) => [...needsOf(wanted)].sort();

  it('is what the wanted properties are made from', () => {
    assert.deepEqual(needs(some('D:getetag', 'D:resourcetype')), []);
    assert.deepEqual(needs(some('D:getcontentlength', 'CS:getctag', 'D:sync-token')), ['length', 'token']);
    assert.deepEqual(needs({ kind: 'some', properties: [X] }), ['dead', 'kept']);
    assert.deepEqual(needs({ kind: 'names' }), ['dead', 'kept']);
  });

  it('is all that allprop gives, but no more than that', () => {
    const all = needs({ kind: 'all', include: [] });
    assert.ok(all.includes('dead') && all.includes('length') && all.includes('locks'));
    assert.ok(!all.includes('token'), 'a list of the room for each');
    assert.ok(needs({ kind: 'all', include: [expandedName('CS:getctag')] }).includes('token'));
  });
});

describe('a small answer', () => {
  it('is wanted with Prefer, and with Brief', () => {
    for (const headers of [{ prefer: 'return=minimal' }, { prefer: 'x; a, Return=Minimal' }, { brief: ' T ' }]) {
      assert.equal(isMinimalWanted(exchangeWith(headers)), true, JSON.stringify(headers));
    }
    for (const headers of [{}, { prefer: 'return=representation' }, { prefer: 'return=minimally' }, { brief: 'f' }]) {
      assert.equal(isMinimalWanted(exchangeWith(headers)), false, JSON.stringify(headers));
    }
  });
});

function resourcesIn(href: string, more: Partial<Resource> = {}): Resource[] {
  return ['1', '2'].map((name) => ({
    kind: 'member',
    href: `${href}${name}`,
    displayName: name,
    collection: 'calendar',
    contentType: 'text/calendar',
    etag: `"${name}"`,
    ...more,
  }));
}

/** How often a resource is described, and the text, when batches are asked for. */
function asker() {
  const asked = { count: 0 };
  const ask = (wanted: WantedProperties, href: string, members: object, more?: Partial<Resource>): string => {
    const each = describer(wanted, VIEWER);
    const describeBatch = batchDescriber(wanted, href, (resource) => {
      asked.count++;
      return each(resource);
    });
    const made = describeBatch({ resources: resourcesIn(href, more), members });
    return Array.from(made, ({ text }) => text).join('\n');
  };
  return { asked, ask };
}

const ETAGS = some('D:getetag', 'D:getcontenttype');

describe('responses of cached members', () => {
  it('are made once for the same question', () => {
    const { asked, ask } = asker();
    const members: object = [];
    const first = ask(ETAGS, '/a/', members);
    assert.equal(ask(ETAGS, '/a/', members), first);
    assert.equal(asked.count, 2);
    assert.equal(ask(ETAGS, '/a/', []), first);
    assert.equal(asked.count, 4);
  });

  it('are those of the address and the properties that are asked for', () => {
    const { ask } = asker();
    const members: object = [];
    for (const _ of [1, 2]) {
      assert.match(ask(ETAGS, '/a/', members), /<D:href>\/a\/2<.*<D:getcontenttype>/);
      assert.match(ask(ETAGS, '/b/', members), /<D:href>\/b\/2<.*<D:getcontenttype>/);
      assert.doesNotMatch(ask(some('D:getetag'), '/b/', members), /getcontenttype/);
    }
  });

  it('are made anew for what callers have set, what they may do, and what is locked', () => {
    const dead = (value: string) => new Map([['{DAV:}displayname', element('D:displayname', value)]]);
    const { ask } = asker();
    const members: object = [];
    for (const value of ['one', 'two']) {
      assert.match(ask(some('D:displayname'), '/a/', members, { dead: dead(value) }), new RegExp(value));
      const locks = element('D:lockdiscovery', value);
      assert.match(ask(some('D:lockdiscovery'), '/a/', members, { locks }), new RegExp(value));
    }
    const [reader, writer] = [1, 127].map((privileges) =>
      ask(some('D:current-user-privilege-set'), '/a/', members, { privileges }),
    );
    assert.notEqual(reader, writer);
  });

  it('hold no property but those that a member alone tells', () => {
    const alone = ALLPROP_PROPERTIES.filter(isOfMemberAlone).map(({ name }) => name);
    assert.deepEqual(alone.sort(), [
      ...['creationdate', 'getcontentlength', 'getcontenttype', 'getetag', 'getlastmodified', 'resourcetype'],
    ]);
    const others = ['displayname', 'owner', 'current-user-principal', 'current-user-privilege-set', 'lockdiscovery'];
    for (const name of others) assert.equal(isOfMemberAlone(expandedName(`D:${name}`)), false, name);
  });
});

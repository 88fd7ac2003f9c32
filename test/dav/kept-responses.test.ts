// Responses that are not made anew: only of the same members, for the same question, and never what one caller may see
// and another not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchDescriber, describer } from '../../src/dav/describer.ts';
import { ALLPROP_PROPERTIES, isOfMemberAlone } from '../../src/dav/properties/registry.ts';
import type { WantedProperties } from '../../src/dav/propfind-body.ts';
import type { Resource } from '../../src/dav/resource.ts';
import { DAV_NAMESPACE, element } from '../../src/dav/xml-write.ts';

const viewer = { prefix: '/svc/', principal: '/svc/u/ann/', maxResourceSize: 1 };

function wanting(...names: string[]): WantedProperties {
  return { kind: 'some', properties: names.map((name) => ({ namespace: DAV_NAMESPACE, name })) };
}

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
    const each = describer(wanted, viewer);
    const describeBatch = batchDescriber(wanted, href, (resource) => {
      asked.count++;
      return each(resource);
    });
    const made = describeBatch({ resources: resourcesIn(href, more), members });
    return Array.from(made, ({ text }) => text).join('\n');
  };
  return { asked, ask };
}

const ETAGS = wanting('getetag', 'getcontenttype');

describe('responses of members that are kept', () => {
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
      assert.doesNotMatch(ask(wanting('getetag'), '/b/', members), /getcontenttype/);
    }
  });

  it('are made anew for what callers have set, what they may do, and what is locked', () => {
    const kept = (value: string) => new Map([['{DAV:}displayname', element('D:displayname', value)]]);
    const { ask } = asker();
    const members: object = [];
    for (const value of ['one', 'two']) {
      assert.match(ask(wanting('displayname'), '/a/', members, { kept: kept(value) }), new RegExp(value));
      const locks = element('D:lockdiscovery', value);
      assert.match(ask(wanting('lockdiscovery'), '/a/', members, { locks }), new RegExp(value));
    }
    const [reader, writer] = [1, 127].map((privileges) =>
      ask(wanting('current-user-privilege-set'), '/a/', members, { privileges }),
    );
    assert.notEqual(reader, writer);
  });

  it('hold no property but those that a member alone tells', () => {
    const alone = ALLPROP_PROPERTIES.filter(isOfMemberAlone).map(({ name }) => name);
    assert.deepEqual(alone.sort(), [
      ...['creationdate', 'getcontentlength', 'getcontenttype', 'getetag', 'getlastmodified', 'resourcetype'],
    ]);
    const others = ['displayname', 'owner', 'current-user-principal', 'current-user-privilege-set', 'lockdiscovery'];
    for (const name of others) assert.equal(isOfMemberAlone({ namespace: DAV_NAMESPACE, name }), false, name);
  });
});

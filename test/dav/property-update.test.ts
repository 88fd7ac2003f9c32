// What a client would set (RFC 4918 section 9.2), and what of it may be.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { propertiesResponse } from '../../src/dav/multistatus.ts';
import { checkUpdates, parseProppatch, updatesWith } from '../../src/dav/proppatch.ts';
import { deadProperties, propertyKey } from '../../src/dav/resource.ts';
import { readXml } from '../../src/dav/xml-read.ts';
import { AppError } from '../../src/errors.ts';
import { MAX_PROPERTY_BYTES, MAX_PROPERTY_NAME_BYTES } from '../../src/limits/backend.ts';
import { MAX_DAV_PROPERTIES, MAX_XML_ATTRIBUTES } from '../../src/limits/dav.ts';
import type { PropertyChange } from '../../src/room-server/collections.ts';
import { atOnce } from '../../src/system/steps.ts';

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';
const parse = (inner: string, attributes = '') =>
  parseProppatch(
    readXml(
      Buffer.from(
        '<D:propertyupdate xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:x="urn:x" ' +
          `${attributes}>${inner}</D:propertyupdate>`,
      ),
    ),
  );
const CALENDAR = { kind: 'room', collection: 'calendar', href: '/', displayName: '' } as const;
const check = (inner: string, attributes = '') => atOnce(checkUpdates(parse(inner, attributes), CALENDAR));
const set = (inner: string) => `<D:set><D:prop>${inner}</D:prop></D:set>`;
const remove = (inner: string) => `<D:remove><D:prop>${inner}</D:prop></D:remove>`;
const changes = (inner: string, attributes = '') =>
  check(inner, attributes).changes.map((change) => [propertyKey(change), change.value]);
const refused = (inner: string) => {
  const propstats = check(inner).refused;
  return propstats && propertiesResponse('/', propstats).text.replace(/^.*?<\/D:href>|<\/D:response>$/g, '');
};
const ZONE =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTIMEZONE\r\nTZID:Here\r\nBEGIN:STANDARD\r\n' +
  'DTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n' +
  'END:VCALENDAR\r\n';

describe('the body of a PROPPATCH', () => {
  it('sets and removes, in document order; of two changes of a property the last one counts', () => {
    assert.deepEqual(changes(set('<x:a>1</x:a><D:displayname>n</D:displayname>') + remove('<b/>')), [
      ['{urn:x}a', '<x:a xmlns:x="urn:x">1</x:a>'],
      ['{DAV:}displayname', '<D:displayname xmlns:D="DAV:">n</D:displayname>'],
      ['{}b', undefined],
    ]);
    assert.deepEqual(changes(set('<b>1</b>') + remove('<b/>')), [['{}b', undefined]]);
    assert.deepEqual(changes(remove('<b/>') + set('<b>1</b><b>2</b>')), [['{}b', '<b>2</b>']]);
  });

  it('keeps what is in a value, with its language', () => {
    const value = '<x:a><c xmlns="urn:y" d="e">𐀀 &amp;</c> and <b/></x:a>';
    const [{ namespace, name, value: text = '' }] = check(set(value), 'xml:lang="de"').changes as [PropertyChange];
    const [property] = readXml(Buffer.from(`<p xmlns:x="urn:x">${value}</p>`)).children;
    const kept = readXml(Buffer.from(text));
    assert.equal(kept.attributes.get('{http://www.w3.org/XML/1998/namespace}lang'), 'de');
    assert.deepEqual(kept.content, property!.content);
    assert.equal(deadProperties([{ namespace, name, value: text }]).size, 1);
  });

  it('is refused without a property, and with too many', () => {
    assert.throws(() => parse('<D:set/>'), isRefusal);
    assert.throws(() => parseProppatch(undefined), isRefusal);
    assert.throws(() => parseProppatch(readXml(Buffer.from('<a/>'))), isRefusal);
    const many = (count: number) => parse(set(Array.from({ length: count }, (_, i) => `<a${i}/>`).join('')));
    assert.equal(many(MAX_DAV_PROPERTIES).length, MAX_DAV_PROPERTIES);
    assert.throws(() => many(MAX_DAV_PROPERTIES + 1), isRefusal);
  });
});

describe('updates that may not be made', () => {
  it('fail with the reason, and the others with them', () => {
    assert.equal(
      refused(set('<D:getetag>1</D:getetag><D:displayname>n</D:displayname>') + remove('<D:owner/>')),
      '<D:propstat><D:prop><D:getetag/><D:owner/></D:prop><D:status>HTTP/1.1 403 Forbidden</D:status>' +
        '<D:error><D:cannot-modify-protected-property/></D:error></D:propstat>' +
        '<D:propstat><D:prop><D:displayname/></D:prop><D:status>HTTP/1.1 424 Failed Dependency</D:status></D:propstat>',
    );
    assert.equal(refused(set('<D:displayname>n</D:displayname><x:getetag/>')), undefined);
  });

  it('are a time zone that is none', () => {
    assert.equal(refused(set(`<C:calendar-timezone>${ZONE}</C:calendar-timezone>`)), undefined);
    assert.equal(refused(set(`<C:calendar-timezone>\n  ${ZONE}\n</C:calendar-timezone>`)), undefined);
    assert.match(refused(set('<C:calendar-timezone>UTC</C:calendar-timezone>'))!, /<C:valid-calendar-data\/>/);
    assert.equal(refused(remove('<C:calendar-timezone/>')), undefined);
  });

  it('are the name of a time zone that nobody knows', () => {
    assert.equal(refused(set('<C:calendar-timezone-id>Europe/Berlin</C:calendar-timezone-id>')), undefined);
    const unknown = refused(set('<C:calendar-timezone-id>Europe/Nowhere</C:calendar-timezone-id><b/>'));
    assert.match(unknown!, /403 .*<C:valid-timezone\/>.*424 /);
  });

  it('are values and names that are too large', () => {
    const named = (bytes: number) => refused(set(`<x:${'n'.repeat(bytes - 'urn:x '.length)}/>`));
    assert.equal(named(MAX_PROPERTY_NAME_BYTES), undefined);
    assert.match(named(MAX_PROPERTY_NAME_BYTES + 1)!, /507 /);
    const around = Buffer.byteLength('<b></b>');
    assert.equal(refused(set(`<b>${'x'.repeat(MAX_PROPERTY_BYTES - around)}</b>`)), undefined);
    assert.match(refused(set(`<b>${'x'.repeat(MAX_PROPERTY_BYTES - around + 1)}</b><c/>`))!, /507 .*424 /);
    const inNamespace = (count: number) => set(`<b xmlns:p="urn:${'p'.repeat(990)}">${'<p:c/>'.repeat(count)}</b>`);
    assert.equal(refused(inNamespace(64)), undefined);
    assert.match(refused(inNamespace(66))!, /507 /);
    // written anew, each attribute declares its namespace
    const attributes = (count: number) => Array.from({ length: count }, (_, i) => `p:a${i}=""`).join(' ');
    const many = (count: number) => set(`<b><c xmlns:p="u" ${attributes(count)}/></b>`);
    assert.equal(refused(many(MAX_XML_ATTRIBUTES / 2)), undefined);
    assert.match(refused(many(MAX_XML_ATTRIBUTES / 2 + 1))!, /507 /);
  });
});

it('all updates are answered alike where one answer is for all', () => {
  assert.deepEqual(
    updatesWith(200, parse(set('<b>1</b><x:c/>'))).map(({ status, properties }) => [
      status,
      properties.map(({ text }) => text),
    ]),
    [[200, ['<b/>', '<x:c xmlns:x="urn:x"/>']]],
  );
});

it('what is kept is an element of its name, or is left out', () => {
  const kept = deadProperties([
    { namespace: 'urn:x', name: 'a', value: '<x:a xmlns:x="urn:x">&lt;</x:a>' },
    { namespace: 'urn:x', name: 'b', value: '<x:a xmlns:x="urn:x"/>' },
    { namespace: '', name: 'c', value: '<c></c></D:prop>' },
    { namespace: '', name: 'd', value: '<!DOCTYPE d><d/>' },
  ]);
  assert.deepEqual(
    [...kept].map(([key, { text }]) => [key, text]),
    [['{urn:x}a', '<x:a xmlns:x="urn:x">&lt;</x:a>']],
  );
});

it('a calendar keeps its time zone in the form that was set last', () => {
  const kept = (xml: string) => check(xml).changes.map(({ name, value }) => [name, value !== undefined]);
  const calendar = `<C:calendar-timezone>${ZONE}</C:calendar-timezone>`;
  const id = '<C:calendar-timezone-id>Europe/Berlin</C:calendar-timezone-id>';
  assert.deepEqual(kept(set(calendar)), [
    ['calendar-timezone', true],
    ['calendar-timezone-id', false],
  ]);
  assert.deepEqual(kept(set(id)), [
    ['calendar-timezone-id', true],
    ['calendar-timezone', false],
  ]);
  assert.equal(kept(set(calendar + id)).length, 2);
});

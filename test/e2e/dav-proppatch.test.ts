// Properties that clients set on rooms and messages (RFC 4918 sections 4 and 9.2), on a room server that keeps them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, startBoth, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/" xmlns:x="urn:x"';
const update = (inner: string) => `<D:propertyupdate ${NAMESPACES}>${inner}</D:propertyupdate>`;
const set = (inner: string) => `<D:set><D:prop>${inner}</D:prop></D:set>`;
const remove = (inner: string) => `<D:remove><D:prop>${inner}</D:prop></D:remove>`;
const proppatch = (api: Api, path: string, inner: string, headers = {}) =>
  api(path, { method: 'PROPPATCH', headers, body: update(inner) });
const propfind = (api: Api, path: string, inner: string, depth = '0') =>
  api(path, { method: 'PROPFIND', headers: { depth }, body: `<D:propfind ${NAMESPACES}>${inner}</D:propfind>` });
const prop = (names: string) => `<D:prop>${names}</D:prop>`;
/** of an answer, what stands in D:prop with this status; one for each response */
const withStatus = async (answer: Response, status: number) => {
  assert.equal(answer.status, 207);
  const found = (await answer.text()).matchAll(/<D:prop>((?:(?!<\/D:prop>).)*)<\/D:prop><D:status>HTTP\/1.1 (\d+)/gs);
  return [...found].filter(([, , code]) => Number(code) === status).map(([, inner]) => inner);
};
const ZONE =
  'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\nTZID:Here\nBEGIN:STANDARD\nDTSTART:19700101T000000\n' +
  'TZOFFSETFROM:+0100\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\nEND:VCALENDAR\n';

for (const [where, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const unique = where.replaceAll(' ', '');

  describe(`PROPPATCH on ${where}`, () => {
    it('gives a calendar a name, a colour, an order, a description and a zone', async () => {
      const path = `r/Colours-${unique}/`;
      assert.equal((await alice(path, { method: 'MKCALENDAR' })).status, 201);
      const values =
        '<D:displayname>Meine Termine &amp; 𐀀</D:displayname><I:calendar-color>#ff2968ff</I:calendar-color>' +
        '<I:calendar-order>7</I:calendar-order><C:calendar-description xml:lang="de">Täglich</C:calendar-description>' +
        `<C:calendar-timezone>${ZONE}</C:calendar-timezone>`;
      const names =
        '<D:displayname/><I:calendar-color/><I:calendar-order/><C:calendar-description/><C:calendar-timezone/>';
      assert.deepEqual(await withStatus(await proppatch(alice, path, set(values)), 200), [names]);
      for (const [at, depth] of [
        [path, '0'],
        ['r/', '1'],
      ] as const) {
        assert.ok((await withStatus(await propfind(alice, at, prop(names), depth), 200)).includes(values), at);
      }
      assert.ok((await withStatus(await propfind(alice, path, '<D:allprop/>'), 200))[0]!.includes('#ff2968ff'));
      assert.ok(
        (await withStatus(await propfind(alice, path, '<D:propname/>'), 200))[0]!.includes('<I:calendar-color/>'),
      );
      const removed = await proppatch(alice, path, remove('<D:displayname/><I:calendar-color/>'));
      assert.equal((await withStatus(removed, 200)).length, 1);
      assert.deepEqual(
        await withStatus(await propfind(alice, path, prop('<D:displayname/><I:calendar-color/>')), 200),
        [`<D:displayname>Colours-${unique}</D:displayname>`],
      );
    });

    it('keeps what a client has of its own, on rooms and on messages, also without a namespace', async () => {
      const room = `r/Own-${unique}`;
      assert.equal((await alice(`${room}/`, { method: 'MKCOL' })).status, 201);
      assert.equal((await alice(`${room}/a.txt`, { method: 'PUT', body: 'a' })).status, 201);
      assert.equal((await alice(`${room}/b.txt`, { method: 'PUT', body: 'b' })).status, 201);
      const values = '<x:a z="1">t<b/><x:c>&lt;</x:c></x:a><plain>p</plain>';
      const written = '<x:a xmlns:x="urn:x" z="1">t<b/><x:c xmlns:x="urn:x">&lt;</x:c></x:a><plain>p</plain>';
      const wanted = prop('<x:a/><plain/>');
      for (const path of [`${room}/`, `${room}/a.txt`]) {
        assert.equal((await withStatus(await proppatch(alice, path, set(values)), 200)).length, 1, path);
        assert.deepEqual(await withStatus(await propfind(alice, path, wanted), 200), [written], path);
      }
      assert.deepEqual(await withStatus(await propfind(alice, `${room}/`, wanted, '1'), 200), [written, written]);
      // what is replaced stays the same resource
      assert.equal((await alice(`${room}/a.txt`, { method: 'PUT', body: 'again' })).status, 204);
      assert.deepEqual(await withStatus(await propfind(alice, `${room}/a.txt`, wanted), 200), [written]);
      assert.equal((await alice(`${room}/a.txt`, { method: 'DELETE' })).status, 204);
      assert.equal((await alice(`${room}/a.txt`, { method: 'PUT', body: 'new' })).status, 201);
      assert.deepEqual(await withStatus(await propfind(alice, `${room}/a.txt`, wanted), 200), [], 'another file');
    });

    it('answers with nothing where all was done and the client wants no more (RFC 8144 section 2.2)', async () => {
      const path = `r/Short-${unique}/`;
      assert.equal((await alice(path, { method: 'MKCALENDAR' })).status, 201);
      for (const headers of [{ prefer: 'return=minimal' }, { brief: 't' }]) {
        const done = await proppatch(alice, path, set('<x:a>1</x:a>'), headers);
        assert.deepEqual([done.status, await done.text()], [200, '']);
        const failed = await proppatch(alice, path, set('<x:a>1</x:a><D:getetag>1</D:getetag>'), headers);
        assert.equal(failed.status, 207);
        assert.match(await failed.text(), /424 Failed Dependency[\s\S]*cannot-modify-protected-property/);
      }
    });

    it('changes all or nothing', async () => {
      const path = `r/Atomic-${unique}/`;
      assert.equal((await alice(path, { method: 'MKCALENDAR' })).status, 201);
      const both = await proppatch(alice, path, set('<x:a>1</x:a><D:getetag>1</D:getetag>'));
      assert.deepEqual(await withStatus(both.clone(), 424), ['<x:a xmlns:x="urn:x"/>']);
      assert.deepEqual(await withStatus(both, 403), ['<D:getetag/>']);
      const zone = await proppatch(alice, path, set('<x:a>1</x:a><C:calendar-timezone>none</C:calendar-timezone>'));
      assert.deepEqual(await withStatus(zone, 424), ['<x:a xmlns:x="urn:x"/>']);
      assert.deepEqual(await withStatus(await propfind(alice, path, prop('<x:a/>')), 200), []);
      assert.deepEqual(await withStatus(await propfind(alice, path, prop('<C:calendar-timezone/>')), 200), []);
      for (const body of ['', '<a/>', update(''), '<D:propertyupdate xmlns:D="DAV:"', '<!DOCTYPE a><a/>']) {
        assert.equal((await alice(path, { method: 'PROPPATCH', body })).status, 400, body);
      }
    });

    it('is for who may change the room, or replace the message', async () => {
      for (const [path, privilege] of [
        ['r/Town%20Square/', 'write-properties'],
        ['r/Lobby/1', 'write-content'],
      ] as const) {
        const answer = await proppatch(bob, path, set('<x:a>1</x:a>'));
        assert.equal(answer.status, 403, path);
        assert.match(await answer.text(), new RegExp(`<D:need-privileges>.*<D:${privilege}/>`));
      }
      assert.equal((await proppatch(gateway.api, 'r/Lobby/', set('<x:a>1</x:a>'))).status, 401);
      const home = await proppatch(alice, 'r/', set('<x:a>1</x:a>'));
      assert.deepEqual(await withStatus(home, 200), ['<x:a xmlns:x="urn:x"/>']);
    });

    it('is stopped by a lock whose token is not sent', async () => {
      const path = `r/Locked-${unique}/a.txt`;
      assert.equal((await alice(`r/Locked-${unique}/`, { method: 'MKCOL' })).status, 201);
      assert.equal((await alice(path, { method: 'PUT', body: 'a' })).status, 201);
      const lock = await alice(path, {
        method: 'LOCK',
        body:
          '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>' +
          '</D:lockinfo>',
      });
      const token = lock.headers.get('lock-token');
      assert.equal((await proppatch(alice, path, set('<x:a>1</x:a>'))).status, 423);
      const opened = await proppatch(alice, path, set('<x:a>1</x:a>'), { if: `(${token})` });
      assert.equal((await withStatus(opened, 200)).length, 1);
    });
  });

  it(`MKCALENDAR on ${where} sets properties with the room`, async () => {
    const path = `r/With-${unique}/`;
    const values = '<D:displayname>Work</D:displayname><I:calendar-color>#00ff00</I:calendar-color>';
    const body = `<C:mkcalendar ${NAMESPACES}>${set(values)}</C:mkcalendar>`;
    assert.equal((await alice(path, { method: 'MKCALENDAR', body })).status, 201);
    const told = await propfind(alice, path, prop('<D:displayname/><I:calendar-color/>'));
    assert.deepEqual(await withStatus(told, 200), [values]);
  });
}

describe('in front of a room server that keeps no properties', () => {
  it('PROPPATCH refuses each, and a calendar is made without its colour, but not without what matters', async (t) => {
    const real = await startRealServer(t, { users: { alice: 4 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    const alice = gateway.as('alice', 'alicepw');
    const refused = await proppatch(alice, 'r/Calendar/', set('<D:displayname>n</D:displayname><x:a>1</x:a>'));
    assert.deepEqual(await withStatus(refused, 403), ['<D:displayname/><x:a xmlns:x="urn:x"/>']);
    const make = (path: string, inner: string) =>
      alice(path, { method: 'MKCALENDAR', body: `<C:mkcalendar ${NAMESPACES}>${set(inner)}</C:mkcalendar>` });
    assert.equal((await make('r/Work/', '<I:calendar-color>#ff0000</I:calendar-color>')).status, 201);
    assert.deepEqual(await withStatus(await propfind(alice, 'r/Work/', prop('<I:calendar-color/>')), 200), []);
    assert.deepEqual(await withStatus(await make('r/Other/', '<x:a>1</x:a>'), 403), ['<x:a xmlns:x="urn:x"/>']);
    assert.equal((await alice('r/Other/')).status, 404);
    const names = '<D:resourcetype/><D:sync-token/><CS:getctag xmlns:CS="http://calendarserver.org/ns/"/>';
    const [work] = await withStatus(await propfind(alice, 'r/Work/', prop(names)), 200);
    assert.match(work!, /<C:calendar\/>.*<D:sync-token>data:.*<CS:getctag>/);
  });
});

// New calendars, task lists and address books (RFC 4791 section 5.3.1, RFC 5689), as clients ask for them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startBoth } from '../support/gateway.ts';

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav" ' +
  'xmlns:I="http://apple.com/ns/ical/"';
const mkcalendar = (properties: string) =>
  `<C:mkcalendar ${NAMESPACES}><D:set><D:prop>${properties}</D:prop></D:set></C:mkcalendar>`;
const mkcol = (properties: string) => `<D:mkcol ${NAMESPACES}><D:set><D:prop>${properties}</D:prop></D:set></D:mkcol>`;
const components = (...names: string[]) =>
  '<C:supported-calendar-component-set>' +
  `${names.map((name) => `<C:comp name="${name}"/>`).join('')}</C:supported-calendar-component-set>`;
const type = (...names: string[]) =>
  `<D:resourcetype>${['D:collection', ...names].map((name) => `<${name}/>`).join('')}</D:resourcetype>`;

for (const [where, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const unique = where.replaceAll(' ', '');
  const make = (method: string, path: string, body?: string, headers = {}) =>
    alice(path, { method, headers, ...(body !== undefined && { body }) });
  const viewOf = async (path: string) => ((await (await alice(path)).json()) as { default_view: number }).default_view;

  describe(`MKCALENDAR on ${where}`, () => {
    it('makes a calendar of the caller’s own, or a task list, as the components say', async () => {
      for (const [name, body, view] of [
        ['plain', undefined, 3],
        ['named', mkcalendar('<D:displayname>Work</D:displayname>'), 3],
        ['events', mkcalendar(components('VEVENT')), 3],
        ['both', mkcalendar(components('VEVENT', 'VTODO')), 3],
        ['tasks', mkcalendar(`${components('VTODO')}<I:calendar-color>#ff0000ff</I:calendar-color>`), 4],
      ] as const) {
        const path = `r/${name}-${unique}/`;
        const answer = await make('MKCALENDAR', path, body);
        assert.equal(answer.status, 201, name);
        assert.equal(answer.headers.get('location'), `/svc/${path}`);
        assert.equal(answer.headers.get('cache-control'), 'no-cache');
        assert.equal(await viewOf(path), view, name);
        assert.equal((await bob(path)).status, 404, 'it is nobody else’s');
        const event =
          'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTAMP:20260101T000000Z\r\n' +
          'DTSTART:20260101T000000Z\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
        const component = view === 3 ? event : event.replaceAll('VEVENT', 'VTODO');
        const put = await alice(`${path}1.ics`, {
          method: 'PUT',
          headers: { 'content-type': 'text/calendar; charset=utf-8' },
          body: component,
        });
        assert.equal(put.status, 201, name);
      }
    });

    it('makes nothing where there is something, nor inside a room, nor of a component unheard of', async () => {
      const there = await make('MKCALENDAR', 'r/Calendar/');
      assert.deepEqual(
        [there.status, await there.text().then((text) => /resource-must-be-null/.test(text))],
        [403, true],
      );
      const inside = await make('MKCALENDAR', 'r/Calendar/inner/');
      assert.equal(inside.status, 403);
      assert.match(await inside.text(), /<C:calendar-collection-location-ok\/>/);
      assert.equal((await make('MKCALENDAR', `r/Nowhere-${unique}/inner`)).status, 409);
      const journals = await make('MKCALENDAR', `r/Journals-${unique}/`, mkcalendar(components('VJOURNAL')));
      assert.match(await journals.text(), /403 Forbidden<\/D:status><D:error><C:supported-calendar-component\/>/);
      const guarded = `r/Guarded-${unique}/`;
      const refused = await make('MKCALENDAR', guarded, mkcalendar('<D:getetag>x</D:getetag><D:displayname/>'));
      assert.equal(refused.status, 207);
      const text = await refused.text();
      assert.match(text, /<D:getetag\/>.* 403 .*cannot-modify-protected-property.*<D:displayname\/>.* 424 /);
      for (const path of [guarded, `r/Journals-${unique}/`]) assert.equal((await alice(path)).status, 404, path);
      assert.equal((await make('MKCALENDAR', `r/Odd-${unique}/`, '<a/>')).status, 415);
      assert.equal((await make('MKCALENDAR', `r/Odd-${unique}/`, '<!DOCTYPE a><a/>')).status, 400);
      assert.equal((await gateway.api(`r/Odd-${unique}/`, { method: 'MKCALENDAR' })).status, 401);
    });
  });

  describe(`MKCOL with a body on ${where}`, () => {
    it('makes an address book, a calendar or a plain collection', async () => {
      for (const [name, properties, view] of [
        ['contacts', `${type('CR:addressbook')}<D:displayname>People</D:displayname>`, 2],
        ['calendar', `${type('C:calendar')}${components('VEVENT')}<I:calendar-order>2</I:calendar-order>`, 3],
        ['todo', `${type('C:calendar')}${components('VTODO')}`, 4],
      ] as const) {
        const path = `r/Col-${name}-${unique}/`;
        const answer = await make('MKCOL', path, mkcol(properties), { 'content-type': 'application/xml' });
        assert.equal(answer.status, 201, name);
        assert.equal(await viewOf(path), view, name);
      }
      assert.equal((await make('MKCOL', `r/Col-plain-${unique}/`, mkcol(type()))).status, 201);
    });

    it('refuses types that there are not, all or nothing', async () => {
      const path = `r/Col-odd-${unique}/`;
      const answer = await make('MKCOL', path, mkcol(`${type('C:calendar', 'CR:addressbook')}<D:displayname/>`));
      assert.equal(answer.status, 403);
      assert.equal(
        await answer.text(),
        '<?xml version="1.0" encoding="utf-8"?>\n<D:mkcol-response xmlns:D="DAV:">' +
          '<D:propstat><D:prop><D:resourcetype/></D:prop><D:status>HTTP/1.1 403 Forbidden</D:status>' +
          '<D:error><D:valid-resourcetype/></D:error></D:propstat>' +
          '<D:propstat><D:prop><D:displayname/></D:prop><D:status>HTTP/1.1 424 Failed Dependency</D:status>' +
          '</D:propstat></D:mkcol-response>\n',
      );
      assert.equal((await alice(path)).status, 404);
      for (const [body, headers, status] of [
        ['afafafaf', { 'content-type': 'xzy-foo/bar-512' }, 415],
        ['<a/>', {}, 415],
        ['<D:mkcol xmlns:D="DAV:"', { 'content-type': 'text/xml' }, 400],
      ] as const) {
        assert.equal((await make('MKCOL', path, body, headers)).status, status, body);
      }
      assert.equal((await make('MKCOL', 'r/Calendar/', mkcol(type()))).status, 405);
      assert.equal((await make('MKCOL', 'r/Calendar/')).status, 405);
    });
  });
}

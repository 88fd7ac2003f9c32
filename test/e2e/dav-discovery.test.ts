// How a client finds calendars and address books from a host name alone (RFC 6764, RFC 5397, RFC 4791, RFC 6352), with
// the requests that real clients send.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readXml, type XmlElement } from '../../src/dav/xml-read.ts';
import { ROOMS_AT_ONCE } from '../../src/limits/dav.ts';
import { type Api, startBoth } from '../support/gateway.ts';

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav" ' +
  'xmlns:CS="http://calendarserver.org/ns/" xmlns:I="http://apple.com/ns/ical/"';
const propfind = (api: Api, path: string, names: string, depth = '0', headers = {}) =>
  api(path, {
    method: 'PROPFIND',
    headers: { depth, 'content-type': 'text/xml; charset=utf-8', ...headers },
    body: `<?xml version="1.0"?><D:propfind ${NAMESPACES}><D:prop>${names}</D:prop></D:propfind>`,
  });

/** href → property → its element; and which properties it has not */
interface Told {
  found: Map<string, XmlElement>;
  missing: string[];
}
async function told(answer: Response): Promise<Map<string, Told>> {
  assert.equal(answer.status, 207);
  assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
  const root = readXml(Buffer.from(await answer.arrayBuffer()));
  const children = ({ children }: XmlElement, name: string) => children.filter((child) => child.name === name);
  return new Map(
    root.children.map((response) => {
      const entry: Told = { found: new Map(), missing: [] };
      for (const propstat of children(response, 'propstat')) {
        const isFound = children(propstat, 'status')[0]!.text.includes(' 200 ');
        for (const property of children(propstat, 'prop')[0]!.children) {
          const key = `{${property.namespace}}${property.name}`;
          if (isFound) entry.found.set(key, property);
          else entry.missing.push(key);
        }
      }
      return [children(response, 'href')[0]!.text, entry];
    }),
  );
}
const hrefOf = (entry: Told | undefined, key: string) => entry?.found.get(key)?.children[0]?.text;
const typesOf = (entry: Told | undefined) => entry?.found.get('{DAV:}resourcetype')?.children.map(({ name }) => name);
const CALDAV = '{urn:ietf:params:xml:ns:caldav}';
const CARDDAV = '{urn:ietf:params:xml:ns:carddav}';

for (const [where, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');

  describe(`discovery on ${where}`, () => {
    it('leads from the host to the home, step by step', async () => {
      for (const service of ['caldav', 'carddav', 'caldav/', 'carddav/']) {
        const moved = await gateway.api(`/.well-known/${service}`, { method: 'PROPFIND' });
        assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/svc/']);
      }
      for (const path of ['/', '/svc/', '/svc', '/svc/r/', '/svc/u/', '/svc/r/Lobby/', '/svc/r/Lobby/1']) {
        const answer = await propfind(alice, path, '<D:current-user-principal/><D:resourcetype/>');
        const [entry] = (await told(answer)).values();
        assert.equal(hrefOf(entry, '{DAV:}current-user-principal'), '/svc/u/alice/', path);
      }
      const asked = '<C:calendar-home-set/><CR:addressbook-home-set/><D:principal-URL/><C:calendar-user-address-set/>';
      const principal = (await told(await propfind(alice, '/svc/u/alice/', asked))).get('/svc/u/alice/');
      assert.equal(hrefOf(principal, `${CALDAV}calendar-home-set`), '/svc/r/');
      assert.equal(hrefOf(principal, `${CARDDAV}addressbook-home-set`), '/svc/r/');
      assert.equal(hrefOf(principal, '{DAV:}principal-URL'), '/svc/u/alice/');
      const addresses = principal?.found.get(`${CALDAV}calendar-user-address-set`)?.children.map(({ text }) => text);
      assert.match(addresses![0]!, /^mailto:alice@/);
      assert.equal(addresses!.at(-1), '/svc/u/alice/');
    });

    it('lists calendars, task lists, address books and all other rooms in the home, by kind', async () => {
      const names =
        '<D:resourcetype/><D:displayname/><C:supported-calendar-component-set/><D:current-user-privilege-set/>' +
        '<D:owner/><I:calendar-color/><D:supported-report-set/>';
      const home = await told(await propfind(alice, 'r/', names, '1'));
      assert.deepEqual(typesOf(home.get('/svc/r/')), ['collection']);
      assert.deepEqual(typesOf(home.get('/svc/r/Calendar/')), ['collection', 'calendar']);
      assert.deepEqual(typesOf(home.get('/svc/r/Tasks/')), ['collection', 'calendar']);
      assert.deepEqual(typesOf(home.get('/svc/r/Contacts/')), ['collection', 'addressbook']);
      assert.deepEqual(typesOf(home.get('/svc/r/Lobby/')), ['collection']);
      const component = (href: string) =>
        home.get(href)?.found.get(`${CALDAV}supported-calendar-component-set`)?.children[0]?.attributes.get('name');
      assert.equal(component('/svc/r/Calendar/'), 'VEVENT');
      assert.equal(component('/svc/r/Tasks/'), 'VTODO');
      assert.equal(component('/svc/r/Contacts/'), undefined);
      assert.equal(hrefOf(home.get('/svc/r/Calendar/'), '{DAV:}owner'), '/svc/u/alice/');
      assert.equal(hrefOf(home.get('/svc/r/Lobby/'), '{DAV:}owner'), undefined);
      const privileges = (href: string) =>
        home
          .get(href)
          ?.found.get('{DAV:}current-user-privilege-set')
          ?.children.map(({ children }) => children[0]!.name);
      for (const privilege of ['read', 'write', 'write-content', 'write-properties', 'bind', 'unbind']) {
        assert.ok(privileges('/svc/r/Calendar/')?.includes(privilege), privilege);
      }
      assert.equal(privileges('/svc/r/Lobby/')?.includes('write-properties'), false);
      assert.ok(privileges('/svc/r/')?.includes('bind'), 'rooms can be made');
      // what the room itself answers is what the list says
      const alone = await told(await propfind(alice, 'r/Calendar/', names));
      assert.deepEqual(alone.get('/svc/r/Calendar/'), home.get('/svc/r/Calendar/'));
    });

    it('tells of more rooms than it asks at once whether they have changed, each in its place', async () => {
      const bob = gateway.as('bob');
      const names = Array.from({ length: ROOMS_AT_ONCE + 1 }, (_, i) => `Many-${where.length}-${i}`);
      for (const name of names) assert.equal((await bob(`r/${name}/`, { method: 'MKCALENDAR' })).status, 201);
      const home = await told(await propfind(bob, 'r/', '<CS:getctag/><D:sync-token/><D:displayname/>', '1'));
      const tokens = names.map((name) => {
        const entry = home.get(`/svc/r/${name}/`)!;
        assert.equal(entry.found.get('{DAV:}displayname')?.text, name);
        const token = entry.found.get('{DAV:}sync-token')!.text;
        assert.match(token, /^data:/);
        assert.ok(entry.found.has('{http://calendarserver.org/ns/}getctag'));
        return token;
      });
      assert.equal(new Set(tokens).size, names.length, 'each room has its own');
      const alone = await told(await propfind(bob, `r/${names[0]}/`, '<D:sync-token/>'));
      assert.equal(alone.get(`/svc/r/${names[0]}/`)!.found.get('{DAV:}sync-token')!.text, tokens[0]);
      assert.ok(home.get('/svc/r/Lobby/')!.missing.includes('{DAV:}sync-token'), 'nobody keeps a copy of it');
    });

    it('answers a phone that asks for much that there is not', async () => {
      const answer = await propfind(
        alice,
        'u/alice/',
        '<C:calendar-home-set/><C:calendar-user-address-set/><D:current-user-principal/><D:displayname/>' +
          '<CS:dropbox-home-URL/><CS:email-address-set/><CS:notification-URL/><D:principal-collection-set/>' +
          '<D:principal-URL/><D:resource-id/><D:supported-report-set/><D:group-membership/><a xmlns="urn:x"/>',
      );
      const entry = (await told(answer)).get('/svc/u/alice/')!;
      assert.equal(entry.found.get('{DAV:}displayname')?.text, 'alice');
      assert.equal(hrefOf(entry, '{DAV:}principal-collection-set'), '/svc/u/');
      assert.deepEqual(entry.missing, [
        '{http://calendarserver.org/ns/}dropbox-home-URL',
        '{http://calendarserver.org/ns/}email-address-set',
        '{http://calendarserver.org/ns/}notification-URL',
        '{DAV:}resource-id',
        '{urn:x}a',
      ]);
      const brief = await propfind(alice, 'u/alice/', '<D:displayname/><D:resource-id/>', '0', { brief: 't' });
      assert.deepEqual((await told(brief)).get('/svc/u/alice/')!.missing, []);
    });

    it('names other users as principals, and tells nobody’s home or addresses but the caller’s', async () => {
      const names = '<D:resourcetype/><D:displayname/><C:calendar-home-set/><C:calendar-user-address-set/>';
      const users = await told(await propfind(alice, 'u/', names, '1'));
      assert.deepEqual(typesOf(users.get('/svc/u/bob/')), ['collection', 'principal']);
      assert.equal(users.get('/svc/u/bob/')?.found.get(`${CALDAV}calendar-home-set`), undefined);
      assert.doesNotMatch(
        users
          .get('/svc/u/bob/')
          ?.found.get(`${CALDAV}calendar-user-address-set`)
          ?.children.map(({ text }) => text)
          .join() ?? '',
        /mailto/,
      );
      assert.equal(hrefOf(users.get('/svc/u/alice/'), `${CALDAV}calendar-home-set`), '/svc/r/');
      const asSpelled = await told(await propfind(alice, 'u/ALICE', '<D:principal-URL/><C:calendar-home-set/>'));
      assert.equal(hrefOf(asSpelled.get('/svc/u/ALICE/'), '{DAV:}principal-URL'), '/svc/u/alice/');
      assert.equal((await propfind(alice, 'u/nobody-of-that-name/', '<D:displayname/>')).status, 404);
    });

    it('takes a missing Depth for 0 where clients arrive by redirection, and refuses infinity', async () => {
      for (const path of ['/', '/svc/', 'u/', 'u/alice/']) {
        const answer = await alice(path, { method: 'PROPFIND' });
        assert.equal((await told(answer)).size, 1, path);
        const infinite = await alice(path, { method: 'PROPFIND', headers: { depth: 'infinity' } });
        assert.equal(infinite.status, 403, path);
        assert.match(await infinite.text(), /<D:propfind-finite-depth\/>/);
      }
      const root = await told(await propfind(alice, '/', '<D:resourcetype/>', '1'));
      assert.deepEqual([...root.keys()], ['/', '/svc/r/', '/svc/u/']);
    });

    it('asks for a log-in before it tells anything, but for OPTIONS', async () => {
      for (const path of ['/', '/svc/', 'r/', 'u/', 'u/alice/', 'r/Calendar/']) {
        for (const method of ['PROPFIND', 'REPORT']) {
          const answer = await gateway.api(path, { method, headers: { depth: '0' } });
          assert.equal(answer.status, 401, `${method} ${path}`);
          assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /);
        }
        const options = await gateway.api(path, { method: 'OPTIONS' });
        assert.equal(options.status, 200, path);
        assert.match(options.headers.get('dav') ?? '', /calendar-access/);
        assert.match(options.headers.get('allow') ?? '', /PROPFIND/);
        assert.equal(options.headers.get('ms-author-via'), 'DAV');
      }
      for (const path of ['/', '/svc/']) {
        const page = await gateway.api(path);
        assert.deepEqual([page.status, page.headers.get('location')], [302, '/svc/a/landing.html'], 'to a person');
      }
    });

    it('creates nothing at the root, whatever a client tries', async () => {
      const answer = await alice('/', { method: 'PUT', headers: { 'if-match': 'nothing' }, body: 'x' });
      assert.equal(answer.status, 405);
    });
  });
}

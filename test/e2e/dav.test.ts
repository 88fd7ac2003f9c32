// WebDAV on rooms and messages, as a client meets it: documents are compared whole.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { documentStart } from '../../src/dav/xml-write.ts';
import { BATCH_MESSAGES, MAX_XML_BYTES } from '../../src/limits/dav.ts';
import { SPOOL_MEMORY_BYTES } from '../../src/limits/http.ts';
import { type Api, behindGateway, startBoth, startGateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const SUPPORTED_LOCK =
  '<D:supportedlock><D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>' +
  '</D:lockentry><D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>' +
  '</D:lockentry></D:supportedlock>';
const TIME = /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const HEAD = `${documentStart('D:multistatus')}\n`;

const prop = (names: string) => `<propfind xmlns="DAV:"><prop>${names}</prop></propfind>`;
const propfind = (api: Api, path: string, depth: string, body = '') =>
  api(path, { method: 'PROPFIND', headers: { depth }, ...(body !== '' && { body }) });
/** status and document, times replaced */
const told = async (answer: Response) => [answer.status, (await answer.text()).replace(TIME, 'TIME')];
const put = (api: Api, path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  api(path, { method: 'PUT', headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body });
const move = (api: Api, method: 'MOVE' | 'COPY', path: string, destination: string, overwrite = 'T') =>
  api(path, { method, headers: { destination, overwrite } });
const hrefsOf = async (api: Api, path: string) => {
  const text = await (await propfind(api, path, '1', prop('<getetag/>'))).text();
  return [...text.matchAll(/<D:href>([^<]*)<\/D:href>/g)].map((match) => match[1]!);
};
const etagOf = (answer: Response) => answer.headers.get('etag')!;

for (const [where, gateway] of await startBoth({ after }, { demo: true })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const room = async (name: string) => {
    assert.equal((await alice(`r/${name}/`, { method: 'MKCOL' })).status, 201);
    return `r/${name}`;
  };
  const unique = where.replaceAll(' ', '');

  describe(`PROPFIND on ${where}`, () => {
    it('tells all properties of a room and of its messages', async () => {
      const files = await room(`All-${unique}`);
      const etag = etagOf(await put(alice, `${files}/%C3%BC%20%26.txt`, 'hello\n'));
      const self =
        `<D:response><D:href>/svc/${files}/</D:href><D:propstat><D:prop>` +
        `<D:resourcetype><D:collection/></D:resourcetype><D:displayname>All-${unique}</D:displayname>` +
        `<D:getlastmodified>TIME</D:getlastmodified>${SUPPORTED_LOCK}<D:lockdiscovery/>` +
        '</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n';
      const message =
        `<D:response><D:href>/svc/${files}/%C3%BC%20%26.txt</D:href><D:propstat><D:prop>` +
        '<D:resourcetype/><D:displayname>ü &amp;.txt</D:displayname><D:getcontentlength>6</D:getcontentlength>' +
        `<D:getcontenttype>text/plain; charset=utf-8</D:getcontenttype><D:getetag>${etag}</D:getetag>` +
        '<D:getlastmodified>TIME</D:getlastmodified><D:creationdate>TIME</D:creationdate>' +
        `${SUPPORTED_LOCK}<D:lockdiscovery/>` +
        '</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n';
      const end = '</D:multistatus>\n';
      assert.deepEqual(await told(await propfind(alice, `${files}/`, '0')), [207, `${HEAD}${self}${end}`]);
      assert.deepEqual(await told(await propfind(alice, `${files}/`, '1')), [207, `${HEAD}${self}${message}${end}`]);
      for (const depth of ['0', '1', 'infinity']) {
        const answer = await propfind(alice, `${files}/%c3%bc%20%26.txt`, depth);
        assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
        assert.deepEqual(await told(answer), [207, `${HEAD}${message}${end}`]);
      }
    });

    it('tells what is asked for, and what there is not', async () => {
      const answer = await propfind(
        alice,
        'r/Lobby/',
        '0',
        prop('<displayname/><getetag/><a xmlns="urn:x"/><b xmlns=""/>'),
      );
      assert.deepEqual(await told(answer), [
        207,
        `${HEAD}<D:response><D:href>/svc/r/Lobby/</D:href>` +
          '<D:propstat><D:prop><D:displayname>Lobby</D:displayname></D:prop><D:status>HTTP/1.1 200 OK</D:status>' +
          '</D:propstat>' +
          '<D:propstat><D:prop><D:getetag/><x:a xmlns:x="urn:x"/><b/></D:prop><D:status>HTTP/1.1 404 Not ' +
          'Found</D:status></D:propstat>' +
          '</D:response>\n</D:multistatus>\n',
      ]);
      const minimal = await alice('r/Lobby/', {
        method: 'PROPFIND',
        headers: { depth: '0', prefer: 'return=minimal' },
        body: prop('<displayname/><getetag/>'),
      });
      assert.equal((await minimal.text()).includes('404'), false);
    });

    it('tells of what is asked for beside all properties that it is not there, and nothing twice', async () => {
      const files = await room(`Include-${unique}`);
      const all = await (await propfind(alice, `${files}/`, '0')).text();
      const included = '<getetag/><displayname/><getcontentlength/><a xmlns="urn:x"/>';
      const body = `<propfind xmlns="DAV:"><allprop/><include>${included}</include></propfind>`;
      const missing =
        '<D:propstat><D:prop><x:a xmlns:x="urn:x"/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>';
      assert.equal(
        await (await propfind(alice, `${files}/`, '0', body)).text(),
        all.replace('</D:response>', `${missing}</D:response>`),
      );
    });

    it('tells the names of properties', async () => {
      const answer = await propfind(alice, 'r/Lobby', '0', '<propfind xmlns="DAV:"><propname/></propfind>');
      assert.equal(answer.headers.get('content-location'), '/svc/r/Lobby/');
      assert.deepEqual(await told(answer), [
        207,
        `${HEAD}<D:response><D:href>/svc/r/Lobby/</D:href><D:propstat><D:prop>` +
          '<D:resourcetype/><D:displayname/><D:getlastmodified/><D:supportedlock/><D:lockdiscovery/>' +
          '<D:supported-report-set/><D:sync-token/><CS:getctag/><D:current-user-principal/>' +
          '<D:principal-collection-set/><D:current-user-privilege-set/><D:supported-privilege-set/>' +
          '<D:quota-available-bytes/><D:quota-used-bytes/>' +
          '</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n</D:multistatus>\n',
      ]);
    });

    it('lists the rooms that one knows', async () => {
      const hrefs = await hrefsOf(alice, 'r/');
      assert.equal(hrefs[0], '/svc/r/');
      for (const name of ['Mail', 'Lobby', 'Town Square']) {
        assert.ok(hrefs.includes(`/svc/r/${encodeURIComponent(name)}/`), name);
      }
      const own = (await room(`Own-${unique}`)).slice(2);
      assert.ok((await hrefsOf(alice, 'r/')).includes(`/svc/r/${own}/`));
      assert.equal((await hrefsOf(bob, 'r/')).includes(`/svc/r/${own}/`), false, 'a room that bob may not enter');
      assert.deepEqual((await propfind(alice, 'r', '0')).headers.get('content-location'), '/svc/r/');
    });

    it('leaves the name of a room as the client spells it', async () => {
      assert.equal((await hrefsOf(alice, 'r/_MAIL_/'))[0], '/svc/r/_MAIL_/');
      assert.equal((await hrefsOf(alice, 'r/_SENT_/'))[0], '/svc/r/_SENT_/');
      assert.equal((await hrefsOf(alice, 'r/tOWN%20square/'))[0], '/svc/r/tOWN%20square/');
    });

    it('tells of every message the length that GET sends, and an address that answers', async () => {
      const rooms = (await hrefsOf(alice, 'r/')).slice(1);
      let count = 0;
      for (const path of rooms) {
        const text = await (await propfind(alice, path, '1', prop('<getcontentlength/><getetag/>'))).text();
        for (const [, href, length, etag] of text.matchAll(
          /<D:href>([^<]*)(?:<[^>]*>){3}<D:getcontentlength>(\d+)<\/D:getcontentlength><D:getetag>([^<]*)</g,
        )) {
          const answer = await alice(href!);
          assert.equal(answer.status, 200, href!);
          assert.equal((await answer.arrayBuffer()).byteLength, Number(length), href!);
          assert.equal(answer.headers.get('etag'), etag, href!);
          count++;
        }
        const collections = text.match(/\/<\/D:href>/g) ?? [];
        assert.equal(
          (text.match(/ 404 /g) ?? []).length,
          collections.length,
          `${path}: only collections have no length`,
        );
      }
      assert.ok(count > 30, String(count));
    });

    it('refuses what it cannot or will not do', async () => {
      const infinite = await propfind(alice, 'r/Lobby/', 'infinity');
      assert.deepEqual(await told(infinite), [
        403,
        '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n',
      ]);
      assert.equal((await alice('r/Lobby/', { method: 'PROPFIND' })).status, 403, 'no Depth is infinity');
      assert.equal((await propfind(alice, 'r/Lobby/', '2')).status, 400);
      assert.equal((await propfind(alice, 'r/Lobby/', '0', '<!DOCTYPE a><a/>')).status, 400);
      assert.equal(
        (await propfind(alice, 'r/Lobby/', '0', '<propfind xmlns="DAV:"><prop><p:a/></prop></propfind>')).status,
        400,
      );
      for (const path of ['r/Nowhere/', 'r/Lobby/nothing.txt', 'r/Lobby/999999', 'r/Lobby/a/', 'r/Lobby/a/b']) {
        assert.equal((await propfind(alice, path, '0')).status, 404, path);
      }
      const nobody = await propfind(gateway.api, 'r/Lobby/', '0');
      assert.equal(nobody.status, 401);
      assert.match(nobody.headers.get('www-authenticate') ?? '', /^Basic /);
    });
  });

  describe(`names on ${where}`, () => {
    it('answer for what was PUT, by GET, HEAD and DELETE, beside the number', async () => {
      const files = await room(`Names-${unique}`);
      for (const name of ['a.txt', 'a%20%25%23%C3%BC.bin', '%5Cslash%3F', encodeURIComponent('😀'.repeat(60))]) {
        const body = Buffer.from(`000\r\n\0${name}`);
        const answer = await put(alice, `${files}/${name}`, body, { 'content-type': 'application/octet-stream' });
        assert.equal(answer.status, 201);
        const read = await alice(`${files}/${name}`);
        assert.deepEqual(Buffer.from(await read.arrayBuffer()), body);
        assert.equal(etagOf(read), etagOf(answer));
        const head = await alice(`${files}/${name}`, { method: 'HEAD' });
        assert.equal(head.headers.get('content-length'), String(body.length));
        assert.equal((await alice(`${files}/${etagOf(answer).slice(1, -1)}`)).status, 200);
        assert.equal((await alice(`${files}/${name}`, { method: 'DELETE' })).status, 204);
        assert.equal((await alice(`${files}/${name}`)).status, 404);
      }
    });

    it('are replaced by another PUT', async () => {
      const files = await room(`Replaced-${unique}`);
      const first = await put(alice, `${files}/a`, 'one');
      assert.equal((await put(alice, `${files}/A`, 'another name')).status, 201);
      const second = await put(alice, `${files}/a`, 'two', { 'if-match': etagOf(first) });
      assert.equal(second.status, 204);
      assert.equal(await (await alice(`${files}/a`)).text(), 'two');
      assert.equal((await alice(`${files}/${etagOf(first).slice(1, -1)}`)).status, 404, 'the old message is gone');
      assert.equal((await put(alice, `${files}/a`, 'three', { 'if-match': etagOf(first) })).status, 412);
      assert.equal((await put(alice, `${files}/a`, 'three', { 'if-none-match': '*' })).status, 412);
      assert.deepEqual(await hrefsOf(alice, files), [`/svc/${files}/`, `/svc/${files}/A`, `/svc/${files}/a`]);
    });

    it('are given once, however many ask at the same time', async () => {
      const files = await room(`Race-${unique}`);
      const bodies = Array.from({ length: 8 }, (_, i) => `text ${i}`);
      const create = { 'if-none-match': '*' };
      const created = await Promise.all(bodies.map((body) => put(alice, `${files}/new.txt`, body, create)));
      assert.deepEqual(created.map(({ status }) => status).sort(), [201, ...Array(7).fill(412)]);
      const put8 = await Promise.all(bodies.map((body) => put(alice, `${files}/new.txt`, body)));
      assert.deepEqual(
        put8.map(({ status }) => status),
        Array(8).fill(204),
      );
      assert.deepEqual(await hrefsOf(alice, files), [`/svc/${files}/`, `/svc/${files}/new.txt`]);
      assert.equal(((await (await alice(`${files}/msgs.all`)).json()) as number[]).length, 1);
    });

    it('keep empty files and multiparts', async () => {
      const files = await room(`Odd-${unique}`);
      assert.equal((await put(alice, `${files}/empty`, '')).status, 201);
      assert.equal(await (await alice(`${files}/empty`)).text(), '');
      const type = 'multipart/mixed; boundary=b';
      const body = '--b\r\n\r\ntext\r\n--b--';
      assert.equal((await put(alice, `${files}/m`, body, { 'content-type': type })).status, 201);
      const read = await alice(`${files}/m`);
      assert.equal(read.headers.get('content-type'), type);
      assert.equal(await read.text(), body);
      assert.match(await (await propfind(alice, `${files}/m`, '0')).text(), new RegExp(`length>${body.length}<`));
    });

    it('are not replaced by who may not delete', async () => {
      const path = `r/Town%20Square/mine-${unique}.txt`;
      assert.equal((await put(alice, path, 'hers')).status, 201);
      const before = await (await bob('r/Town%20Square/msgs.all')).text();
      assert.equal((await put(bob, path, 'his')).status, 403);
      assert.equal(await (await bob('r/Town%20Square/msgs.all')).text(), before, 'nothing was posted');
      assert.equal(await (await bob(path)).text(), 'hers');
    });

    it('are given to numbers and to `new`, too, but not to posts with parameters', async () => {
      const files = await room(`Posts-${unique}`);
      for (const [path, status] of [
        ['new', 201],
        ['999999', 201],
        ['x?subj=x', 201],
        ['x?wefw=', 201],
        ['new', 204],
      ] as const) {
        assert.equal((await put(alice, `${files}/${path}`, 'text')).status, status, path);
      }
      for (const name of ['new', '999999']) assert.equal(await (await alice(`${files}/${name}`)).text(), 'text', name);
      assert.equal((await alice(`${files}/x`)).status, 404);
      assert.equal((await hrefsOf(alice, files)).length, 5);
    });

    it('are given neither to numbers nor to `new` in a room of messages', async () => {
      for (const [name, status] of [
        ['new', 201],
        ['999999', 409],
      ] as const) {
        assert.equal((await put(alice, `r/Lobby/${name}`, 'text')).status, status, name);
        assert.equal((await alice(`r/Lobby/${name}`)).status, 404, name);
      }
    });

    it('cannot be what means something else', async () => {
      for (const [name, status] of [
        ['msgs.txt', 409],
        ['a%7Cb', 409],
        ['n'.repeat(256), 409],
        ['mailbox', 405],
        ['folder/a.txt', 409],
      ] as const) {
        assert.equal((await put(alice, `r/Lobby/${name}`, 'x')).status, status, name);
      }
    });

    it('are given in rooms that are there', async () => {
      for (const body of ['x', 'x'.repeat(SPOOL_MEMORY_BYTES + 1)]) {
        assert.equal((await put(alice, 'r/Nowhere/a.txt', body)).status, 409);
        assert.equal((await put(alice, 'r/Nowhere/new', body)).status, 404);
      }
    });
  });

  describe(`MOVE and COPY on ${where}`, () => {
    it('keep the name, or give another one', async () => {
      const from = await room(`From-${unique}`);
      const to = await room(`To-${unique}`);
      const etag = etagOf(await put(alice, `${from}/a.txt`, 'content', { 'content-type': 'text/x-own; a=b' }));
      assert.equal((await move(alice, 'COPY', `${from}/a.txt`, `/svc/${from}/b.txt`)).status, 201);
      assert.equal((await move(alice, 'COPY', `${from}/b.txt`, `${gateway.url}svc/${to}/b.txt`)).status, 201);
      assert.equal((await move(alice, 'MOVE', `${from}/a.txt`, `/svc/${to}/a.txt`)).status, 201);
      assert.equal((await move(alice, 'MOVE', `${from}/b.txt`, `/svc/${to}/c%20d.txt`)).status, 201);
      assert.deepEqual(await hrefsOf(alice, from), [`/svc/${from}/`]);
      const names = (await hrefsOf(alice, to)).slice(1).sort();
      assert.deepEqual(
        names,
        ['a.txt', 'b.txt', 'c%20d.txt'].map((name) => `/svc/${to}/${name}`),
      );
      for (const href of names) {
        const read = await alice(href);
        assert.equal(read.headers.get('content-type'), 'text/x-own; a=b');
        assert.equal(await read.text(), 'content');
      }
      assert.equal(etagOf(await alice(`${to}/a.txt`)), etag, 'the very message was moved');
    });

    it('replace what has the name there, unless they must not', async () => {
      const files = await room(`Over-${unique}`);
      const other = await room(`Other-${unique}`);
      await put(alice, `${files}/a`, 'a');
      await put(alice, `${files}/b`, 'b');
      await put(alice, `${other}/a`, 'other a');
      for (const destination of [`/svc/${files}/b`, `/svc/${other}/a`]) {
        for (const method of ['COPY', 'MOVE'] as const) {
          assert.equal(
            (await move(alice, method, `${files}/a`, destination, 'F')).status,
            412,
            `${method} ${destination}`,
          );
        }
      }
      assert.equal(await (await alice(`${files}/b`)).text(), 'b');
      assert.equal((await move(alice, 'COPY', `${files}/a`, `/svc/${other}/a`)).status, 204);
      assert.equal((await move(alice, 'MOVE', `${files}/a`, `/svc/${files}/b`)).status, 204);
      assert.deepEqual(await hrefsOf(alice, files), [`/svc/${files}/`, `/svc/${files}/b`]);
      assert.deepEqual(await hrefsOf(alice, other), [`/svc/${other}/`, `/svc/${other}/a`]);
      for (const path of [`${files}/b`, `${other}/a`]) assert.equal(await (await alice(path)).text(), 'a');
    });

    it('into a room as such replace nothing: the older message keeps the name', async () => {
      const files = await room(`Both-${unique}`);
      await put(alice, `${files}/a`, 'older');
      const into = await room(`Into-${unique}`);
      await move(alice, 'MOVE', `${files}/a`, `/svc/${into}/`);
      const number = etagOf(await put(alice, `${files}/a`, 'newer')).slice(1, -1);
      assert.equal((await move(alice, 'MOVE', `${files}/a`, `/svc/${into}/`)).status, 201);
      assert.deepEqual(await hrefsOf(alice, into), [`/svc/${into}/`, `/svc/${into}/a`, `/svc/${into}/${number}`]);
      assert.equal(await (await alice(`${into}/a`)).text(), 'older');
      assert.equal(await (await alice(`${into}/${number}`)).text(), 'newer');
    });

    it('rename a letter, too, but not where one may not delete, and give numbers as names alone', async () => {
      const files = await room(`Letters-${unique}`);
      const number = etagOf(await put(alice, `${files}/new?subj=letter`, 'letter')).slice(1, -1);
      assert.equal((await move(alice, 'MOVE', `${files}/%7C${number}`, `/svc/${files}/moved`)).status, 201);
      assert.equal((await move(alice, 'COPY', `${files}/moved`, `/svc/${files}/letter`)).status, 201);
      assert.equal((await move(alice, 'COPY', `${files}/letter`, `/svc/${files}/999999`)).status, 201);
      assert.equal(await (await alice(`${files}/999999`)).text(), 'letter');
      assert.equal((await move(alice, 'COPY', `${files}/letter`, '/svc/r/Lobby/999999')).status, 409);
      assert.equal((await move(alice, 'COPY', `${files}/letter`, `/svc/${files}/%7C999999`)).status, 409);
      assert.equal((await move(alice, 'COPY', `${files}/letter`, '/svc/r/Nowhere/letter2')).status, 409);
      assert.equal((await move(alice, 'COPY', `${files}/letter`, '/svc/r/Calendar/letter')).status, 403);
      const path = `r/Town%20Square/kept-${unique}`;
      await put(alice, path, 'kept');
      const before = await (await bob('r/Town%20Square/msgs.all')).text();
      assert.equal((await move(bob, 'MOVE', path, `/svc/${path}-2`)).status, 403);
      assert.equal((await move(bob, 'COPY', 'r/Lobby/1', `/svc/${path}`)).status, 403);
      assert.equal(
        (await move(bob, 'COPY', 'r/Lobby/1', `/svc/${path}`, 'F')).status,
        412,
        'he wanted to replace nothing',
      );
      assert.equal(await (await bob('r/Town%20Square/msgs.all')).text(), before);
    });
  });

  describe(`other methods on ${where}`, () => {
    it('OPTIONS tells the classes without a log-in, and the methods there are', async () => {
      for (const [path, method] of [
        ['r/', 'PROPFIND'],
        ['r/Lobby', 'PROPFIND'],
        ['r/Lobby/', 'MKCOL'],
        ['r/Lobby/a.txt', 'MOVE'],
      ] as const) {
        const answer = await gateway.api(path, { method: 'OPTIONS' });
        assert.equal(answer.status, 200, path);
        assert.match(
          answer.headers.get('dav')!,
          /^1, (2, )?3, extended-mkcol, calendar-access, .*\baddressbook$/,
          path,
        );
        assert.equal(answer.headers.get('ms-author-via'), 'DAV', path);
        const allow = answer.headers.get('allow')!.split(', ');
        for (const name of [method, 'GET', 'HEAD', 'OPTIONS', 'PROPFIND'])
          assert.ok(allow.includes(name), `${path} ${name}`);
      }
      const server = await sendRaw(gateway.url, rawRequest('OPTIONS', '*'));
      assert.match(server.head, /^HTTP\/1\.1 200 [\s\S]*\r\nDAV: 1, /);
      const elsewhere = await gateway.api('c/info', { method: 'OPTIONS' });
      assert.deepEqual([elsewhere.status, elsewhere.headers.get('dav')], [200, null]);
      assert.equal(elsewhere.headers.get('allow'), 'GET, HEAD, OPTIONS');
    });

    it('PROPPATCH is for who may change the room, and changes nothing that the server makes', async () => {
      const update = (names: string) => ({
        method: 'PROPPATCH',
        body: `<propertyupdate xmlns="DAV:"><set><prop>${names}</prop></set></propertyupdate>`,
      });
      assert.deepEqual(await told(await alice('r/Lobby/', update('<displayname>x</displayname>'))), [
        403,
        '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:need-privileges><D:resource>' +
          '<D:href>/svc/r/Lobby/</D:href><D:privilege><D:write-properties/></D:privilege></D:resource>' +
          '</D:need-privileges></D:error>\n',
      ]);
      const refused =
        '<D:propstat><D:prop><D:getetag/></D:prop><D:status>HTTP/1.1 403 Forbidden</D:status>' +
        '<D:error><D:cannot-modify-protected-property/></D:error></D:propstat>' +
        '<D:propstat><D:prop><D:displayname/></D:prop><D:status>HTTP/1.1 424 Failed Dependency</D:status>' +
        '</D:propstat>';
      const both = await alice('r/Calendar/', update('<getetag>x</getetag><displayname>x</displayname>'));
      assert.deepEqual(await told(both), [
        207,
        `${HEAD}<D:response><D:href>/svc/r/Calendar/</D:href>${refused}</D:response>\n</D:multistatus>\n`,
      ]);
      for (const path of ['r/Nowhere/', 'r/Lobby/nothing']) {
        assert.equal((await alice(path, update('<a/>'))).status, 404, path);
      }
    });

    it('PROPFIND of the rooms leaves out those that one has forgotten', async () => {
      const forgotten = 'r/Pinboard/';
      const isListed = async () => (await (await propfind(bob, 'r/', '1')).text()).includes(`/svc/${forgotten}<`);
      const zap = (is_zapped: boolean) =>
        bob(forgotten, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ is_zapped }),
        });
      assert.equal(await isListed(), true);
      assert.equal((await zap(true)).status, 204);
      assert.equal(await isListed(), false);
      assert.equal((await zap(false)).status, 204);
      assert.equal(await isListed(), true);
    });

    it('PROPFIND asks for one thing, and REPORT for what is there', async () => {
      for (const asked of ['<allprop/><propname/>', '<prop/><allprop/>', '<prop/><prop/>', '']) {
        const body = `<propfind xmlns="DAV:">${asked}</propfind>`;
        assert.equal((await propfind(alice, 'r/Lobby/', '0', body)).status, 400, asked);
      }
      const report = { method: 'REPORT', body: '<x xmlns="y"/>' };
      for (const path of ['r/Lobby/999999', 'r/Lobby/none.txt', 'r/Nowhere/']) {
        assert.equal((await alice(path, report)).status, 404, path);
      }
    });

    it('MKCOL makes a room of one’s own for files, and folders inside it', async () => {
      const made = await room(`Made-${unique}`);
      const again = await alice(made, { method: 'MKCOL' });
      assert.equal(again.status, 405, 'it exists');
      assert.match(
        again.headers.get('allow')!,
        /COPY, DELETE, GET, HEAD, LOCK, MOVE, OPTIONS/,
        'and so MKCOL is not allowed',
      );
      const spaced = await alice(`r/Made%20too-${unique}/`, { method: 'MKCOL' });
      assert.deepEqual([spaced.status, spaced.headers.get('location')], [201, `/svc/r/Made%20too-${unique}/`]);
      assert.equal((await bob(`${made}/`)).status, 404, 'it is nobody else’s');
      await put(alice, `${made}/a`, 'x');
      for (const [path, status] of [
        [`${made}/folder/deeper/`, 409],
        [`${made}/folder/`, 201],
        [`${made}/folder/deeper/`, 201],
        [`${made}/folder`, 405],
        [`${made}/a`, 405],
        [`${made}/a/b/`, 409],
        ['r/Lobby/folder/', 403],
        ['r/Lobby/folder/deeper/', 409],
        ['r/Nowhere/folder', 409],
        ['r/a%7Cb/', 400],
        ['r/', 405],
      ] as const) {
        assert.equal((await alice(path, { method: 'MKCOL' })).status, status, path);
      }
      assert.equal((await alice(`r/Body-${unique}/`, { method: 'MKCOL', body: '<a/>' })).status, 415);
      assert.equal((await gateway.api(`r/Nobody-${unique}/`, { method: 'MKCOL' })).status, 401);
    });
  });
}

describe('a long list', () => {
  it('is read in batches', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const alice = gateway.as('alice');
    await alice('r/Long/', { method: 'MKCOL' });
    const count = BATCH_MESSAGES + 1;
    for (let i = 0; i < count; i++) await put(alice, `r/Long/${i}.txt`, `message ${i}`);
    for (const _ of ['read', 'kept']) {
      const text = await (await propfind(alice, 'r/Long/', '1')).text();
      const lengths = [...text.matchAll(/<D:getcontentlength>(\d+)</g)].map((match) => Number(match[1]));
      assert.deepEqual(
        lengths,
        Array.from({ length: count }, (_, i) => `message ${i}`.length),
      );
    }
    await gateway.restart();
    const many = await Promise.all(Array.from({ length: 32 }, () => propfind(alice, 'r/Long/', '1').then(told)));
    for (const each of many) assert.deepEqual(each, many[0], 'many who ask first, at the same time');
    assert.deepEqual(many[0], await told(await propfind(alice, 'r/Long/', '1')));
    assert.equal(many[0]![0], 207);
  });

  it('of properties may be as long as a body may be', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const body = prop('<getetag/>');
    const padded = (size: number) => `${body}<!--${'x'.repeat(size - body.length - 7)}-->`;
    const asked = (size: number) => propfind(gateway.as('alice'), 'r/Lobby/', '0', padded(size));
    assert.equal((await asked(MAX_XML_BYTES)).status, 207);
    assert.equal((await asked(MAX_XML_BYTES + 1)).status, 413);
  });
});

describe('what one gateway stores', () => {
  it('another one finds, by name', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = await behindGateway(t, first);
    await first.as('alice')('r/Shared/', { method: 'MKCOL' });
    assert.equal((await put(first.as('alice'), 'r/Shared/a.txt', 'one')).status, 201);
    assert.equal(await (await second.as('alice')('r/Shared/a.txt')).text(), 'one');
    assert.deepEqual(await hrefsOf(second.as('alice'), 'r/Shared/'), ['/svc/r/Shared/', '/svc/r/Shared/a.txt']);
    assert.equal((await put(second.as('alice'), 'r/Shared/a.txt', 'two')).status, 204);
    assert.equal(await (await first.as('alice')('r/Shared/a.txt')).text(), 'two');
  });
});

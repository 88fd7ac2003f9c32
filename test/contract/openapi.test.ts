// static/openapi.json: that it is well made, that it and the route tables name the same things, and that what the
// gateway answers is what it says.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { DEEP_PATHS } from '../../src/gateway/folder/deep-path.ts';
import { STATUS_OF } from '../../src/http/problem.ts';
import { Router } from '../../src/http/router.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { type Schema, violations } from '../support/json-schema.ts';
import { type Answer, assertDocumented, deref, documented, METHODS, openapi, resolve } from '../support/openapi.ts';
import type { Init } from '../support/raw-http.ts';

const text = JSON.stringify(openapi);
const { components, paths } = openapi;

const table = routes('/svc/');
addDavRoutes(table, '/svc/');

/** `/svc/r/:room/:name`, `/r/{room}/{message}` → `/svc/r/{}/{}` */
const shape = (path: string) => path.replace(/\/[:*]\w+/g, '/{}').replace(/\{\w+\}/g, '{}');
const fullPath = ({ path, isOutside }: { path: string; isOutside: boolean }) => (isOutside ? path : `/svc${path}`);

/** The same paths, but what is found is the route's own name. */
const finder = new Router<string>();
for (const { method, pattern } of table.routes()) finder.add(method, pattern, `${method} ${shape(pattern)}`);

describe('openapi.json and the route tables', () => {
  it('lists every route', () => {
    const known = new Set(documented.map((one) => `${one.method} ${shape(fullPath(one))}`));
    // the root and the prefix answer alike
    for (const method of ['GET', 'PROPFIND', 'REPORT']) {
      for (const root of ['/svc', '/svc/']) known.add(`${method} ${root}`);
    }
    // a path into the folders of a files room is described where the path is one name
    const ofFiles = documented.filter(({ path }) => path === '/r/{room}/{message}').map(({ method }) => method);
    for (const path of DEEP_PATHS) for (const method of ofFiles) known.add(`${method} ${shape(`/svc/${path}`)}`);
    // one that takes every method is described by what most clients send
    const missing = table.routes().map(({ method, pattern }) => `${method === '*' ? 'GET' : method} ${shape(pattern)}`);
    assert.deepEqual(
      missing.filter((route) => !known.has(route)),
      [],
    );
  });

  it('lists nothing else', () => {
    for (const one of documented) {
      let path = fullPath(one);
      for (const { name, example, ...parameter } of one.parameters) {
        if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(example)));
      }
      const match = finder.match(one.method, path);
      const isOptions = one.method === 'OPTIONS' && match.kind === 'method';
      const wanted = `${one.method} ${shape(fullPath(one)).replace('/msgs.{}', '/{}')}`;
      const found = match.kind === 'found' ? match.value.replace('*', one.method) : isOptions && wanted;
      assert.equal(found, wanted, path);
    }
  });

  it('lists every status that an error can have', () => {
    const known = new Set(documented.flatMap(({ operation }) => Object.keys(operation.responses)));
    // before any route is asked: 414 and 431; where a path has no such method: 405
    const missing = Object.values(STATUS_OF).filter((status) => !known.has(String(status)));
    assert.deepEqual(missing, [414, 421, 431]);
  });
});

describe('openapi.json', () => {
  it('is OpenAPI 3.1 with a title, a version, a server and tags', () => {
    assert.match(openapi.openapi, /^3\.1\.\d+$/);
    assert.ok(openapi.info.title && openapi.info.version);
    assert.deepEqual(
      openapi.servers.map(({ url, variables }) => url.replace('{prefix}', variables.prefix!.default)),
      ['/svc'],
    );
    const used = new Set(documented.flatMap(({ operation }) => operation.tags));
    assert.deepEqual([...used].sort(), openapi.tags.map(({ name }) => name).sort());
  });

  it('has no reference that leads nowhere, and no component that nobody uses', () => {
    const references = new Set(Array.from(text.matchAll(/"\$ref":"([^"]*)"/g), ([, reference]) => reference!));
    for (const reference of references) resolve(reference);
    for (const [kind, named] of Object.entries(components)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(named)) {
        assert.ok(references.has(`#/components/${kind}/${name}`), `${kind}/${name} is not used`);
      }
    }
  });

  it('has each operation complete', () => {
    const ids = new Map<string, unknown>();
    for (const { method, path, operation, parameters } of documented) {
      const at = `${method} ${path}`;
      const { operationId, summary, tags, responses, requestBody, security } = operation;
      assert.ok(summary && tags.length === 1, at);
      assert.ok(!ids.has(operationId) || ids.get(operationId) === operation, `${at}: ${operationId} is not unique`);
      ids.set(operationId, operation);
      assert.match(operation['x-curl'], /^curl /, at);
      for (const scheme of (security ?? []).flatMap((one) => Object.keys(one))) {
        assert.ok(components.securitySchemes![scheme], `${at}: ${scheme}`);
      }
      const inPath = parameters.filter((one) => one.in === 'path');
      const placeholders = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      assert.deepEqual(inPath.map(({ name }) => name).sort(), placeholders.sort(), at);
      for (const { name, required, schema } of parameters) assert.ok(schema, `${at}: ${name} ${required}`);
      assert.ok(
        inPath.every(({ required, example }) => required && example !== undefined),
        at,
      );
      assert.equal(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size, parameters.length, at);
      if (requestBody) assert.ok(Object.keys(requestBody.content).length > 0, at);
      assert.ok(Object.keys(responses).length > 0, at);
      for (const [status, node] of Object.entries(responses)) {
        assert.match(status, /^[1-5]\d\d$/, at);
        const { description, content } = deref<Answer>(node);
        assert.ok(description, `${at} ${status}`);
        const isLogIn = operationId === 'logIn' && status === '401';
        if (Number(status) >= 400 && !isLogIn) assert.ok(content!['application/problem+json'], `${at} ${status}`);
      }
    }
    for (const [path, node] of Object.entries(paths)) {
      const allowed = [...METHODS, 'parameters', 'servers', 'x-dav-methods', '$ref'];
      assert.deepEqual(
        Object.keys(node).filter((key) => !allowed.includes(key)),
        [],
        path,
      );
    }
  });

  it('names no property as required that it does not describe', () => {
    JSON.parse(text, (key, value) => {
      const { required, properties } = (value ?? {}) as { required?: unknown; properties?: object };
      if (Array.isArray(required) && key !== 'examples') {
        for (const name of required) assert.ok(properties && Object.hasOwn(properties, name), `${key}: ${name}`);
      }
      return value;
    });
  });

  it('has examples that are as its schemas say', () => {
    for (const [name, node] of Object.entries(components.schemas!)) {
      const schema = node as Schema;
      for (const example of (schema.examples as unknown[] | undefined) ?? []) {
        assert.deepEqual(violations(example, schema, resolve), [], name);
      }
    }
    for (const { method, path, parameters } of documented) {
      for (const { name, example, schema } of parameters) {
        if (example !== undefined)
          assert.deepEqual(violations(example, schema, resolve), [], `${method} ${path} ${name}`);
      }
    }
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const asJson = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

describe('the answers of a gateway', async () => {
  const gateway = await startGateway({ after }, { demo: true });
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', 'secret');

  const checked = new Set<string>();

  /** Sends it and compares the answer with what is documented for the path; the answer's header fields. */
  async function check(api: Api, method: string, path: string, status: number, actual: string, init: Init = {}) {
    const response = await api(path.startsWith('/.well') || path === '/' ? actual : actual.slice(1), {
      ...init,
      method,
    });
    const at = `${method} ${actual}`;
    assert.equal(response.status, status, at);
    checked.add(`${method} ${path}`);
    await assertDocumented(method, path, response);
    return response;
  }

  it('are documented for everything that reads', async () => {
    const mail = [
      'Content-Type: message/rfc822',
      '',
      'From: Ann <ann@x>',
      'To: Bob <bob@x>',
      'Subject: in',
      '',
      'text',
    ];
    const body = ['--b', 'Content-Type: text/plain', '', 'hello', '--b', ...mail, '--b--', ''].join('\r\n');
    const headers = { 'content-type': 'multipart/mixed; boundary=b' };
    const put = await alice('r/Lobby/new?subj=outer&mailto=bob', { method: 'PUT', body, headers });
    const number = postedNumber(put);
    await admin('r/Lobby/info.txt', { method: 'PUT', body: 'A banner' });
    await admin('r/Lobby/roompic', { method: 'PUT', body: PNG, headers: { 'content-type': 'image/png' } });
    await alice('u/alice/bio', { method: 'PUT', body: 'about' });
    await alice('u/alice/userpic', { method: 'PUT', body: PNG, headers: { 'content-type': 'image/png' } });
    await bob('a/im', { method: 'POST', ...asJson({ to: 'alice', text: 'hello' }) });
    const upload = await alice('p?filename=a.txt', { method: 'POST', body: 'text' });
    const [{ ref }] = (await upload.json()) as [{ ref: string }];
    const [{ version }] = (await (await alice('r/Handbook/home/history')).json()) as [{ version: string }];
    const actualOf: Record<string, string> = {
      '/r/{room}/{message}/history': '/r/Handbook/home/history',
      '/r/{room}/{message}/history/{version}': `/r/Handbook/home/history/${version}`,
      '/r/{room}/{message}/history/{version}/json': `/r/Handbook/home/history/${version}/json`,
      '/f/{num}': '/f/0',
      '/s/{path}': '/s/openapi.json',
      '/src/{path}': '/src/mime/objects/offsets.ts',
      '/a/complete': '/a/complete?q=bo',
      '/a/recipient': '/a/recipient?q=bob',
      '/a/search': '/a/search?q=the',
      '/a/hits': '/a/hits?q=the&begun=1',
      '/r/{room}/members': '/r/Committee/members',
      '/r/{room}/slrp': '/r/Lobby/slrp?last=1',
      '/r/{room}/{message}/{part}/json': `/r/Lobby/${number}/2/json`,
      '/p/{id}': `/p/${ref}`,
    };
    const statusOf: Record<string, number> = {
      '/r/{room}/{message}/': 404,
      '/': 302,
      '/.well-known/{path}': 404,
      '/.well-known/caldav': 301,
      '/.well-known/carddav': 301,
      '/.well-known/caldav/': 301,
      '/.well-known/carddav/': 301,
      '/a/logout': 303,
      '/f': 308,
      '/r': 308,
      '/u': 308,
      '/r/{room}/slrp': 204,
    };
    for (const { method, path } of documented) {
      if (method !== 'GET' || path === '/a/events' || path.includes('/inbox/')) continue;
      const actual =
        actualOf[path] ??
        path
          .replace('{room}', 'Lobby')
          .replace('{user}', 'alice')
          .replace('{selector}', 'all')
          .replace('{message}', String(number))
          .replace('{part}', '1')
          .replace('{path}', 'none');
      const api = path === '/r/{room}/members' ? admin : alice;
      await check(api, 'GET', path, statusOf[path] ?? 200, actual);
    }
    await check(alice, 'GET', '/r/{room}/msgs.{selector}', 200, '/r/Lobby/msgs.search%7Cthe');
    for (const room of (await (await alice('r/')).json()) as { name: string }[]) {
      const at = `/r/${encodeURIComponent(room.name)}`;
      await check(alice, 'GET', '/r/{room}/', 200, `${at}/`);
      await check(alice, 'GET', '/r/{room}/mailbox', 200, `${at}/mailbox`);
      for (const msgnum of (await (await alice(`${at.slice(1)}/msgs.all`)).json()) as number[]) {
        await check(alice, 'GET', '/r/{room}/{message}/json', 200, `${at}/${msgnum}/json`);
      }
    }
  });

  it('are documented for what makes and changes things', async () => {
    const login = { username: 'alice', password: 'alice' };
    await check(gateway.api, 'POST', '/a/login', 200, '/a/login', { ...asJson(login) });
    await check(gateway.api, 'POST', '/a/login', 401, '/a/login', { ...asJson({ ...login, password: 'no' }) });
    await check(admin, 'POST', '/f/', 201, '/f/', asJson({ name: 'Attic' }));
    await check(admin, 'PATCH', '/f/{num}', 204, '/f/2', asJson({ name: 'Cellar' }));
    await check(admin, 'DELETE', '/f/{num}', 204, '/f/2');
    await check(alice, 'POST', '/r/', 201, '/r/', asJson({ name: 'Shed', kind: 'public' }));
    await check(alice, 'POST', '/r/', 409, '/r/', asJson({ name: 'Shed' }));
    await check(alice, 'PATCH', '/r/{room}/', 204, '/r/Shed/', asJson({ name: 'Barn', is_read_only: true }));
    await check(alice, 'PUT', '/r/{room}/info.txt', 204, '/r/Barn/info.txt', { body: 'hay' });
    await check(alice, 'PUT', '/r/{room}/{message}', 201, '/r/Barn/new', { body: 'text' });
    await check(alice, 'PUT', '/r/{room}/{message}', 400, '/r/Barn/new', { body: '' });
    await check(alice, 'PUT', '/r/{room}/{message}', 404, '/r/No%20such/new', { body: 'text' });
    await check(alice, 'PUT', '/r/{room}/members/{user}', 204, '/r/Barn/members/bob');
    const [msgnum] = (await (await alice('r/Barn/msgs.all')).json()) as number[];
    await check(alice, 'PATCH', '/r/{room}/{message}', 204, `/r/Barn/${msgnum}`, asJson({ seen: true }));
    await check(alice, 'PATCH', '/r/{room}/mailbox', 204, '/r/Barn/mailbox', asJson({ msgnums: [msgnum], seen: true }));
    await check(alice, 'COPY', '/r/{room}/{message}', 201, `/r/Barn/${msgnum}`, {
      headers: { destination: '/svc/r/Drafts/' },
    });
    await check(alice, 'PROPFIND', '/r/{room}/', 207, '/r/Barn/', { headers: { depth: '1' } });
    await check(alice, 'DELETE', '/r/{room}/{message}', 204, `/r/Barn/${msgnum}`);
    await check(alice, 'DELETE', '/r/{room}/', 204, '/r/Barn/');
    await check(alice, 'MKCOL', '/r/{room}/', 201, '/r/Box/');
    await check(alice, 'MKCOL', '/r/{room}/', 405, '/r/Box/');
    await bob('a/im'); // who asks for them gets them
    await check(alice, 'POST', '/a/im', 204, '/a/im', asJson({ to: 'bob', text: 'x' }));
    await check(alice, 'GET', '/r/{room}/feed', 200, '/r/Lobby/feed');
    const phone = asJson({ name: 'Telephone', scope: 'dav', password: 'alice' });
    await check(alice, 'POST', '/a/app-passwords', 201, '/a/app-passwords', phone);
    await check(alice, 'DELETE', '/a/app-passwords/{id}', 204, '/a/app-passwords/1');
    await check(alice, 'DELETE', '/a/app-passwords/{id}', 404, '/a/app-passwords/1');
    await check(alice, 'POST', '/a/password', 403, '/a/password', asJson({ old: 'wrong', new: 'other' }));
    await check(alice, 'POST', '/p', 201, '/p', { body: 'a file' });
    await check(alice, 'POST', '/u/', 403, '/u/', asJson({ username: 'carol', password: 'pw' }));
    await check(admin, 'POST', '/u/', 201, '/u/', asJson({ username: 'carol', password: 'pw' }));
    await check(admin, 'PATCH', '/u/{user}/', 204, '/u/carol/', asJson({ axlevel: 6 }));
    await check(admin, 'DELETE', '/u/{user}/', 204, '/u/carol/');
  });

  it('are documented for scheduling', async () => {
    const people = ['ORGANIZER:mailto:bob@HOST', 'ATTENDEE:mailto:alice@HOST'];
    const calendar = (method: string, kind: string, lines: string[]) =>
      ['BEGIN:VCALENDAR', 'VERSION:2.0', ...(method === '' ? [] : [`METHOD:${method}`]), `BEGIN:${kind}`, 'UID:plan']
        .concat('DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z', lines, `END:${kind}`, 'END:VCALENDAR', '')
        .join('\r\n')
        .replaceAll('HOST', host);
    const { email } = (await (await bob('a/whoami')).json()) as { email: string };
    const host = email.split('@')[1]!;
    const typed = { headers: { 'content-type': 'text/calendar' } };
    const event = { ...typed, body: calendar('', 'VEVENT', people) };
    await check(bob, 'PUT', '/r/{room}/{message}', 201, '/r/Calendar/plan.ics', event);
    await check(bob, 'PUT', '/r/{room}/{message}', 204, '/r/Calendar/plan.ics', event);
    await check(bob, 'GET', '/r/{room}/{message}', 200, '/r/Calendar/plan.ics');
    const list = await check(alice, 'PROPFIND', '/u/{user}/inbox/', 207, '/u/alice/inbox/', {
      headers: { depth: '1' },
    });
    const inbox = /\/u\/alice\/inbox\/\d+/.exec(await list.clone().text())![0];
    await check(alice, 'GET', '/u/{user}/inbox/{message}', 200, inbox);
    await check(alice, 'PROPFIND', '/u/{user}/inbox/{message}', 207, inbox);
    await check(alice, 'DELETE', '/u/{user}/inbox/{message}', 204, inbox);
    const xml = (body: string) => ({ headers: { 'content-type': 'application/xml' }, body });
    const query = xml('<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop/></sync-collection>');
    const patch = xml(
      '<propertyupdate xmlns="DAV:"><set><prop><displayname>x</displayname></prop></set></propertyupdate>',
    );
    for (const slash of ['', '/']) {
      await check(alice, 'PROPFIND', `/u/{user}/inbox${slash}`, 207, `/u/alice/inbox${slash}`);
      await check(bob, 'PROPFIND', `/u/{user}/inbox${slash}`, 403, `/u/alice/inbox${slash}`);
      await check(alice, 'REPORT', `/u/{user}/inbox${slash}`, 207, `/u/alice/inbox${slash}`, query);
      await check(alice, 'PROPFIND', `/u/{user}/outbox${slash}`, 207, `/u/alice/outbox${slash}`);
      for (const box of ['inbox', 'outbox']) {
        await check(alice, 'PROPPATCH', `/u/{user}/${box}${slash}`, 207, `/u/alice/${box}${slash}`, patch);
      }
      const busy = { ...typed, body: calendar('REQUEST', 'VFREEBUSY', ['DTEND:20260106T100000Z', ...people]) };
      await check(bob, 'POST', `/u/{user}/outbox${slash}`, 200, `/u/bob/outbox${slash}`, busy);
      await check(bob, 'POST', `/u/{user}/outbox${slash}`, 403, `/u/bob/outbox${slash}`, event);
    }
    const mail = { headers: { 'content-type': 'text/calendar' }, body: calendar('REQUEST', 'VEVENT', people) };
    const sent = await bob('r/_MAIL_/new?mailto=alice', { ...mail, method: 'PUT' });
    const at = `/r/_MAIL_/${postedNumber(sent)}/invitation`;
    await check(alice, 'POST', '/r/{room}/{message}/invitation', 200, at, asJson({ answer: 'tentative' }));
    await check(alice, 'POST', '/r/{room}/{message}/invitation', 400, at, asJson({}));
    await check(alice, 'POST', '/r/{room}/{message}/invitation', 409, '/r/Lobby/1/invitation', asJson({}));
  });

  it('are documented for what is refused', async () => {
    await check(gateway.api, 'GET', '/r/', 401, '/r/');
    await check(alice, 'GET', '/r/{room}/', 404, '/r/No%20such/');
    await check(alice, 'GET', '/r/{room}/', 400, '/r/%ff/');
    await check(alice, 'GET', '/r/{room}/msgs.{selector}', 400, '/r/Lobby/msgs.odd');
    await check(alice, 'GET', '/r/{room}/{message}', 404, '/r/Lobby/999999');
    await check(alice, 'GET', '/r/{room}/{message}', 416, '/r/Lobby/1', { headers: { range: 'bytes=9999999-' } });
    await check(alice, 'GET', '/r/{room}/{message}', 412, '/r/Lobby/1', { headers: { 'if-match': '"0"' } });
    await check(alice, 'GET', '/r/{room}/{message}', 304, '/r/Lobby/1', { headers: { 'if-none-match': '"1"' } });
    await check(alice, 'GET', '/p/{id}', 404, '/p/none');
  });

  it('are documented for every method of WebDAV and OPTIONS', async () => {
    const query = { body: '<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav"/>' };
    const change = {
      body:
        '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:getetag>x</D:getetag></D:prop></D:set>' +
        '</D:propertyupdate>',
    };
    const depth = { headers: { depth: '1' } };
    for (const name of ['caldav', 'carddav', 'caldav/', 'carddav/']) {
      await check(gateway.api, 'PROPFIND', `/.well-known/${name}`, 301, `/.well-known/${name}`);
    }
    const discovery = { '/': '/', '/u': '/u', '/u/': '/u/', '/u/{user}': '/u/bob', '/u/{user}/': '/u/alice/' };
    for (const [path, actual] of Object.entries(discovery)) {
      await check(alice, 'PROPFIND', path, 207, actual, depth);
      await check(alice, 'PROPFIND', path, 403, actual, { headers: { depth: 'infinity' } });
      await check(gateway.api, 'PROPFIND', path, 401, actual);
      await check(alice, 'REPORT', path, 403, actual, query);
      if (path.startsWith('/u/{')) await check(alice, 'PROPPATCH', path, 207, actual, change);
    }
    await check(alice, 'PROPFIND', '/', 207, '/svc', depth);
    await check(alice, 'PROPFIND', '/u/{user}/', 404, '/u/No%20such/', depth);
    const collections = { '/r': '/r', '/r/': '/r/', '/r/{room}': '/r/Lobby', '/r/{room}/': '/r/Lobby/' };
    for (const [path, actual] of Object.entries(collections)) {
      await check(alice, 'PROPFIND', path, 207, actual, depth);
      await check(alice, 'PROPFIND', path, 403, actual);
      await check(alice, 'PROPFIND', path, 400, actual, { body: '<!DOCTYPE a><a/>' });
      await check(gateway.api, 'PROPFIND', path, 401, actual);
      await check(alice, 'REPORT', path, 403, actual, query);
      await check(alice, 'REPORT', path, 400, actual);
      await check(gateway.api, 'REPORT', path, 401, actual);
      if (path !== '/r') await check(gateway.api, 'OPTIONS', path, 200, actual);
      await check(alice, 'PROPPATCH', path, 207, actual, change);
      if (!path.startsWith('/r/{')) continue;
      await check(alice, 'MKCOL', path, 405, actual);
      await check(alice, 'MKCALENDAR', path, 403, actual);
      await check(alice, 'MKCOL', path, 415, actual.replace('Lobby', 'No%20such'), { body: 'x' });
      for (const method of ['PROPFIND', 'REPORT']) {
        const none = actual.replace('Lobby', 'No%20such');
        await check(alice, method, path, 404, none, method === 'REPORT' ? query : depth);
      }
    }
    const message = '/r/{room}/{message}';
    for (const slash of ['', '/']) {
      await check(alice, 'MKCALENDAR', `${message}${slash}`, 403, `/r/Lobby/1${slash}`);
    }
    await check(alice, 'MKCALENDAR', '/r/{room}/', 201, '/r/Plans/');
    await check(gateway.api, 'OPTIONS', message, 200, '/r/Lobby/1');
    await check(alice, 'PROPFIND', message, 207, '/r/Lobby/1');
    await check(alice, 'PROPFIND', message, 404, '/r/Lobby/999999');
    await check(alice, 'PROPPATCH', message, 207, '/r/Lobby/1', change);
    await check(alice, 'REPORT', message, 403, '/r/Lobby/1', query);
    await check(alice, 'REPORT', message, 404, '/r/Lobby/999999', query);
    await check(alice, 'MKCOL', message, 403, '/r/Lobby/folder');
    await check(alice, 'MKCOL', `${message}/`, 403, '/r/Lobby/folder/');
    await check(alice, 'PROPFIND', `${message}/`, 404, '/r/Lobby/folder/');
    await check(alice, 'MKCOL', `${message}/{part}`, 409, '/r/Lobby/folder/deep');
    await check(alice, 'PUT', `${message}/{part}`, 409, '/r/Lobby/folder/deep', { body: 'x' });
    await check(alice, 'PROPFIND', `${message}/{part}`, 404, '/r/Lobby/folder/deep');

    await alice('r/Shelf/', { method: 'MKCOL' });
    const put = await check(alice, 'PUT', message, 201, '/r/Shelf/a.txt', { body: 'a' });
    for (const [path, actual] of [
      [`${message}/`, '/r/Deep/docs/'],
      [`${message}/{part}`, '/r/Deep/docs/a.txt'],
    ] as const) {
      const isFolder = actual.endsWith('/');
      await alice('r/Deep/', { method: 'MKCOL' });
      await check(alice, 'MKCOL', `${message}/`, isFolder ? 201 : 405, '/r/Deep/docs/');
      await check(alice, 'PUT', path, isFolder ? 405 : 201, actual, { body: 'a' });
      await check(alice, 'PROPPATCH', path, 207, actual, change);
      await check(alice, 'REPORT', path, 403, actual, query);
      for (const method of ['COPY', 'MOVE']) {
        const headers = { destination: `/svc${actual.replace('docs', method)}` };
        await check(alice, method, path, 201, actual, { headers });
      }
      await alice('r/Deep/gone/', { method: 'MKCOL' });
      if (isFolder) await check(alice, 'DELETE', path, 204, '/r/Deep/gone/');
      if (isFolder) await check(alice, 'MKCOL', path, 201, actual);
    }
    const lockInfo = {
      body:
        '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>' +
        '</D:lockinfo>',
    };
    await check(alice, 'MKCOL', `${message}/`, 201, '/r/Shelf/docs/');
    for (const [path, actual, isThere] of [
      ['/r/{room}/', '/r/Shelf/', true],
      ['/r/{room}', '/r/Shelf', true],
      [message, '/r/Shelf/a.txt', true],
      [message, '/r/Shelf/free.txt', false],
      [`${message}/`, '/r/Shelf/docs/', true],
      [`${message}/{part}`, '/r/Shelf/docs/c.txt', false],
    ] as const) {
      await check(gateway.api, 'LOCK', path, 401, actual, lockInfo);
      const locked = await check(alice, 'LOCK', path, isThere ? 200 : 201, actual, lockInfo);
      await check(alice, 'LOCK', path, 423, actual, lockInfo);
      await check(alice, 'DELETE', path, 423, actual);
      await check(alice, 'UNLOCK', path, 409, actual, { headers: { 'lock-token': '<urn:x>' } });
      await check(alice, 'UNLOCK', path, 400, actual);
      await check(alice, 'UNLOCK', path, 204, actual, { headers: { 'lock-token': locked.headers.get('lock-token')! } });
    }
    await check(alice, 'PUT', message, 204, '/r/Shelf/a.txt', { body: 'b' });
    await check(alice, 'PUT', message, 412, '/r/Shelf/a.txt', { body: 'b', headers: { 'if-none-match': '*' } });
    await check(alice, 'MOVE', message, 409, '/r/Shelf/a.txt', { headers: { destination: '/svc/r/No%20such/' } });
    await check(alice, 'MOVE', message, 502, '/r/Shelf/a.txt', { headers: { destination: 'http://other/svc/r/x/' } });
    await check(alice, 'MOVE', message, 201, '/r/Shelf/a.txt', { headers: { destination: '/svc/r/Shelf/b.txt' } });
    await alice('r/Shelf/a.txt', { method: 'PUT', body: 'a' });
    await check(alice, 'MOVE', message, 204, '/r/Shelf/a.txt', { headers: { destination: '/svc/r/Shelf/b.txt' } });
    await check(alice, 'MOVE', message, 400, '/r/Shelf/b.txt');
    assert.ok(put.headers.has('etag'));
    for (const [path, slash] of [
      ['/r/{room}', ''],
      ['/r/{room}/', '/'],
    ] as const) {
      const to = (room: string) => ({ headers: { destination: `/svc/r/${room}/` } });
      await check(alice, 'COPY', path, 201, `/r/Shelf${slash}`, to('Other'));
      await check(alice, 'COPY', path, 404, `/r/No%20such${slash}`, to('Other'));
      await check(alice, 'MOVE', path, 201, `/r/Other${slash}`, to('Third'));
      await check(alice, 'MOVE', path, 400, `/r/Third${slash}`);
      await alice('r/Third/', { method: 'DELETE' });
    }
  });

  it('are documented for streams, other forms, and the end of things', async () => {
    const ending = new AbortController();
    const stream = await alice('a/events', { signal: ending.signal });
    const { status, headers } = stream;
    ending.abort();
    await assertDocumented('GET', '/a/events', new Response('', { status, headers }));
    checked.add('GET /a/events');
    await check(gateway.api, 'GET', '/a/events', 401, '/a/events');
    await check(alice, 'GET', '/a/events', 400, '/a/events?after=x');

    const text = { accept: 'text/plain' };
    await check(alice, 'GET', '/a/whoami', 200, '/a/whoami', { headers: text });
    await check(alice, 'GET', '/a/biff', 200, '/a/biff', { headers: text });
    await check(alice, 'GET', '/r/{room}/{message}', 200, '/r/Lobby/1?format=rfc822');
    await check(alice, 'GET', '/r/{room}/{message}', 206, '/r/Lobby/1', { headers: { range: 'bytes=0-3' } });
    await check(alice, 'GET', '/r/{room}/{message}/{part}', 304, '/r/Lobby/1/1', { headers: { 'if-none-match': '*' } });
    for (const [path, actual] of Object.entries({
      '/s/{path}': '/s/landing.js',
      '/a/landing.html': '/a/landing.html',
      '/a/worker.js': '/a/worker.js',
    })) {
      const { headers } = await check(gateway.api, 'GET', path, 200, actual, { headers: { 'accept-encoding': 'br' } });
      await check(gateway.api, 'GET', path, 206, actual, { headers: { range: 'bytes=0-3' } });
      await check(gateway.api, 'GET', path, 304, actual, {
        headers: { 'if-modified-since': headers.get('last-modified')! },
      });
      await check(gateway.as('alice', 'wrong'), 'GET', path, 401, actual);
    }
    await check(gateway.api, 'GET', '/s/{path}', 404, '/s/none', { headers: { accept: 'text/html' } });

    const upload = await alice('p/?filename=a.txt', { method: 'POST', body: 'text' });
    const [{ ref }] = (await upload.json()) as [{ ref: string }];
    await check(alice, 'POST', '/p/', 201, '/p/', { body: 'text' });
    await check(alice, 'GET', '/p/{id}', 206, `/p/${ref}`, { headers: { range: 'bytes=0-1' } });
    await check(alice, 'DELETE', '/p/{id}', 204, `/p/${ref}`);
    await check(alice, 'DELETE', '/p/{id}', 404, `/p/${ref}`);
    await check(alice, 'POST', '/p', 400, '/p', { body: 'x', headers: { 'content-type': 'multipart/form-data' } });

    const image = { body: PNG, headers: { 'content-type': 'image/png' } };
    await alice('r/', { method: 'POST', ...asJson({ name: 'Studio' }) });
    await check(alice, 'PUT', '/r/{room}/roompic', 204, '/r/Studio/roompic', image);
    await check(alice, 'DELETE', '/r/{room}/roompic', 204, '/r/Studio/roompic');
    await check(alice, 'PUT', '/r/{room}/info.txt', 204, '/r/Studio/info.txt', { body: 'A banner' });
    await check(alice, 'DELETE', '/r/{room}/info.txt', 204, '/r/Studio/info.txt');
    await check(alice, 'PUT', '/r/{room}/members/{user}', 204, '/r/Studio/members/bob');
    await check(alice, 'DELETE', '/r/{room}/members/{user}', 204, '/r/Studio/members/bob');
    await check(alice, 'PATCH', '/r/{room}', 204, '/r/Studio', asJson({ name: 'Atelier' }));
    await check(alice, 'DELETE', '/r/{room}', 204, '/r/Atelier');
    await check(alice, 'PUT', '/u/{user}/userpic', 204, '/u/alice/userpic', image);
    await check(alice, 'PUT', '/u/{user}/userpic', 415, '/u/alice/userpic', { body: 'x' });
    await check(alice, 'DELETE', '/u/{user}/userpic', 204, '/u/alice/userpic');
    await check(alice, 'GET', '/u/{user}/userpic', 404, '/u/alice/userpic');
    await check(alice, 'PUT', '/u/{user}/bio', 204, '/u/alice/bio', { body: 'about' });
    await check(alice, 'DELETE', '/u/{user}/bio', 204, '/u/alice/bio');
    await admin('u/', { method: 'POST', ...asJson({ username: 'dora', password: 'pw' }) });
    await check(admin, 'PATCH', '/u/{user}', 204, '/u/dora', asJson({ axlevel: 5 }));
    await check(alice, 'DELETE', '/u/{user}', 403, '/u/dora');
    await check(admin, 'DELETE', '/u/{user}', 204, '/u/dora');
    await check(alice, 'POST', '/a/logout', 204, '/a/logout');
    await check(alice, 'POST', '/a/login', 400, '/a/login', asJson({}));
  });

  it('are documented for every operation there is', () => {
    const missing = documented.map(({ method, path }) => `${method} ${path}`).filter((one) => !checked.has(one));
    assert.deepEqual(missing, []);
  });

  it('are documented at the address where the document itself is found', async () => {
    const response = await gateway.api('s/openapi.json');
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(await response.json(), openapi);
  });
});

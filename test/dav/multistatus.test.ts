// Bodies of PROPFIND and PROPPATCH, and the responses that answer them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { propertiesResponse, sendMultistatus } from '../../src/dav/multistatus.ts';
import { parsePropfind, parseProppatch } from '../../src/dav/propfind-body.ts';
import { elementMaker, LIVE_PROPERTIES, type Resource } from '../../src/dav/resource.ts';
import { readXml } from '../../src/dav/xml-read.ts';
import { element, emptyElement } from '../../src/dav/xml-write.ts';
import { AppError } from '../../src/errors.ts';
import { listen } from '../../src/http/listener.ts';
import { MAX_COLLECTED_XML_BYTES, MAX_DAV_PROPERTIES } from '../../src/limits/dav.ts';

const xml = (text: string) => readXml(Buffer.from(text));
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'bad_request';

describe('the body of a PROPFIND', () => {
  const propfind = (inner: string) => parsePropfind(xml(`<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`));

  it('asks for everything when there is none', () => {
    assert.deepEqual(parsePropfind(undefined), { kind: 'all', include: [] });
  });

  it('asks for all properties, their names, or some', () => {
    assert.deepEqual(propfind('<D:allprop/>'), { kind: 'all', include: [] });
    assert.deepEqual(propfind('<D:allprop/><D:include><a xmlns="u"/></D:include>'), {
      kind: 'all',
      include: [{ namespace: 'u', name: 'a' }],
    });
    assert.deepEqual(propfind('<D:propname/>'), { kind: 'names' });
    assert.deepEqual(propfind('<D:prop><D:getetag/><x:getetag xmlns:x="u"/><D:getetag/></D:prop>'), {
      kind: 'some',
      properties: [
        { namespace: 'DAV:', name: 'getetag' },
        { namespace: 'u', name: 'getetag' },
      ],
    });
  });

  it('passes over what it does not know', () => {
    assert.deepEqual(propfind('<x:extra xmlns:x="u"/><D:propname/><D:later/>'), { kind: 'names' });
  });

  it('is refused when it asks for nothing, for two things, or is something else', () => {
    for (const inner of ['', '<x:prop xmlns:x="u"/>', '<D:prop/><D:allprop/>', '<D:propname/><D:propname/>']) {
      assert.throws(() => propfind(inner), isRefusal, inner);
    }
    assert.throws(() => parsePropfind(xml('<propfind xmlns="u"><allprop/></propfind>')), isRefusal);
  });

  it('names a bounded number of properties', () => {
    const many = (count: number) =>
      propfind(`<D:prop>${Array.from({ length: count }, (_, i) => `<a${i}/>`).join('')}</D:prop>`);
    many(MAX_DAV_PROPERTIES);
    assert.throws(() => many(MAX_DAV_PROPERTIES + 1), isRefusal);
  });
});

describe('the body of a PROPPATCH', () => {
  const proppatch = (inner: string) =>
    parseProppatch(xml(`<D:propertyupdate xmlns:D="DAV:">${inner}</D:propertyupdate>`));

  it('names the properties that are set and removed', () => {
    const inner =
      '<D:set><D:prop><a>1</a><D:displayname>x</D:displayname></D:prop></D:set><D:remove><D:prop><b/></D:prop></D:remove>';
    assert.deepEqual(
      proppatch(inner).map(({ name }) => name),
      ['a', 'displayname', 'b'],
    );
  });

  it('is refused without a property', () => {
    assert.throws(() => proppatch('<D:set/>'), isRefusal);
    assert.throws(() => parseProppatch(undefined), isRefusal);
  });
});

describe('a response', () => {
  it('groups properties by status and leaves empty groups out', () => {
    const found = { status: 200, properties: [element('D:getetag', '"1"')] };
    const missing = { status: 404, properties: [emptyElement('u', 'a')] };
    const start = '<D:response><D:href>/svc/r/A/1</D:href>';
    const ok =
      '<D:propstat><D:prop><D:getetag>"1"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>';
    const notFound =
      '<D:propstat><D:prop><x:a xmlns:x="u"/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>';
    assert.equal(propertiesResponse('/svc/r/A/1', [found, missing]).text, `${start}${ok}${notFound}</D:response>`);
    assert.equal(
      propertiesResponse('/svc/r/A/1', [{ status: 200, properties: [] }, missing]).text,
      `${start}${notFound}</D:response>`,
    );
  });

  it('has one empty group when there is nothing to tell', () => {
    assert.equal(
      propertiesResponse('/', []).text,
      '<D:response><D:href>/</D:href><D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>',
    );
  });
});

describe('a multistatus', () => {
  const responseOf = (i: number) => element('D:response', element('D:href', `/svc/r/A/${i}`));
  async function* responses(count: number, fault?: Error) {
    for (let i = 0; i < count; i++) yield [responseOf(i)];
    if (fault) throw fault;
  }
  const serve = async (t: TestContext, count: number, fault?: Error) => {
    const listener = await listen({
      host: '127.0.0.1',
      port: 0,
      trustProxy: false,
      handle: (exchange) => sendMultistatus(exchange, responses(count, fault)),
      logError: () => {},
    });
    t.after(() => listener.close());
    return fetch(listener.url, { headers: { 'accept-encoding': 'gzip' } });
  };
  const documentOf = (count: number) =>
    `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n${Array.from({ length: count }, (_, i) => `${responseOf(i).text}\n`).join('')}</D:multistatus>\n`;

  it('is sent whole and packed while it is short, streamed when it is long', async (t) => {
    for (const [count, encoding] of [
      [0, null],
      [100, 'gzip'],
      [40_000, null],
    ] as const) {
      const answer = await serve(t, count);
      assert.equal(answer.status, 207);
      assert.equal(answer.headers.get('content-encoding'), encoding, String(count));
      assert.equal(await answer.text(), documentOf(count));
    }
    assert.ok(documentOf(40_000).length > MAX_COLLECTED_XML_BYTES);
  });

  it('never looks complete when it is not', async (t) => {
    assert.equal((await serve(t, 100, new AppError('backend_lost', 'gone'))).status, 502);
    await assert.rejects((await serve(t, 40_000, new AppError('backend_lost', 'gone'))).text());
  });
});

describe('live properties', () => {
  const tell = (resource: Partial<Resource>) =>
    LIVE_PROPERTIES.map(
      (property) => elementMaker(property)?.({ href: '/', isCollection: false, displayName: 'n', ...resource })?.text,
    ).filter((text) => text !== undefined);

  it('of a message', () => {
    const facts = { created: 0, modified: 951782400, contentType: 'text/plain', length: 0, etag: '"7"' };
    assert.deepEqual(tell(facts), [
      '<D:resourcetype/>',
      '<D:displayname>n</D:displayname>',
      '<D:getcontentlength>0</D:getcontentlength>',
      '<D:getcontenttype>text/plain</D:getcontenttype>',
      '<D:getetag>"7"</D:getetag>',
      '<D:getlastmodified>Tue, 29 Feb 2000 00:00:00 GMT</D:getlastmodified>',
      '<D:creationdate>1970-01-01T00:00:00Z</D:creationdate>',
      '<D:supportedlock/>',
      '<D:lockdiscovery/>',
    ]);
  });

  it('of a room, which has no length, no type and no ETag', () => {
    assert.deepEqual(tell({ isCollection: true }), [
      '<D:resourcetype><D:collection/></D:resourcetype>',
      '<D:displayname>n</D:displayname>',
      '<D:supportedlock/>',
      '<D:lockdiscovery/>',
    ]);
  });

  it('are those of the namespace DAV: only', () => {
    assert.equal(elementMaker({ namespace: 'u', name: 'displayname' }), undefined);
    assert.equal(elementMaker({ namespace: 'DAV:', name: 'constructor' }), undefined);
  });
});

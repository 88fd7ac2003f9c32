// The responses that answer PROPFIND and PROPPATCH (RFC 4918 section 13).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { propertiesResponse, sendMultistatus } from '../../src/dav/multistatus.ts';
import { documentStart, element, emptyElement, type Markup } from '../../src/dav/xml-write.ts';
import { AppError } from '../../src/errors.ts';
import { listen } from '../../src/http/listener.ts';
import { MAX_COLLECTED_XML_BYTES, MAX_COLLECTING_XML_MS } from '../../src/limits/dav.ts';

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
      '<D:response><D:href>/</D:href><D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' +
        '</D:response>',
    );
  });
});

describe('a multistatus', () => {
  const responseOf = (i: number) => element('D:response', element('D:href', `/svc/r/A/${i}`));
  async function* responses(count: number, fault?: Error) {
    for (let i = 0; i < count; i++) yield [responseOf(i)];
    if (fault) throw fault;
  }
  const serve = (t: TestContext, count: number, fault?: Error) => serving(t, () => responses(count, fault));
  const serving = async (t: TestContext, make: () => AsyncIterable<Markup[]>) => {
    const listener = await listen({
      at: { host: '127.0.0.1', port: 0 },
      trustProxy: false,
      handle: (exchange) => sendMultistatus(exchange, make()),
      logError: () => {},
    });
    t.after(() => listener.close());
    return fetch(listener.url, { headers: { 'accept-encoding': 'gzip' } });
  };
  const documentOf = (count: number) =>
    `${documentStart('D:multistatus')}\n` +
    `${Array.from({ length: count }, (_, i) => `${responseOf(i).text}\n`).join('')}</D:multistatus>\n`;

  it('is sent whole while it is short, streamed when it is long, and packed either way', async (t) => {
    for (const [count, encoding] of [
      [0, null],
      [100, 'gzip'],
      [40_000, 'gzip'],
    ] as const) {
      const answer = await serve(t, count);
      assert.equal(answer.status, 207);
      assert.equal(answer.headers.get('content-encoding'), encoding, String(count));
      assert.equal(answer.headers.has('content-length'), count < 40_000);
      assert.equal(await answer.text(), documentOf(count));
    }
    assert.ok(documentOf(40_000).length > MAX_COLLECTED_XML_BYTES);
  });

  it('never looks complete when it is not', async (t) => {
    assert.equal((await serve(t, 100, new AppError('backend_lost', 'gone'))).status, 502);
    await assert.rejects((await serve(t, 40_000, new AppError('backend_lost', 'gone'))).text());
  });

  it('begins while the next response is still waited for, with those that are there', async (t) => {
    const rest = Promise.withResolvers<void>();
    const answer = await serving(t, async function* () {
      yield [responseOf(0)];
      await rest.promise;
      yield [responseOf(1)];
      yield [responseOf(2)];
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(responseOf(0).text)) text += (await reader.read()).value;
    rest.resolve();
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    assert.equal(text, documentOf(3));
  });

  it('breaks off where one fails that was waited for', async (t) => {
    const answer = await serving(t, async function* () {
      yield [responseOf(0)];
      await setTimeout(2 * MAX_COLLECTING_XML_MS);
      throw new AppError('backend_lost', 'gone');
    });
    assert.equal(answer.status, 207);
    await assert.rejects(answer.text());
  });
});

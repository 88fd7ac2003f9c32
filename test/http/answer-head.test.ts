// Heads of answers: their fields, and what becomes of the connection when the request's body has not come.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asJson, asPlainText, send, sendEmpty } from '../../src/http/respond.ts';
import { MAX_DISCARD_BYTES } from '../../src/limits/http.ts';
import { exchangeRaw, head, serve } from './serving.ts';

describe('the head of an answer', () => {
  it('has several fields of one name, those added on the way among them, and none without a value', async (t) => {
    const site = await serve(t, (exchange) => {
      exchange.addHeader('Set-Cookie', 'c=3');
      return send(exchange, 200, asJson(1), {
        'Set-Cookie': ['a=1', 'b=2'],
        'Cache-Control': 'max-age=5',
        'X-A': undefined,
      });
    });
    const answer = await fetch(site.url);
    assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2', 'c=3']);
    assert.equal(answer.headers.get('cache-control'), 'max-age=5');
    assert.ok(!answer.headers.has('x-a'));
  });

  it('never lets a value end its field', async (t) => {
    const site = await serve(t, (exchange) =>
      sendEmpty(exchange, 204, { 'X-A': decodeURIComponent(exchange.rawPath.slice(1)) }),
    );
    assert.equal((await fetch(`${site.url}/fine%C3%AB`)).status, 204);
    for (const value of ['a%0D%0AX-B:%20c', 'a%00', '%E2%82%AC']) {
      const answer = await fetch(`${site.url}/${value}`);
      assert.equal(answer.status, 500, value);
      assert.ok(!answer.headers.has('x-b'));
    }
    assert.equal(site.logged.length, 3);
  });

  it('closes the connection where more of a body is to come than is read away', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText('no')));
    const headOf = async (length: number) => {
      const isWhole = (text: string) => text.includes('\r\n\r\nno');
      return exchangeRaw(site.port, head('POST /', `Content-Length: ${length}`), isWhole);
    };
    assert.match(await headOf(MAX_DISCARD_BYTES), /\r\nConnection: keep-alive\r\n/i);
    assert.match(await headOf(MAX_DISCARD_BYTES + 1), /\r\nConnection: close\r\n/i);
  });
});

// Conditions and ranges of what has identity, and what is kept of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Representation, sendRepresentation } from '../../src/http/representation.ts';
import { MAX_KEPT_REPLY_BYTES } from '../../src/limits/http.ts';
import { serve } from './serving.ts';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('representations', () => {
  const content = Buffer.from('0123456789');
  const file: Representation = {
    contentType: 'text/plain',
    size: 10,
    etag: '"7"',
    lastModified: 784111777,
    headers: { 'Cache-Control': 'private' },
    open: (start, end) => content.subarray(start, end),
  };
  const streamed: Representation = {
    ...file,
    open: (start, end) => pieces(...content.subarray(start, end).toString()),
  };

  for (const [name, representation] of Object.entries({ held: file, streamed })) {
    it(`are sent whole or in part (${name})`, async (t) => {
      const site = await serve(t, (exchange) => sendRepresentation(exchange, representation));
      const ask = (headers: Record<string, string>) => fetch(site.url, { headers });
      const whole = await ask({});
      assert.equal(whole.status, 200);
      assert.equal(whole.headers.get('accept-ranges'), 'bytes');
      assert.equal(whole.headers.get('last-modified'), 'Sun, 06 Nov 1994 08:49:37 GMT');
      assert.equal(await whole.text(), '0123456789');
      const part = await ask({ Range: 'bytes=2-4' });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), 'bytes 2-4/10');
      assert.equal(part.headers.get('content-length'), '3');
      assert.equal(await part.text(), '234');
      assert.equal(await (await ask({ Range: 'bytes=-1', 'If-Range': '"7"' })).text(), '9');
      assert.equal((await ask({ Range: 'bytes=0-1', 'If-Range': '"6"' })).status, 200);
      assert.equal((await ask({ Range: 'bytes=0-1,3-4' })).status, 200);
    });
  }

  it('answer a range beyond the end with 416 and the size', async (t) => {
    const site = await serve(t, (exchange) => sendRepresentation(exchange, file));
    const answer = await fetch(site.url, { headers: { Range: 'bytes=10-' } });
    assert.equal(answer.status, 416);
    assert.equal(answer.headers.get('content-range'), 'bytes */10');
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  });

  it('answer 304 with the validators and 412, without opening anything', async (t) => {
    const site = await serve(t, (exchange) =>
      sendRepresentation(exchange, { ...file, open: () => assert.fail('opened') }),
    );
    const fresh = await fetch(site.url, { headers: { 'If-None-Match': '"7"' } });
    assert.equal(fresh.status, 304);
    assert.equal(fresh.headers.get('etag'), '"7"');
    assert.equal(fresh.headers.get('cache-control'), 'private');
    assert.equal((await fetch(site.url, { headers: { 'If-Match': '"8"' } })).status, 412);
    const asked = await fetch(site.url, { method: 'HEAD', headers: { Range: 'bytes=0-1' } });
    assert.deepEqual([asked.status, asked.headers.get('content-length')], [200, '10']);
    assert.deepEqual(site.logged, []);
  });

  it('have no ranges while their size is not known', async (t) => {
    const site = await serve(t, (exchange) => sendRepresentation(exchange, { ...streamed, size: undefined }));
    const answer = await fetch(site.url, { headers: { Range: 'bytes=0-1' } });
    assert.deepEqual([answer.status, answer.headers.get('accept-ranges')], [200, null]);
    assert.equal(await answer.text(), '0123456789');
  });

  for (const [name, representation] of Object.entries({ held: file, streamed })) {
    it(`are kept when they are sent as a whole, for whatever is asked later (${name})`, async (t) => {
      let kept: ((exchange: Exchange) => Promise<void> | undefined) | undefined;
      const site = await serve(t, (exchange) => {
        if (kept) return kept(exchange);
        exchange.keep = (size, reply) => {
          assert.equal(size, 10);
          kept = reply;
        };
        return sendRepresentation(exchange, representation);
      });
      const ask = (headers: Record<string, string>, method = 'GET') => fetch(site.url, { method, headers });
      for (const headers of [{ Range: 'bytes=2-4' }, { 'If-None-Match': '"7"' }]) await (await ask(headers)).text();
      await (await ask({}, 'HEAD')).text();
      assert.equal(kept, undefined, 'a part of it is not all');
      assert.equal(await (await ask({})).text(), '0123456789');
      assert.ok(kept);
      const again = await ask({});
      assert.equal(await again.text(), '0123456789');
      assert.equal(again.headers.get('etag'), '"7"');
      assert.equal(await (await ask({ Range: 'bytes=2-4' })).text(), '234');
      assert.equal((await ask({ 'If-None-Match': '"7"' })).status, 304);
      assert.equal((await ask({}, 'HEAD')).headers.get('content-length'), '10');
    });
  }

  it('are not kept where they are long, or were broken off', async (t) => {
    const bodies: [bytes: number, size: number, isKept: boolean][] = [
      [MAX_KEPT_REPLY_BYTES, MAX_KEPT_REPLY_BYTES, true],
      [MAX_KEPT_REPLY_BYTES + 1, MAX_KEPT_REPLY_BYTES + 1, false],
      [9, 10, false],
    ];
    for (const [bytes, size, isKept] of bodies) {
      let kept = false;
      const site = await serve(t, (exchange) => {
        exchange.keep = () => (kept = true);
        return sendRepresentation(exchange, { ...file, size, open: () => pieces('x'.repeat(bytes)) });
      });
      const taken = fetch(site.url).then((answer) => answer.text());
      await (bytes === size ? taken : assert.rejects(taken));
      assert.equal(kept, isKept, `${bytes} of ${size}`);
    }
  });
});

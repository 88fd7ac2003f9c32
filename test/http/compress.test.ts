// What of an answer is packed, and that it comes back.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseContentCoding, compress, isCompressible } from '../../src/http/compress.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { MAX_COMPRESS_BYTES, MIN_COMPRESS_BYTES } from '../../src/limits/http.ts';

describe('what is packed', () => {
  it('is text in the widest sense, and nothing that is packed already', () => {
    const types = ['text/plain', 'text/html; charset=utf-8', 'application/json', 'application/problem+json'];
    types.push('application/xml', 'image/svg+xml', 'application/javascript', 'application/wasm');
    for (const type of types) assert.ok(isCompressible(type, MIN_COMPRESS_BYTES), type);
    for (const type of ['image/png', 'application/zip', 'application/jsonx', 'x-text/plain', 'application/gzip', '']) {
      assert.ok(!isCompressible(type, MIN_COMPRESS_BYTES), type);
    }
  });

  it('is neither too small nor too large', () => {
    const sizes = [MIN_COMPRESS_BYTES - 1, MIN_COMPRESS_BYTES, MAX_COMPRESS_BYTES, MAX_COMPRESS_BYTES + 1];
    assert.deepEqual(
      sizes.map((size) => isCompressible('text/plain', size)),
      [false, true, true, false],
    );
  });
});

describe('a content coding', () => {
  const chosen = (accepted: string | undefined) =>
    chooseContentCoding({ header: () => accepted } as Partial<Exchange> as Exchange);

  it('is one that the client asks for, brotli first where it does not care', () => {
    assert.equal(chosen('gzip, br'), 'br');
    assert.equal(chosen('gzip;q=1, br;q=0.5'), 'gzip');
    assert.equal(chosen('gzip'), 'gzip');
    for (const accepted of [undefined, '', 'zstd', 'br;q=0', 'identity']) assert.equal(chosen(accepted), undefined);
  });

  it('gives back what was packed, be it text or bytes', async () => {
    const text = 'ë '.repeat(2000);
    for (const content of [text, Buffer.from(text)]) {
      const [br, gzip] = await Promise.all([compress('br', content), compress('gzip', content)]);
      assert.equal(String(brotliDecompressSync(br)), text);
      assert.equal(String(gunzipSync(gzip)), text);
      assert.ok(br.length < 500 && gzip.length < 500);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listingText } from '../../../src/backend/content/message-text.ts';
import { collectText, decodeWireText } from '../../../src/backend/session/reply.ts';

describe('collectText', () => {
  const collected = (size: number, max: number): string | undefined => {
    let got: string | undefined;
    const sink = collectText(max, (text) => {
      got = text;
      return '';
    });
    sink.write(Buffer.from(`${'x'.repeat(size - 1)}\n`));
    sink.end();
    return got;
  };

  it('keeps a text of exactly the bound and drops one byte more as a whole', () => {
    assert.equal(collected(10, 10), `${'x'.repeat(9)}\n`);
    assert.equal(collected(11, 10), undefined);
  });

  it('takes memory for its bytes, not for its lines', () => {
    let got: string | undefined;
    const sink = collectText(1_000_000, (text) => {
      got = text;
      return '';
    });
    const before = process.memoryUsage();
    const line = Buffer.from('\n');
    for (let i = 0; i < 1_000_000; i++) sink.write(line);
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    const grown = heapUsed - before.heapUsed + (external - before.external) + (arrayBuffers - before.arrayBuffers);
    assert.ok(grown < 20_000_000, `${grown} bytes`);
    sink.end();
    assert.equal(got, '\n'.repeat(1_000_000));
  });
});

describe('text of the wire', () => {
  it('is UTF-8 where it can be, else ISO 8859-1', () => {
    assert.equal(decodeWireText(Buffer.from('Größe \ufffd')), 'Größe \ufffd');
    assert.equal(decodeWireText(Buffer.from('\xe9t\xe9', 'latin1')), 'été');
  });

  it('cannot end a listing early', () => {
    assert.equal(listingText('a\n000\nb'), 'a\n 000\nb\n');
    assert.equal(listingText(''), '');
  });
});

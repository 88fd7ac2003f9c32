// What the fuzzer is guided by: branches, not only functions.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Coverage } from './coverage.ts';

it('grows with each branch of a function that runs for the first time', async () => {
  const { foldLine } = await import('../../src/mime/objects/components.ts');
  const coverage = new Coverage();
  coverage.hasGrown();
  const texts = ['short', 'x'.repeat(100), 'é'.repeat(30), '€'.repeat(30), '😀'.repeat(30)];
  const grown = texts.map((text) => {
    foldLine(text);
    return coverage.hasGrown();
  });
  assert.deepEqual(grown, [true, true, true, true, true]);
  for (const text of texts) foldLine(text);
  assert.equal(coverage.hasGrown(), false, 'all of it has run before');
});

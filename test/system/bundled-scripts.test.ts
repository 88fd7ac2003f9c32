// The scripts of threads when the program runs from its sources; in the one-file binary e2e/binary.slow.ts looks.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { readableStack, stackOfSources, startThread } from '../../src/system/assets.ts';

it('a thread runs its file of the sources', async (t) => {
  const worker = startThread('render/worker', { maxOldGenerationSizeMb: 64 });
  t.after(() => worker.terminate());
  await once(worker, 'online');
});

it('a stack of the sources stays as it is', () => {
  const stack = new Error('lost').stack!;
  assert.equal(readableStack(stack), stack);
});

it('a stack of the binary has files and lines of the sources', () => {
  // line 1 of the script is line 1 of the source; line 2 is line 3, its column 4 being column 2
  const mapOf = (name: string) => ({
    version: 3,
    file: `${name}.cjs`,
    sources: ['../../src/serve/start.ts'],
    sourcesContent: [],
    names: [],
    mappings: 'AAAA;GAEE',
    sourceRoot: '',
  });
  const stack = 'Error: lost\n    at start (main.cjs:2:4)\n    at backend/worker.cjs:1:1\n    at node:net:2:4';
  assert.equal(
    stackOfSources(stack, mapOf),
    'Error: lost\n    at start (src/serve/start.ts:3:3)\n    at src/serve/start.ts:1:1\n    at node:net:2:4',
  );
});

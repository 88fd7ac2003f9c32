// The script of a rendering thread, run as the gateway runs it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RenderThreads } from '../../src/render/threads.ts';
import { textJob } from '../support/render-threads.ts';

it('a thread gives what is made of a job', async (t) => {
  const logged: unknown[] = [];
  const threads = new RenderThreads({ logError: (_who, error) => logged.push(error), count: 1 });
  t.after(() => threads.close());
  const json = await threads.run(textJob('hello'), 'ann', new AbortController().signal);
  assert.match(String(json), /"text":"hello"/);
  assert.deepEqual(logged, []);
});

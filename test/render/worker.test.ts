// The script of a rendering thread, run as the gateway runs it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { RENDER_NICENESS } from '../../src/limits/http.ts';
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

it('a thread stands behind what answers others, which keeps its priority', {
  skip: process.platform !== 'linux' && 'threads have no priority of their own',
}, async (t) => {
  const threads = new RenderThreads({ logError: () => {}, count: 1 });
  t.after(() => threads.close());
  const before = getPriority();
  await threads.run(textJob('hello'), 'ann', new AbortController().signal);
  assert.equal(getPriority(), before);
  // proc_pid_stat(5): the name in brackets, and of what follows the 17th is the niceness
  const stats = readdirSync('/proc/self/task').map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8'));
  const renderers = stats.filter((stat) => stat.includes('(render/worker)'));
  const niceness = renderers.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  assert.deepEqual(niceness, [Math.min(before + RENDER_NICENESS, 19)]);
});

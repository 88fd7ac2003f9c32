// The loop of a rendering thread: what it answers to jobs that are good, refused, or break what makes them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { RenderAnswer } from '../../src/render/threads.ts';

const SCRIPT = `
import { AppError } from '${new URL('../../src/errors.ts', import.meta.url)}';
import { serveJobs } from '${new URL('../../src/render/serve-jobs.ts', import.meta.url)}';
serveJobs(({ source }) => {
  const order = source.toString();
  if (order === 'refuse') throw new AppError('not_rendered', 'too many parts');
  if (order === 'break') throw new RangeError('broken');
  return order === 'nothing' ? undefined : new Uint8Array(Buffer.from(order.toUpperCase()));
});
`;

function thread(t: TestContext) {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`));
  t.after(() => worker.terminate());
  return async (source: string): Promise<RenderAnswer> => {
    worker.postMessage({ source: Buffer.from(`(${source})`).subarray(1, -1) });
    const [answer] = (await once(worker, 'message')) as [RenderAnswer];
    return answer;
  };
}

it('a thread answers one job after the other, also after one that failed', async (t) => {
  const ask = thread(t);
  const text = async (source: string) => {
    const answer = await ask(source);
    return 'json' in answer && answer.json ? Buffer.from(answer.json).toString() : answer;
  };
  assert.equal(await text('hello'), 'HELLO');
  assert.deepEqual(await text('refuse'), { refusal: 'too many parts' });
  const broken = await ask('break');
  assert.ok('fault' in broken && broken.fault instanceof RangeError && broken.fault.message === 'broken');
  assert.deepEqual(await text('nothing'), { json: undefined });
  assert.equal(await text('again'), 'AGAIN');
});

// Threads that render what tests want, see render-worker.ts.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_RENDERED_IN_PLACE_BYTES } from '../../src/limits/http.ts';
import type { MessageJob } from '../../src/render/job.ts';
import { RenderThreads, type RenderThreadsOptions } from '../../src/render/threads.ts';
import type { Ending } from './gateway.ts';

export function spawnTestRenderer(maxOldGenerationSizeMb = 64): Worker {
  return new Worker(new URL('./render-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb } });
}

/** Closed when the test ends. */
export function testThreads(t: Ending, options: Partial<RenderThreadsOptions> = {}) {
  const logged: unknown[] = [];
  const spawned: Worker[] = [];
  const spawn = () => {
    const worker = spawnTestRenderer();
    spawned.push(worker);
    return worker;
  };
  const threads = new RenderThreads({ spawn, logError: (_who, error) => logged.push(error), count: 1, ...options });
  t.after(() => threads.close());
  return { threads, logged, spawned };
}

/** A text message that is too large to be rendered in place; its first line is for render-worker.ts. */
export function largeText(order: string): string {
  return `${order}\n${'x'.repeat(79)}\n`.padEnd(MAX_RENDERED_IN_PLACE_BYTES + 1, `${'y'.repeat(79)}\n`);
}

export function textJob(text: string): MessageJob {
  return {
    kind: 'message',
    source: Buffer.from(`Content-Type: text/plain\n\n${text}`),
    isWhole: true,
    rows: [],
    format: '4',
    contentType: 'text/plain',
    isPacked: false,
    isPlain: true,
    isRemoteLoaded: false,
    path: '/svc/r/Lobby/1',
    pagesPath: undefined,
  };
}

/** `order` keeps a thread busy until `release`. */
export function gate(t: Ending): { order: string; release(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-'));
  const file = join(folder, 'go');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { order: `!wait ${file}`, release: () => existsSync(folder) && writeFileSync(file, '') };
}

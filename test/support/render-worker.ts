// A thread that renders as the product does, but does what a source tells it before: `!loop` never ends, `!wait` waits
// until the file it names is there, `!exit` ends the thread, `!memory` takes all it gets.

import { existsSync } from 'node:fs';
import { render } from '../../src/render/render.ts';
import { serveJobs } from '../../src/render/serve-jobs.ts';

serveJobs((job) => {
  const [, order, argument] = /^!(loop|wait|exit|memory)(?: (\S+))?$/m.exec(job.source.toString('latin1')) ?? [];
  if (order === 'exit') process.exit(3);
  const kept: unknown[] = [];
  while (order === 'loop' || order === 'memory' || (order === 'wait' && !existsSync(argument!))) {
    if (order === 'memory') kept.push(Array.from({ length: 100_000 }, (_, i) => ({ i })));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  return render(job);
});

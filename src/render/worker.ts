// The script of a rendering thread.

import { getPriority, setPriority } from 'node:os';
import { RENDER_NICENESS } from '../limits/http.ts';
import { render } from './render.ts';
import { serveJobs } from './serve-jobs.ts';

// Linux alone has a priority for each thread; elsewhere this would be that of all the gateway
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + RENDER_NICENESS, 19));
  } catch {
    // a sandbox may forbid it: then it renders as before
  }
}
serveJobs(render);

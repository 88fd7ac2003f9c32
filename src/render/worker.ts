// The script of a thread that renders, started by threads.ts.

import { render } from './render.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(render);

// The script of a rendering thread.

import { render } from './render.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(render);

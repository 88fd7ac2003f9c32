// The loop of a rendering thread: one job after the other.

import { parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { RenderJob } from './job.ts';
import type { RenderAnswer } from './threads.ts';

/** Answers each job with what `make` makes of it, in memory of its own. */
export function serveJobs(make: (job: RenderJob) => Uint8Array | undefined): void {
  parentPort!.on('message', (job: RenderJob) => {
    const answer = answerOf(job, make);
    const json = 'json' in answer ? answer.json : undefined;
    parentPort!.postMessage(answer, json ? [json.buffer as ArrayBuffer] : []);
  });
}

function answerOf(job: RenderJob, make: (job: RenderJob) => Uint8Array | undefined): RenderAnswer {
  try {
    const { source } = job; // a Buffer arrives as a plain Uint8Array
    return { json: make({ ...job, source: Buffer.from(source.buffer, source.byteOffset, source.byteLength) }) };
  } catch (fault) {
    return fault instanceof AppError ? { refusal: fault.message } : { fault };
  }
}

// A unix socket that listens with the backlog of a real server and takes its time to accept, in a thread of its own: in
// the event loop of the test it would stop those who connect, too. What it accepts is passed on to another socket.

import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface SlowFrontOptions {
  /** connections that may wait to be accepted; a real server has 5 */
  backlog: number;
  /** milliseconds that each accept takes */
  acceptMs: number;
  /** The thread has accepted one, and does nothing else for acceptMs. */
  onAccept?: () => void;
}

interface Work extends Omit<SlowFrontOptions, 'onAccept'> {
  path: string;
  behind: string;
}

/** Answers the path to connect to. Gone when the test ends. */
export async function startSlowFront(
  t: { after(done: () => Promise<void> | void): void },
  behind: string,
  { onAccept, ...options }: SlowFrontOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'front-'));
  const path = join(folder, 'socket');
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...options, path, behind } satisfies Work });
  t.after(async () => {
    await worker.terminate();
    await rm(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => worker.once('message', () => resolve()).once('error', reject));
  if (onAccept) worker.on('message', onAccept);
  return path;
}

if (!isMainThread && workerData?.behind !== undefined) {
  const { path, behind, backlog, acceptMs } = workerData as Work;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  createServer({ allowHalfOpen: true }, (socket) => {
    parentPort!.postMessage('accepted');
    Atomics.wait(clock, 0, 0, acceptMs);
    const upstream = connect({ path: behind, allowHalfOpen: true });
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  }).listen({ path, backlog }, () => parentPort!.postMessage('listens'));
}

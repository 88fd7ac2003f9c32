// A server with --workers, and what is asked on many connections: the system deals them out, so that each of its
// processes gets some.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, type Ending, type SpawnedGateway, spawnGateway } from './gateway.ts';
import { type Init, sendHttp } from './raw-http.ts';

/** connections: that all of so many reach the same one of three processes happens once in a billion runs */
export const MANY = 20;

/** `api` with a new connection for each request. */
export function apart(gateway: SpawnedGateway, authorization = ''): Api {
  const headers = { connection: 'close', ...(authorization !== '' && { authorization }) };
  return (path, init = {}) =>
    sendHttp(gateway.url, `/svc/${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

/** Removed at the end. */
export async function newFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function startWorkers(t: Ending, workers: number, words: string[] = []): Promise<SpawnedGateway> {
  return spawnGateway(t, ['--data', await newFolder(t), '--demo', '--workers', String(workers), ...words]);
}

/** The different answers to a request that is made on many connections. */
export async function answersOnMany<T>(
  api: Api,
  path: string,
  read: (answer: Response) => Promise<T>,
  init: Init = {},
) {
  const values = new Set<T>();
  for (let i = 0; i < MANY; i++) values.add(await read(await api(path, init)));
  return [...values];
}

/** With the body read to its end. */
export const status = async (answer: Response) => {
  await answer.arrayBuffer();
  return answer.status;
};

/** The ids of the further processes. */
export async function workersOf({ child }: SpawnedGateway): Promise<number[]> {
  const words = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return words.trim().split(' ').filter(Boolean).map(Number);
}

// A CalDAV and CardDAV server that the benchmark asks, and that real clients are tried on: this one, or a peer that a
// Debian package brings. Each runs on a folder of its own on the loopback interface, and is stopped by its process id.

import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** the one user of each server; the password is the same */
export const USER = 'alice';

export interface DavPeer {
  name: string;
  version: string;
  /** where a client begins to look for calendars; with a slash at the end, as the next two */
  url: string;
  /** the user's calendars are below it: MKCALENDAR makes one there */
  calendars: string;
  /** the user's address books */
  contacts: string;
  /** where the objects of a collection lie, each in a file of its own, for a server to which thousands take minutes */
  collectionFolder?(name: string): string;
  stop(): Promise<void>;
}

/** Starts a server on an empty folder; undefined where its package is not installed. */
export type StartPeer = (folder: string) => Promise<DavPeer | undefined>;

const START_MS = 30_000;
const POLL_MS = 50;

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when `url` answers anything. Throws after 30 s, or when the process ends before. */
export async function answering(child: ChildProcess, url: string): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      await (await fetch(url)).bytes();
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`${url} does not answer`, { cause: error });
    }
    await setTimeout(POLL_MS);
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The first of these files that is there. */
export function firstThere(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}

/** The version of a Debian package; empty where dpkg does not know it. */
export function packageVersion(name: string): string {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', `\${Version}`, name], { encoding: 'utf8' });
  return stdout ?? '';
}

export const AUTHORIZATION = `Basic ${Buffer.from(`${USER}:${USER}`).toString('base64')}`;

/** Asks as the user; a status from 400 on is an error. */
export async function askPeer(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, headers: { ...init.headers, authorization: AUTHORIZATION } });
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

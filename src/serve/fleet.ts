// The fleet of this process: its own on disk, the first process's (in a worker), or a store that gateways share.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServeOptions } from '../cli/serve-options.ts';
import { type Fleet, openLocalFleet } from '../fleet/fleet.ts';
import { type SharedFleet, shareFleet } from '../fleet/shared-fleet.ts';
import { serverTrust } from '../room-server/connection/socket.ts';
import { lockFolder, makeFolder } from '../system/folder-lock.ts';
import { Parts, type Sharing, type StartHooks } from './parts.ts';

interface OpenFleet {
  fleet: Fleet;
  /** for received bodies; empty at the start */
  spoolFolder: string;
  /** what the workers of this process use; undefined: each has its own client of the store */
  shared: SharedFleet | undefined;
  close(): Promise<void>;
}

/** Locks the folder of the fleet. Call it once the room server has locked the data folder. */
export async function openFleet(options: ServeOptions, { sharing, tell = () => {} }: StartHooks): Promise<OpenFleet> {
  await using opened = new Parts();
  const folder = join(options.dataFolder, 'fleet');
  const isAlone = !sharing && !options.shared;
  const local = isAlone ? opened.keep(await openLocalFleet(folder, options.uploadBounds)) : undefined;
  if (!sharing && !isAlone) {
    makeFolder(folder);
    opened.keep(lockFolder(folder));
  }
  // Only the locks prove that no other server uses the folder.
  const spoolFolder = await emptySpoolFolder(options.dataFolder, sharing);
  const shared = local && shareFleet(local);
  const fleet = options.shared
    ? opened.keep(await openStore(options, spoolFolder, tell))
    : (sharing?.fleet ?? shared!.fleet);
  const parts = opened.move();
  return { fleet, spoolFolder, shared, close: () => parts.disposeAsync() };
}

/** Each process has its own client of the store. */
async function openStore(
  { shared, sharedCaFile, uploadBounds }: ServeOptions,
  folder: string,
  tell: (text: string) => void,
): Promise<Fleet> {
  const { openRedisFleet } = await import('../extra/redis/redis-fleet.ts');
  const { address } = shared!;
  const tls = address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined;
  return openRedisFleet({ address, tls, folder, uploadBounds, tell });
}

/** Removes what a killed process has left. Each worker has its own folder. */
async function emptySpoolFolder(dataFolder: string, sharing: Sharing | undefined): Promise<string> {
  const folder = join(dataFolder, 'spool', sharing ? `worker-${sharing.number}` : '');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

// Gateways of a fleet, each with a client of one store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedisFleet, type RedisFleetOptions } from '../../src/extra/redis/redis-fleet.ts';
import type { Fleet } from '../../src/fleet/fleet.ts';
import type { StoreAddress } from '../../src/fleet/store-address.ts';
import type { Ending } from './gateway.ts';

export interface TestFleet extends Fleet {
  /** what the operator was told */
  told: string[];
  /** what the other gateways have told */
  heard: unknown[];
  /** for bodies on their way */
  folder: string;
}

/** Knows what is in the store, unless `isWaited` is false. */
export async function openTestFleet(
  t: Ending,
  address: StoreAddress,
  isWaited = true,
  more: Partial<RedisFleetOptions> = {},
): Promise<TestFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const told: string[] = [];
  const heard: unknown[] = [];
  const fleet = openRedisFleet({ address, folder, tell: (text) => void told.push(text), ...more });
  fleet.notices.listen((notice) => void heard.push(notice));
  t.after(async () => {
    await fleet.close();
    await rm(folder, { recursive: true, force: true });
  });
  if (isWaited) await fleet.locks.isEmpty();
  return { ...fleet, told, heard, folder };
}

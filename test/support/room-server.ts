// The embedded room server in this process, on a data folder of its own, for one test.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/backend/store/store.ts';
import { RoomServer, type RoomServerOptions } from '../../src/backend/wire/server.ts';
import { firstStart, LOW_PASSWORD_COST } from './first-start.ts';

export interface TestRoomServer {
  socketPath: string;
  adminSocketPath: string;
  folder: string;
  store: Store;
  server: RoomServer;
  /** what the server could not explain */
  faults: unknown[];
  close(): Promise<void>;
}

export interface TestRoomServerOptions extends RoomServerOptions {
  /** name → access level; the password of `ann` is `annpw`. `admin` is always there, as user 1 */
  users?: Record<string, number>;
  /** fill with the content of --demo */
  demo?: boolean;
}

/** Closed, and its folder removed, when the test `t` ends. */
export async function startRoomServer(
  t: { after(done: () => Promise<void> | void): void },
  options: TestRoomServerOptions = {},
): Promise<TestRoomServer> {
  const { users = {}, demo = false, ...serverOptions } = options;
  const folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  const accounts = Object.entries(users).map(([name, level]) => ({ name, password: `${name}pw`, level }));
  const store = await firstStart(folder, { adminPassword: 'adminpw', demo, users: accounts });
  const faults: unknown[] = [];
  const server = new RoomServer(store, {
    passwordCost: LOW_PASSWORD_COST,
    onFault: (error) => faults.push(error),
    version: 'test',
    ...serverOptions,
  });
  const socketPath = join(folder, 'citadel.socket');
  const adminSocketPath = join(folder, 'citadel-admin.socket');
  await server.listen({ path: socketPath });
  await server.listen({ path: adminSocketPath }, true);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close().then(() => store.close());
    return closing;
  };
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  return { socketPath, adminSocketPath, folder, store, server, faults, close };
}

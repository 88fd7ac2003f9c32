// One listener, and behind it a gateway that has nothing in its caches yet, again and again: what it says of a room
// server is made of what that has said to it, and of nothing else.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dispatcher } from '../../src/api/dispatch.ts';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { openLocalFleet } from '../../src/fleet/fleet.ts';
import { localLocks } from '../../src/fleet/locks.ts';
import { localNotices } from '../../src/fleet/notices.ts';
import { newApp, RoomServers } from '../../src/gateway/new-app.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { listen } from '../../src/http/listener.ts';
import { folderSource } from '../../src/http/static.ts';
import { RenderThreads } from '../../src/render/threads.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { RequestsUnderWay } from '../../src/system/stalls.ts';
import { localThrottle } from '../../src/system/throttle.ts';
import { PREFIX } from './requests.ts';

const BODY_BYTES = 1 << 20;

export interface Apps {
  port: number;
  /** what was logged */
  faults: unknown[];
  /** From now on requests are for a new gateway, in front of the room server at this unix socket. */
  renew(path: string): void;
  close(): Promise<void>;
}

export async function startApps(): Promise<Apps> {
  const folder = await mkdtemp(join(tmpdir(), 'apps-'));
  const faults: unknown[] = [];
  const logError = (_: string, error: unknown) => void faults.push(error);
  const fleet = await openLocalFleet(join(folder, 'fleet'));
  const renderThreads = new RenderThreads({ logError });
  const router = routes(PREFIX);
  addDavRoutes(router, PREFIX);
  const davRoutes = new Set(router.routes().flatMap(({ method, pattern }) => (method === 'PROPFIND' ? [pattern] : [])));
  const statics = [folderSource(fileURLToPath(new URL('../../static', import.meta.url)))];
  const live = { landing: PREFIX, hasSecureCookies: false, statics, allowedOrigins: new Set<string>() };
  const bounds = { maxBodyBytes: BODY_BYTES, maxSpooledBytes: BODY_BYTES, maxEventStreams: 8 };
  const given = { prefix: PREFIX, davRoutes, live, spoolFolder: folder, renderThreads, ...bounds };
  let handle: (exchange: Exchange) => Promise<void> | undefined = () => undefined;
  let end = () => {};
  const listener = await listen({
    at: { host: '127.0.0.1', port: 0 },
    handle: (exchange) => handle(exchange),
    logError,
    graceMs: 0,
  });
  return {
    port: listener.port,
    faults,
    renew(path) {
      end();
      const pool = new Pool({ target: { path }, clientName: 'test', clientVersion: '1' });
      // what wrong passwords and locks have left is of the one before
      const own = { ...fleet, throttle: localThrottle(), locks: localLocks(), notices: localNotices() };
      const app = newApp({ ...given, fleet: own, keys: [Buffer.alloc(32, 7)], server: '', pool });
      const underWay = new RequestsUnderWay(() => {});
      handle = dispatcher(router, new RoomServers([{ name: '', hosts: [], app }]), underWay);
      end = () => {
        underWay.close();
        app.watches.close();
        pool.close();
      };
    },
    async close() {
      end();
      await listener.close();
      await renderThreads.close();
      await fleet.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

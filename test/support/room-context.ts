// What functions of src/gateway are given of a request, without a request: for those whose answers HTTP does not show.

import type { App } from '../../src/gateway/app.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import { Sealer } from '../../src/gateway/seal.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { SerialQueue } from '../../src/system/fair-queue.ts';
import type { Ending } from './gateway.ts';

/**
 * Makes contexts of one gateway, which has nothing in its caches yet. `path`: socket of its room server; `key` as in
 * `new Sealer`.
 */
export function contextsAt(t: Ending, path: string, key = Buffer.alloc(32, 1)) {
  const pool = new Pool({ target: { path }, clientName: 'test', clientVersion: '1' });
  t.after(() => pool.close());
  const app = {
    pool,
    sealer: new Sealer(key),
    serialQueue: new SerialQueue(),
    prefix: '/svc/',
  } as Partial<App> as App;
  return (user: string, name: string, request: Asked = {}): RoomContext => {
    const caller = { identity: { user, password: `${user}pw` }, session: undefined, isGuest: false };
    return { app, caller, room: { name, password: '' }, exchange: exchangeOf(request) };
  };
}

/** What of a request is looked at. */
export interface Asked {
  method?: string;
  rawPath?: string;
  params?: Record<string, string>;
  /** by name in lower case */
  headers?: Record<string, string>;
}

function exchangeOf({ method = 'GET', rawPath = '/', params = {}, headers = {} }: Asked): Exchange {
  const fake: Partial<Exchange> = { method, rawPath, params, header: (name: string) => headers[name] };
  return fake as Exchange;
}

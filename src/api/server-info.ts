// GET c/info: what the room server says of itself, under the names that existing front ends know.

import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { toInt } from '../protocol/fields.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { readServerInfo } from '../room-server/driver.ts';

/** GET c/info */
export async function getServerInfo(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await callerOf(exchange, app);
  await send(exchange, 200, asJson(await serverInfo(app.pool, identity)));
}

/** What c/info says. */
export async function serverInfo(pool: Pool, identity: Identity) {
  const line = await readServerInfo(pool, identity);
  const text = (position: number) => (line(position) === '(null)' ? '' : line(position)); // quirk Q34
  const int = (position: number) => toInt(line(position));
  const is = (position: number) => int(position) !== 0;
  return {
    serv_pid: int(0),
    serv_nodename: text(1),
    serv_humannode: text(2),
    serv_fqdn: text(3),
    serv_software: text(4),
    serv_rev_level: int(5),
    serv_bbs_city: text(6),
    serv_sysadm: text(7),
    serv_supports_ldap: is(14),
    serv_newuser_disabled: is(15),
    serv_default_cal_zone: text(16),
    serv_supports_sieve: is(20),
    serv_fulltext_enabled: is(21),
    serv_svn_revision: text(22),
    serv_supports_openid: is(23),
    serv_supports_guest: is(24),
    serv_supports_app_passwords: text(25).split('|').includes('APPW'),
  };
}

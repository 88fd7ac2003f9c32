// Where a room server is, as the command line names it → as a client of it takes it.

import type { ServerAddress } from '../room-server/connection/open-socket.ts';
import { serverTrust } from '../room-server/connection/server-trust.ts';
import { isLoopback } from '../system/networks.ts';
import type { BackendAddress } from './option-values.ts';

/** `caFile`: of --backend-ca. Throws as serverTrust. */
export function serverAddressOf(address: BackendAddress, caFile: string | undefined): ServerAddress {
  if (address.kind === 'unix') return { path: address.path };
  const { host, port } = address;
  return address.kind === 'tls' ? { host, port, tls: serverTrust(caFile) } : { host, port };
}

/** What an operator is told of an address to which passwords go that others on the way can read. */
export function warningOf(address: BackendAddress | 'embedded'): string | undefined {
  if (address === 'embedded' || address.kind !== 'tcp' || isLoopback(address.host)) return undefined;
  const { host, port } = address;
  const name = host.includes(':') ? `[${host}]` : host;
  return `Passwords travel in clear to tcp://${name}:${port}; where that server speaks TLS, give tls://${name}:${port}`;
}

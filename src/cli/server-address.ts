// Converts a room server address of the command line to one for the client.

import { type ServerAddress, serverTrust } from '../room-server/connection/socket.ts';
import { isLoopback } from '../system/networks.ts';
import type { BackendAddress } from './option-values.ts';

/** `caFile`: from --backend-ca. Throws like serverTrust. */
export function serverAddressOf(address: BackendAddress, caFile: string | undefined): ServerAddress {
  if (address.kind === 'unix') return { path: address.path };
  const { host, port } = address;
  return address.kind === 'tls' ? { host, port, tls: serverTrust(caFile) } : { host, port };
}

/** A warning if passwords would be sent unencrypted over a network. */
export function warningOf(address: BackendAddress | 'embedded'): string | undefined {
  if (address === 'embedded' || address.kind !== 'tcp' || isLoopback(address.host)) return undefined;
  const { host, port } = address;
  const name = host.includes(':') ? `[${host}]` : host;
  return `Passwords go unencrypted to tcp://${name}:${port}. If that server supports TLS, use tls://${name}:${port}.`;
}

// The server's end of a TLS handshake (RFC 8446 section 4) on a socket that is connected, in bounded time. For HTTP it
// comes first on the connection, in the line protocol behind STLS.

import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { TLS_HANDSHAKE_TIMEOUT_MS } from '../limits/http.ts';

export interface TlsAcceptance {
  context: SecureContext;
  /** what is spoken inside, for ALPN (RFC 7301): a client that offers others only is refused */
  protocol?: string;
  /** Called in the turn in which the handshake ends, before anything that came behind it is read. */
  secured(socket: TLSSocket): void;
  timeoutMs?: number;
}

/**
 * Bytes that `raw` has received and nobody has read are the first of the handshake. Where it fails, or takes too long,
 * `raw` is closed, and that is all: `raw` tells by its event 'close', as later when the encrypted socket has ended.
 */
export function acceptTls(raw: Socket, { context, protocol, secured, timeoutMs }: TlsAcceptance): void {
  const options = { isServer: true, secureContext: context };
  const socket = new TLSSocket(raw, protocol === undefined ? options : { ...options, ALPNProtocols: [protocol] });
  const timer = setTimeout(() => raw.destroy(), timeoutMs ?? TLS_HANDSHAKE_TIMEOUT_MS);
  raw.once('close', () => clearTimeout(timer));
  // these stay: an error that comes before the new owner listens must not end the process
  raw.on('error', () => {});
  socket.on('error', () => {});
  // what a TLS server of node does with a record that cannot be read, in the handshake or behind it
  socket.on('_tlsError', (error: Error) => socket.destroy(error));
  socket.once('secure', () => {
    clearTimeout(timer);
    secured(socket);
  });
}

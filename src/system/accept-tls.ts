// The server side of a TLS handshake (RFC 8446 section 4) on a connected socket, in bounded time: at the start of a
// connection for HTTP, after STLS in the line protocol.

import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { TLS_HANDSHAKE_TIMEOUT_MS } from '../limits/http.ts';

export interface TlsAcceptance {
  context: SecureContext;
  /** for ALPN (RFC 7301); clients that offer only others are rejected */
  protocol?: string;
  /** Called when the handshake is complete, before any data after it is read. */
  secured(socket: TLSSocket): void;
  timeoutMs?: number;
}

/**
 * Unread bytes of `raw` start the handshake. On failure or timeout, closes `raw`; its event 'close' tells the caller.
 */
export function acceptTls(raw: Socket, { context, protocol, secured, timeoutMs }: TlsAcceptance): void {
  const options = { isServer: true, secureContext: context };
  const socket = new TLSSocket(raw, protocol === undefined ? options : { ...options, ALPNProtocols: [protocol] });
  const timer = setTimeout(() => raw.destroy(), timeoutMs ?? TLS_HANDSHAKE_TIMEOUT_MS);
  raw.once('close', () => clearTimeout(timer));
  // these stay: an error before the new owner listens must not end the process
  raw.on('error', () => {});
  socket.on('error', () => {});
  // like node's TLS server on an unreadable record
  socket.on('_tlsError', (error: Error) => socket.destroy(error));
  socket.once('secure', () => {
    clearTimeout(timer);
    secured(socket);
  });
}

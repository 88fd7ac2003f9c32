// TLS between the connections of a server and HTTP (RFC 9110 section 4.2.2): what comes is a handshake, and what is
// decrypted goes to node's HTTP. The connection is known to the listener from its first moment, so that handshakes that
// never end are bounded like everything else.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { acceptTls } from '../system/accept-tls.ts';

export interface TlsFront {
  /** asked for each connection */
  context: () => SecureContext;
  /** for all of the handshake, from the first byte that is waited for */
  timeoutMs: number;
  /** A connection was accepted; false: it is closed already. */
  connected(wire: Socket): boolean;
  /** Its handshake has ended: HTTP is spoken on `socket` from now on. */
  secured(wire: Socket, socket: TLSSocket): void;
  /** Answers a request that came in clear, and closes the connection. */
  refuse(wire: Socket): void;
}

/** type of the TLS record that a client begins with (RFC 8446 section 5.1) */
const HANDSHAKE = 22;

/** From now on `server` speaks HTTP over TLS only. */
export function putTlsInFront(server: Server, front: TlsFront): void {
  const speakHttp = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (wire: Socket) => {
    if (!front.connected(wire)) return;
    begin(wire, front, (socket) => {
      front.secured(wire, socket);
      for (const speak of speakHttp) speak.call(server, socket);
    });
  });
}

/** Whoever speaks HTTP in clear was given a wrong address, and is told so; all else that is no TLS is closed. */
function begin(wire: Socket, { context, timeoutMs, refuse }: TlsFront, secured: (socket: TLSSocket) => void): void {
  const end = performance.now() + timeoutMs;
  const timer = setTimeout(() => wire.destroy(), timeoutMs);
  wire.on('close', () => clearTimeout(timer)).on('error', () => {});
  wire.once('readable', () => {
    clearTimeout(timer);
    const first: Buffer | null = wire.read(1);
    if (first?.[0] === HANDSHAKE) {
      wire.unshift(first);
      acceptTls(wire, { context: context(), protocol: 'http/1.1', timeoutMs: end - performance.now(), secured });
    } else if (first && /[A-Za-z]/.test(first.toString('latin1'))) {
      wire.resume(); // what is unread when it closes would take the answer with it
      refuse(wire);
    } else {
      wire.destroy();
    }
  });
}

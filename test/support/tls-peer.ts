// A room server on TCP that greets, answers STLS as a test wants it, and then speaks TLS or does not.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { acceptTls, type CertificateFiles, readCertificatePair, serverContext } from '../../src/system/tls.ts';
import type { Ending } from './gateway.ts';

export interface TlsPeer {
  port: number;
  /** what came in clear, of all connections */
  clear: string;
  /** Resolves when this has come in clear. */
  came(text: string): Promise<void>;
}

/** `answer` to STLS; behind it a handshake with the certificate, or what `instead` does. */
export async function startTlsPeer(
  t: Ending,
  {
    answer = '200 Begin TLS negotiation now\n',
    certificate,
    instead,
  }: {
    answer?: string;
    certificate?: CertificateFiles;
    instead?: (socket: Socket) => void;
  },
): Promise<TlsPeer> {
  const sockets = new Set<Socket>();
  const context = certificate && serverContext(readCertificatePair(certificate));
  let wake = () => {};
  const peer: TlsPeer = {
    port: 0,
    clear: '',
    async came(text) {
      while (!peer.clear.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('200 peer Citadel server ready.\n');
    const hear = (bytes: Buffer) => {
      const had = peer.clear.length;
      peer.clear += bytes.toString('latin1');
      wake();
      if (!peer.clear.slice(had).startsWith('STLS\n')) return;
      socket.write(answer);
      if (context) {
        socket.off('data', hear).pause();
        acceptTls(socket, {
          context,
          secured: (secure) => secure.on('data', (line: Buffer) => secure.write(`200 heard ${line}`)),
        });
      } else instead?.(socket);
    };
    socket.on('data', hear);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  peer.port = (server.address() as AddressInfo).port;
  return peer;
}

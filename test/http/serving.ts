// A listener with one handler on a free port, and clients that see what is really on the wire.

import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Listener, type ListenOptions, listen } from '../../src/http/listener.ts';

export interface Site extends Listener {
  /** what the listener has logged */
  logged: unknown[];
}

/** Closed at the end of the test. */
export async function serve(
  t: TestContext,
  handle: (exchange: Exchange) => Promise<void> | undefined | void,
  options: Partial<ListenOptions> = {},
): Promise<Site> {
  const logged: unknown[] = [];
  const listener = await listen({
    at: { host: '127.0.0.1', port: 0 },
    handle,
    logError: (_requestId, error) => logged.push(error),
    graceMs: 500,
    ...options,
  });
  t.after(() => {
    listener.server.closeAllConnections();
    return listener.close();
  });
  return { ...listener, logged };
}

/** Writes the text and gives all that comes until the server closes, or until `isEnough` says so. */
export async function exchangeRaw(
  port: number,
  request: string | Buffer,
  isEnough: (received: string) => boolean = () => false,
): Promise<string> {
  const socket = await dial(port);
  socket.write(request);
  return receive(socket, isEnough);
}

export function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

export function receive(socket: Socket, isEnough: (received: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const done = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (isEnough(received)) done();
    });
    socket.on('close', done);
    socket.on('end', done);
    socket.on('error', () => {});
  });
}

/** A request head with Host; lines are `Name: value`. */
export function head(line: string, ...fields: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n');
}

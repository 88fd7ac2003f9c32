// A relay in front of a room server that writes down what it is asked, and can break off, be down, or be silent about
// what happens: a real server does not know NTFY, nor does INFO call it ours, and of instant messages an old one tells
// only who asks.

import { connect, type Socket } from 'node:net';
import { listenOnUnixSocket, SocketReader, type UnixListener } from './unix-listener.ts';

export interface Relay extends UnixListener {
  /** command lines as they came, log-ins left out */
  received: string[];
  isDown: boolean;
  /** what the room server is asked in its place, such as a verb that it refuses */
  instead: (command: string) => string | undefined;
  /** happens before a command is passed on */
  before: (command: string) => Promise<void> | void;
  /** Breaks off all connections. */
  drop(): void;
}

const LOG_IN = /^(IDEN|USER|PASS|QUIT)/;

export async function startRelay(target: string, { isSilent = false } = {}): Promise<Relay> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const listener = await listenOnUnixSocket((socket) => {
    if (relay.isDown) {
      socket.destroy();
      return;
    }
    const upstream = connect(target);
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        sockets.delete(end);
        other.destroy();
      });
    }
    upstream.pipe(socket);
    void passOn(socket, upstream);
  });

  async function passOn(socket: Socket, upstream: Socket): Promise<void> {
    const reader = new SocketReader(socket);
    for (let line = await reader.line(); line.length > 0; line = await reader.line()) {
      const command = line.toString().trimEnd();
      if (!LOG_IN.test(command)) {
        received.push(command);
        await relay.before(command);
      }
      const asked = isSilent && /^(NTFY|ASYN|INFO)/.test(command) ? 'XXXX' : relay.instead(command);
      upstream.write(asked === undefined ? line : `${asked}\n`);
    }
  }

  const relay: Relay = {
    ...listener,
    received,
    isDown: false,
    instead: () => undefined,
    before() {},
    drop() {
      for (const socket of sockets) socket.destroy();
    },
  };
  return relay;
}

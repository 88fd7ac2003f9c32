// A proxy between two ends of a conversation that harms one byte of it: what comes from there on is lost, late, twice
// or changed. On TCP, where a connection can be reset.

import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export const FAULT_KINDS = [
  'close', // both ends see the end there
  'reset', // both ends see a reset there
  'truncate', // the receiver sees the end there, what it says itself still arrives
  'stall', // nothing passes any more, in no direction, and the connection stays
  'delay', // it comes later
  'repeat', // the rest of the line comes twice
  'corrupt', // the byte is another one
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** `down`: from the server to the client */
export type Direction = 'up' | 'down';

export interface ByteFault {
  kind: FaultKind;
  direction: Direction;
  /** of the byte, counted from `arm` on over all connections */
  position: number;
}

export interface FaultProxy {
  port: number;
  /** From now on bytes are counted and kept, and one is harmed; undefined: none. */
  arm(fault?: ByteFault): void;
  /** What has passed since `arm`, in the order in which it came. */
  passed(direction: Direction): Buffer;
  /** The byte has come, and was harmed. */
  hasStruck(): boolean;
  /** Breaks off all connections. */
  drop(): void;
  close(): Promise<void>;
}

const DELAY_MS = 20;
/** For ever, to those who wait for an answer. Neither end would hear that the other one has gone. */
const STALL_MS = 20_000;
const LF = 10;

export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let armed: ByteFault | undefined;
  let struck = false;
  let pieces: Record<Direction, Buffer[]> = { up: [], down: [] };
  let counts: Record<Direction, number> = { up: 0, down: 0 };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    pass(client, upstream, 'up');
    pass(upstream, client, 'down');
  });

  function pass(from: Socket, to: Socket, direction: Direction): void {
    let isLost = false;
    from.on('end', () => to.end());
    from.on('data', (bytes: Buffer) => {
      if (isLost) return;
      const at = counts[direction];
      counts[direction] += bytes.length;
      pieces[direction].push(bytes);
      const here = armed?.direction === direction && !struck ? armed.position - at : -1;
      if (here < 0 || here >= bytes.length) {
        write(from, to, bytes);
        return;
      }
      struck = true;
      const before = bytes.subarray(0, here);
      if (before.length > 0) to.write(before);
      isLost = harm(armed!.kind, from, to, bytes.subarray(here));
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    arm(fault) {
      armed = fault;
      struck = false;
      pieces = { up: [], down: [] };
      counts = { up: 0, down: 0 };
    },
    passed: (direction) => Buffer.concat(pieces[direction]),
    hasStruck: () => struck,
    drop,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      drop();
      await closed;
    },
  };
}

function write(from: Socket, to: Socket, bytes: Buffer): void {
  if (to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** `rest` begins with the byte. Whether nothing that comes later is passed on. */
function harm(kind: FaultKind, from: Socket, to: Socket, rest: Buffer): boolean {
  if (kind === 'repeat') {
    const line = rest.subarray(0, rest.indexOf(LF) + 1 || rest.length);
    to.write(Buffer.concat([line, rest]));
  } else if (kind === 'corrupt') {
    to.write(Buffer.concat([Buffer.from([rest[0]! ^ 1]), rest.subarray(1)]));
  } else if (kind === 'delay') {
    from.pause();
    setTimeout(() => {
      if (to.writable) to.write(rest);
      from.resume();
    }, DELAY_MS);
  } else {
    breakOff(kind, from, to);
    return true;
  }
  return false;
}

function breakOff(kind: FaultKind, from: Socket, to: Socket): void {
  if (kind === 'stall') stall(from, to);
  else if (kind === 'truncate') to.end();
  else if (kind === 'close') for (const socket of [from, to]) socket.end();
  else for (const socket of [from, to]) kind === 'reset' && 'resetAndDestroy' in socket && resetOf(socket);
}

function stall(...ends: Socket[]): void {
  for (const socket of ends) socket.pause();
  setTimeout(() => ends[0]!.destroy(), STALL_MS).unref();
}

/** A unix socket has no reset. */
function resetOf(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

// The thread of the embedded room server: SQLite is synchronous and must not stall HTTP, so all of it runs here. It
// gets WorkerData, sends `ready` or `failed`, and closes and ends on the message `close`.

import { chmodSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isMainThread, type MessagePort, parentPort } from 'node:worker_threads';
import { type Bounds, setBounds } from '../limits/settable.ts';
import { ChangeCounts, WrittenCounts } from '../system/change-counts.ts';
import { removeDeadSocket } from '../system/folder-lock.ts';
import { isWithin } from '../system/networks.ts';
import { forOperator } from '../system/operator-errors.ts';
import { KnownNetworks, localThrottle } from '../system/throttle.ts';
import { type CertificatePair, serverContext } from '../system/tls.ts';
import { type CreatedAdmin, createFirstAdmin, createServerRooms } from './maintenance/bootstrap.ts';
import { deleteMarkedUsers, deleteUnfinishedRooms } from './maintenance/removal.ts';
import { openStore } from './store/store.ts';
import { RoomServer } from './wire/server.ts';
import { claimSocketPaths, type SocketPaths } from './wire/socket-paths.ts';

/** The first message to the thread. */
export interface WorkerData {
  dataFolder: string;
  /** a further address for ordinary Citadel clients */
  lineListen?: { host: string; port: number } | { path: string };
  /** addresses and networks of gateways that connect there */
  lineGateways?: readonly string[];
  /** of the first administrator; by default generated */
  adminPassword?: string;
  /** for clients that encrypt their connection (STLS) */
  certificate?: CertificatePair;
  demo: boolean;
  /** how long removed members of rooms are remembered; by default DEFAULT_SYNC_DAYS */
  syncDays?: number;
  /** set by the operator */
  bounds?: Bounds;
  /** name of this server in addresses and message ids; by default the host name */
  nodeName?: string;
  /** of the program */
  version?: string;
  /** where changes are counted */
  changeCounts?: SharedArrayBuffer;
  /** a file with the same counts, for other processes */
  countsPath?: string;
  /** scrypt N of new passwords; tests lower it */
  passwordCost?: number;
}

/** The server accepts connections. */
interface ReadyMessage {
  type: 'ready';
  socketPath: string;
  adminSocketPath: string;
  lineListenUrl?: string;
  createdAdmin?: CreatedAdmin;
}

/** What the main thread sends later: an order to close, or a new certificate. */
export type WorkerOrder = 'close' | { certificate: CertificatePair };

/** What the thread sends. */
export type WorkerMessage =
  | ReadyMessage
  | { type: 'failed'; message: string }
  | { type: 'fault'; message: string }
  | { type: 'closed' };

if (!isMainThread && parentPort) serveOrders(parentPort);

/** Tests have a room server in their own thread, at the end of a channel. */
export function serveOrders(port: MessagePort): void {
  port.once('message', (data: WorkerData) => void run(data, port));
}

async function run(data: WorkerData, port: MessagePort): Promise<void> {
  const post = (message: WorkerMessage) => port.postMessage(message);
  /** closed in the opposite order */
  const opened = new AsyncDisposableStack();
  const stop = async (last: WorkerMessage): Promise<void> => {
    if (opened.disposed) return;
    await opened.disposeAsync();
    post(last);
    port.close();
  };
  try {
    setBounds(data.bounds ?? {});
    const store = opened.adopt(openStore(data.dataFolder), (it) => it.close());
    const sockets = opened.adopt(claimSocketPaths(data.dataFolder), (it) => it.remove());
    const knownNetworks = opened.adopt(await KnownNetworks.open(join(data.dataFolder, 'known-networks')), (it) =>
      it.close(),
    );
    const written = data.countsPath === undefined ? undefined : new WrittenCounts(data.countsPath);
    if (written) opened.adopt(written, (it) => it.close());
    if (data.changeCounts) store.changeCounts = new ChangeCounts(data.changeCounts, written);
    if (data.nodeName) store.setConfig('c_nodename', data.nodeName);
    createServerRooms(store);
    const server = new RoomServer(store, {
      version: data.version ?? '',
      ...(data.syncDays !== undefined && { syncDays: data.syncDays }),
      ...(data.passwordCost !== undefined && { passwordCost: data.passwordCost }),
      onFault: (error) => post({ type: 'fault', message: describe(error) }),
      onDown: () => void stop({ type: 'failed', message: 'The room server was shut down by an administrator (DOWN).' }),
    });
    opened.adopt(server, (it) => it.close());
    if (data.certificate) server.tlsContext = serverContext(data.certificate);
    deleteMarkedUsers(server);
    deleteUnfinishedRooms(server);
    const ready: ReadyMessage = { type: 'ready', ...(await listen(server, data, sockets, knownNetworks)) };
    // Last, because a generated password is shown once: a failed start must not consume it.
    const createdAdmin = await createFirstAdmin(store, data.adminPassword, server.passwordCost);
    if (createdAdmin) {
      ready.createdAdmin = createdAdmin;
      if (data.demo) {
        const { fillDemo } = await import('../extra/demo/demo.ts');
        await fillDemo(store, server.passwordCost);
      }
    }
    port.on('message', (order: WorkerOrder) => {
      if (order === 'close') void stop({ type: 'closed' });
      else server.tlsContext = serverContext(order.certificate);
    });
    post(ready);
  } catch (error) {
    await stop({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

async function listen(
  server: RoomServer,
  data: WorkerData,
  { socketPath, adminSocketPath }: SocketPaths,
  knownNetworks: KnownNetworks,
): Promise<Omit<ReadyMessage, 'type'>> {
  for (const [path, isAdminSocket] of [
    [socketPath, false],
    [adminSocketPath, true],
  ] as const) {
    // Left by a run that was killed: the lock of the store proves that nobody listens there.
    try {
      rmSync(path, { force: true });
      await server.listen({ path }, isAdminSocket);
      chmodSync(path, 0o600);
    } catch (error) {
      throw forOperator(error, `The room server cannot listen on ${path}`);
    }
  }
  const { lineListen } = data;
  if (!lineListen) return { socketPath, adminSocketPath };
  try {
    if ('path' in lineListen) await removeDeadSocket(lineListen.path);
    const isGateway = isWithin(data.lineGateways ?? []);
    const listener = await server.listen(lineListen, false, localThrottle(undefined, knownNetworks), isGateway);
    const port = 'host' in lineListen ? (listener.address() as AddressInfo).port : 0;
    return { socketPath, adminSocketPath, lineListenUrl: urlOf(lineListen, port) };
  } catch (error) {
    const port = 'host' in lineListen ? lineListen.port : 0;
    throw forOperator(error, `--line-listen cannot use ${urlOf(lineListen, port)}`, 'choose another address');
  }
}

function urlOf(address: NonNullable<WorkerData['lineListen']>, port: number): string {
  if ('path' in address) return `unix:${address.path}`;
  return `tcp://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`;
}

/** for the log */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// Real stores for tests: a redis-server (Debian's package) on a free port of the loopback, with a folder of its own,
// stopped and started again by its process id; and a cluster of three masters.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RespConnection } from '../../src/extra/resp/connection.ts';
import { ReplyError, type RespReply } from '../../src/extra/resp/reply.ts';
import { SLOTS } from '../../src/extra/resp/store-client.ts';
import { parseStoreAddress, type StoreAddress } from '../../src/fleet/store-address.ts';
import { EVENTUALLY_MS } from './eventually.ts';
import type { Ending } from './gateway.ts';

const PLAIN = { user: undefined, password: undefined, database: 0, tls: undefined };

export interface TestStore {
  port: number;
  folder: string;
  /** as --shared takes it */
  url: string;
  address: StoreAddress;
  /** A command, as the operator would give it. */
  ask(...words: (string | number)[]): Promise<RespReply>;
  /** SIGKILL, and waits until it is gone. */
  stop(): Promise<void>;
  /** On the same port, with what its folder has. */
  start(): Promise<void>;
  /** It takes connections and answers nothing, until `wake`. */
  hang(): void;
  wake(): void;
}

export interface TestStoreOptions {
  /** more words of its command line; `--appendonly yes` keeps what it was told */
  words?: string[];
  password?: string;
  /** it is a sentinel, with this file, which it writes */
  sentinelConfig?: string;
}

export async function startRedis(
  t: Ending,
  { words = [], password, sentinelConfig }: TestStoreOptions = {},
): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  const place = ['--port', String(port), '--bind', '127.0.0.1'];
  const own = [...place, '--dir', folder, '--save', ''];
  const secret = password === undefined ? [] : ['--requirepass', password];
  const at = { host: '127.0.0.1', port };
  const settings = { ...PLAIN, password };
  const ask = async (...command: (string | number)[]) => {
    const connection = await RespConnection.open(at, settings);
    try {
      const reply = await connection.ask(command);
      if (reply instanceof ReplyError) throw reply;
      return reply;
    } finally {
      connection.close();
    }
  };
  const start = async () => {
    const line =
      sentinelConfig === undefined ? [...own, ...secret, ...words] : [sentinelConfig, '--sentinel', ...place];
    child = spawn('redis-server', line, { stdio: 'ignore' });
    exited = once(child, 'exit');
    const end = performance.now() + EVENTUALLY_MS;
    while ((await ask('PING').catch(() => undefined)) !== 'PONG') {
      if (performance.now() > end) throw new Error('redis-server does not answer');
      await sleep(20);
    }
  };
  const stop = async () => {
    child?.kill('SIGKILL');
    await exited;
    child = undefined;
  };
  t.after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  const hang = () => void child!.kill('SIGSTOP');
  const wake = () => void child!.kill('SIGCONT');
  const url = `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}/0`;
  return { port, folder, url, address: parseStoreAddress(url)!, ask, stop, start, hang, wake };
}

export interface TestCluster {
  url: string;
  address: StoreAddress;
  nodes: readonly TestStore[];
}

/** Three masters that share the slots. */
export async function startRedisCluster(t: Ending): Promise<TestCluster> {
  const words = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port'];
  const nodes: TestStore[] = [];
  for (let i = 0; i < 3; i++) nodes.push(await startRedis(t, { words: [...words, String(await freePort())] }));
  const bounds = nodes.map((_, i) => Math.floor((i * SLOTS) / nodes.length));
  for (const [i, node] of nodes.entries()) {
    await node.ask('CLUSTER', 'ADDSLOTSRANGE', bounds[i]!, (bounds[i + 1] ?? SLOTS) - 1);
    await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
  }
  const bus = (node: TestStore) => node.ask('CLUSTER', 'NODES').then((text) => /@(\d+)/.exec(String(text))![1]!);
  for (const node of nodes.slice(1)) {
    await nodes[0]!.ask('CLUSTER', 'MEET', '127.0.0.1', node.port, await bus(node));
  }
  const end = performance.now() + EVENTUALLY_MS;
  for (const node of nodes) {
    for (;;) {
      const info = String(await node.ask('CLUSTER', 'INFO'));
      if (/cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info) && /cluster_size:3/.test(info)) break;
      if (performance.now() > end) throw new Error('the cluster does not come together');
      await sleep(50);
    }
  }
  const url = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  return { url, address: parseStoreAddress(url)!, nodes };
}

/** A port that was free a moment ago; the bus of a cluster takes a second one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

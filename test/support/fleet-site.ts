// A fleet as operators run it: gateways in processes of their own, one room server, one Redis, one file of keys, and
// HAProxy (Debian's package) that deals requests out in turn.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { type Ending, type SpawnedGateway, spawnGateway } from './gateway.ts';
import { freePort, startRedis, type TestStore } from './redis-server.ts';

export interface FleetSite {
  /** of HAProxy; an answer says in X-Served-By which gateway it is from: `g1`, `g2` … */
  url: string;
  gateways: readonly SpawnedGateway[];
  store: TestStore;
  /** A gateway is killed, and another one takes its data folder; HAProxy does not know that one. */
  restart(i: number): Promise<SpawnedGateway>;
}

/** With alice/alice and bob/bob, and rooms with content. */
export async function startFleetSite(t: Ending, count: number): Promise<FleetSite> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const keys = join(folder, 'keys');
  await writeFile(keys, randomBytes(32).toString('hex'), { mode: 0o600 });
  const line = ['--line-listen', 'tcp://127.0.0.1:0'];
  const [store, rooms] = await Promise.all([
    startRedis(t),
    spawnGateway(t, ['--data', join(folder, 'rooms'), '--demo', ...line]),
  ]);
  const words = ['--backend', rooms.lineUrl!, '--shared', store.url, '--secret-file', keys, '--trust-proxy'];
  const gateways: SpawnedGateway[] = [];
  const open = (i: number) => spawnGateway(t, ['--data', join(folder, `g${i + 1}`), ...words]);
  const restart = async (i: number) => {
    await gateways[i]!.kill();
    return open(i);
  };
  for (let i = 0; i < count; i++) gateways.push(await open(i));
  const port = await freePort();
  const config = join(folder, 'haproxy.cfg');
  await writeFile(config, configOf(port, gateways));
  const proxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' });
  const exited = once(proxy, 'exit');
  t.after(async () => {
    proxy.kill('SIGKILL');
    await exited;
  });
  await eventually(() => isListening(port), true);
  return { url: `http://127.0.0.1:${port}/`, gateways, store, restart };
}

function configOf(port: number, gateways: readonly SpawnedGateway[]): string {
  const servers = gateways.map(
    ({ url }, i) => `    server g${i + 1} ${new URL(url).host} check inter 200ms fall 1 rise 2`,
  );
  return `defaults
    mode http
    balance roundrobin
    # who cannot be connected to has not got the request: the next one gets it
    option redispatch 1
    retries 3
    timeout connect 1s
    timeout client 75s
    timeout server 75s

frontend web
    bind 127.0.0.1:${port}
    http-request set-header X-Forwarded-For %[src]
    http-response set-header X-Served-By %s
    default_backend vestibule

backend vestibule
${servers.join('\n')}
`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

// The listener for browsers and clients, and the workers that listen on the same port.

import type { ServeOptions } from '../cli/serve-options.ts';
import type { SharedFleet } from '../fleet/shared-fleet.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Listener, type ListenOptions, listen } from '../http/listener.ts';
import { forOperator } from '../system/operator-errors.ts';
import { connectionsWithin, openFilesLimit } from '../system/process.ts';
import type { ServerCertificate } from '../system/tls.ts';
import { startWorkers, type Workers } from '../workers/workers.ts';
import type { Apps } from './apps.ts';
import type { StartHooks } from './parts.ts';
import type { Telemetry } from './telemetry.ts';

interface FrontEndNeeds {
  apps: Apps;
  telemetry: Telemetry;
  certificate: ServerCertificate | undefined;
  /** for the workers: socket of the embedded room server, and the fleet of this process */
  socketPath: string | undefined;
  shared: SharedFleet | undefined;
}

interface FrontEnd {
  listener: Listener;
  workers: Workers | undefined;
  reload(options: ServeOptions): void;
  /** Lets running requests finish, in all processes at once. */
  close(): Promise<void>;
}

export async function openFrontEnd(
  options: ServeOptions,
  { sharing, tell = () => {} }: StartHooks,
  { apps, telemetry, certificate, socketPath, shared }: FrontEndNeeds,
): Promise<FrontEnd> {
  const { logError, observe } = telemetry;
  let hsts = hstsOf(options);
  const listener = await listenOn(options, sharing !== undefined, {
    handle: apps.handle,
    logError,
    onRequest: (exchange: Exchange) => {
      observe(exchange);
      if (hsts !== undefined && exchange.secure && !isThisMachine(exchange.host))
        exchange.addHeader('Strict-Transport-Security', hsts);
    },
    tlsContext: certificate && (() => certificate.context),
    maxConnections: connectionsOf(options, sharing ? () => {} : tell),
  });
  let workers: Workers | undefined;
  const close = async () => void (await Promise.all([listener.close(), workers?.close()]));
  if (!sharing && options.workers > 1) {
    const { sessionKey } = apps;
    const forWorkers = { ...options, port: listener.port, sessionKey, adminPassword: undefined };
    try {
      workers = await startWorkers(options.workers - 1, { options: forWorkers, socketPath, shared, log: logError });
    } catch (error) {
      await close();
      throw error;
    }
  }
  return {
    listener,
    workers,
    reload(changed) {
      workers?.reload(changed);
      hsts = hstsOf(changed);
    },
    close,
  };
}

/** The value of Strict-Transport-Security (RFC 6797 section 6.1); undefined: not sent. */
function hstsOf({ hstsDays }: ServeOptions): string | undefined {
  return hstsDays === 0 ? undefined : `max-age=${hstsDays * 86_400}`;
}

/** Other programs on a developer's machine speak no TLS on their ports. */
function isThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^localhost(?::|$)/i.test(host);
}

/** --max-connections, or as many as the system allows. */
function connectionsOf({ maxConnections }: ServeOptions, tell: (text: string) => void): number {
  const files = openFilesLimit();
  if (files === undefined || connectionsWithin(files) >= maxConnections) return maxConnections;
  const most = connectionsWithin(files);
  tell(
    `The system allows ${files} open files: ${most} connections are taken, not ${maxConnections} (--max-connections)`,
  );
  return most;
}

type ListenHooks = Pick<ListenOptions, 'handle' | 'logError' | 'onRequest' | 'tlsContext' | 'maxConnections'>;

function listenOn(options: ServeOptions, isWorker: boolean, hooks: ListenHooks): Promise<Listener> {
  const { host, port, socket, isProxyTrusted: trustProxy, drainSeconds } = options;
  const isUnix = host.startsWith('unix:');
  const shares = isWorker ? 'further' : options.workers > 1 ? 'first' : undefined;
  const address = isUnix ? { path: host.slice('unix:'.length) } : { host, port, ...(shares && ({ shares } as const)) };
  const at = socket === undefined ? address : { fd: socket };
  const maxPerAddress = options.maxConnectionsPerAddress;
  return listen({ at, trustProxy, graceMs: drainSeconds * 1000, maxPerAddress, ...hooks }).catch((error): Listener => {
    const where = `${host}${port > 0 && !isUnix ? ` port ${port}` : ''}`;
    throw forOperator(error, `Cannot listen on ${where}`, 'see --host and --port');
  });
}

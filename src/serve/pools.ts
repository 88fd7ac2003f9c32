// How this process reaches its room servers: a pool of connections for each. Starts the embedded one.

import { join } from 'node:path';
import { type Backend, type BackendOptions, startBackend } from '../backend/start.ts';
import { isEmbedded, type NamedBackend } from '../cli/option-values.ts';
import type { ServeOptions } from '../cli/serve-options.ts';
import { serverAddressOf, warningOf } from '../cli/server-address.ts';
import { EMBEDDED_CONNECTION_MAX_AGE_MS, EMBEDDED_MAX_CONNECTIONS } from '../limits/protocol.ts';
import { Pool } from '../room-server/connection/pool.ts';
import { version } from '../system/assets.ts';
import { ChangeCounts, type Counts, ReadCounts } from '../system/change-counts.ts';
import type { CertificatePair, ServerCertificate } from '../system/tls.ts';
import { Parts, type StartHooks } from './parts.ts';
import type { Telemetry } from './telemetry.ts';

interface OpenPools {
  /** the embedded room server, in the first process of a server that has it */
  backend: Backend | undefined;
  /** of the embedded room server */
  socketPath: string | undefined;
  /** in the order of `options.backends` */
  pools: readonly Pool[];
  close(): Promise<void>;
}

export async function openPools(
  options: ServeOptions,
  { tellAdmin, tell = () => {}, backendThread, sharing }: StartHooks,
  certificate: ServerCertificate | undefined,
  { metrics, logError }: Telemetry,
): Promise<OpenPools> {
  await using opened = new Parts();
  let changes: ChangeCounts | ReadCounts | undefined;
  let backend: Backend | undefined;
  if (options.backends.some(isEmbedded) && !sharing) {
    changes = new ChangeCounts();
    const onFault = (message: string) => logError('backend', message);
    const backendOptions = { ...backendOptionsOf(options, changes, certificate?.pair), onFault };
    backend = opened.keep(await startBackend(backendOptions, backendThread));
    if (certificate) certificate.onChange = (pair) => backend!.useCertificate(pair);
    if (backend.createdAdmin) tellAdmin?.(backend.createdAdmin);
  }
  const socketPath = backend?.socketPath ?? sharing?.socketPath;
  if (sharing && socketPath !== undefined) changes = opened.keep(new ReadCounts(countsPathIn(options.dataFolder)));
  if (!sharing)
    for (const warning of options.backends.flatMap(({ address }) => warningOf(address) ?? [])) tell(warning);
  const pools = options.backends.map(({ name, address }) => {
    const answered = metrics?.answeredBy(name);
    return opened.keep(new Pool({ ...poolOptions(options, address, socketPath, changes), answered }));
  });
  const parts = opened.move();
  return { backend, socketPath, pools, close: () => parts.disposeAsync() };
}

function backendOptionsOf(
  options: ServeOptions,
  changes: ChangeCounts,
  certificate: CertificatePair | undefined,
): BackendOptions {
  return {
    dataFolder: options.dataFolder,
    demo: options.isDemo,
    version: version(),
    ...(options.lineListen && { lineListen: options.lineListen, lineGateways: options.lineGateways }),
    ...(certificate && { certificate }),
    changeCounts: changes.buffer,
    ...(options.workers > 1 && { countsPath: countsPathIn(options.dataFolder) }),
    syncDays: options.syncDays,
    bounds: options.bounds,
    ...(options.adminPassword !== undefined && { adminPassword: options.adminPassword }),
  };
}

/** The file in which the room server counts its changes for other processes. */
export function countsPathIn(dataFolder: string): string {
  return join(dataFolder, 'change-counts');
}

/** `socketPath`: of the embedded room server, whose bound on connections all processes share out. */
export function poolOptions(
  options: ServeOptions,
  address: NamedBackend['address'],
  socketPath: string | undefined,
  changes: Counts | undefined,
) {
  const share = (count: number) => Math.max(1, Math.floor(count / options.workers));
  const common = { clientName: 'Vestibule', clientVersion: version() };
  if (address !== 'embedded') {
    const { backendConnections, backendConnecting, backendCaFile } = options;
    const target = serverAddressOf(address, backendCaFile);
    return { ...common, target, maxConnections: share(backendConnections), maxConnecting: share(backendConnecting) };
  }
  return {
    ...common,
    target: { path: socketPath! },
    isEmbedded: true,
    changes,
    maxAgeMs: EMBEDDED_CONNECTION_MAX_AGE_MS,
    maxConnections: share(EMBEDDED_MAX_CONNECTIONS),
    maxConnecting: share(EMBEDDED_MAX_CONNECTIONS),
  };
}

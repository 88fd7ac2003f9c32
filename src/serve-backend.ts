// The room servers behind a gateway: the one that it brings, and how each is reached.

import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { type Backend, type BackendOptions, startBackend } from './backend/start.ts';
import type { NamedBackend } from './cli/option-values.ts';
import type { ServeOptions } from './cli/serve-options.ts';
import { serverAddressOf } from './cli/server-address.ts';
import type { LogError } from './http/problem.ts';
import { OWN_CONNECTION_MAX_AGE_MS, OWN_MAX_CONNECTIONS } from './limits/protocol.ts';
import { version } from './system/assets.ts';
import type { CertificatePair } from './system/certificate.ts';
import type { ChangeCounts, Counts } from './system/change-counts.ts';

interface EmbeddedParts {
  options: ServeOptions;
  changes: ChangeCounts;
  pair: CertificatePair | undefined;
  thread: Worker | undefined;
}

export function startEmbedded({ options, changes, pair, thread }: EmbeddedParts, logError: LogError): Promise<Backend> {
  const backendOptions: BackendOptions = {
    dataFolder: options.dataFolder,
    demo: options.isDemo,
    version: version(),
    ...(options.lineListen && { lineListen: options.lineListen, lineGateways: options.lineGateways }),
    ...(pair && { certificate: pair }),
    changeCounts: changes.buffer,
    ...(options.workers > 1 && { countsPath: countsPathIn(options.dataFolder) }),
    syncDays: options.syncDays,
    bounds: options.bounds,
    ...(options.adminPassword !== undefined && { adminPassword: options.adminPassword }),
    onFault: (message) => logError('backend', message),
  };
  return startBackend(backendOptions, thread);
}

/** Where the room server counts its changes for further processes. */
export function countsPathIn(dataFolder: string): string {
  return join(dataFolder, 'change-counts');
}

/** `socketPath`: of the embedded room server. The room server counts the connections of all processes together. */
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
    isOwn: true,
    changes,
    maxAgeMs: OWN_CONNECTION_MAX_AGE_MS,
    maxConnections: share(OWN_MAX_CONNECTIONS),
    maxConnecting: share(OWN_MAX_CONNECTIONS),
  };
}

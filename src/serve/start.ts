// The gateway as a whole: opens its parts in order, passes them to each other, and closes them in the opposite order.

import type { Backend } from '../backend/start.ts';
import type { ServeOptions } from '../cli/serve-options.ts';
import type { LogError } from '../http/problem.ts';
import { setBounds } from '../limits/settable.ts';
import { RenderThreads } from '../render/threads.ts';
import { makeFolder } from '../system/folder-lock.ts';
import { ServerCertificate } from '../system/tls.ts';
import { openApps } from './apps.ts';
import { openFleet } from './fleet.ts';
import { openFrontEnd } from './front-end.ts';
import { Parts, type StartHooks } from './parts.ts';
import { openPools } from './pools.ts';
import { openTelemetry } from './telemetry.ts';

export interface Gateway {
  /** with a trailing slash */
  url: string;
  /** of --admin-listen */
  adminUrl: string | undefined;
  /** the embedded room server; undefined with `--backend` */
  backend: Backend | undefined;
  /** of this process, in the format of Prometheus; empty without --admin-listen */
  metrics(): string;
  /** Applies the live options (option-table.ts); the others keep their values. */
  reload(options: ServeOptions): void;
  /** Lets running requests finish, then closes everything. */
  close(): Promise<void>;
}

/**
 * Starts the gateway and, unless `--backend` names another one, its room server. If a part cannot start, the rejection
 * is mostly an AppError for the operator.
 */
export async function start(options: ServeOptions, logFault: LogError, hooks: StartHooks = {}): Promise<Gateway> {
  await using opened = new Parts();
  setBounds(options.bounds);
  makeFolder(options.dataFolder);
  const certificate = options.tls && opened.keep(new ServerCertificate(options.tls, hooks.tell ?? (() => {})));
  const telemetry = opened.keep(await openTelemetry(options, hooks, logFault));
  const { logError } = telemetry;
  const { backend, socketPath, pools } = opened.keep(await openPools(options, hooks, certificate, telemetry));
  const { fleet, spoolFolder, shared } = opened.keep(await openFleet(options, hooks));
  const spawn = hooks.spawnRenderer;
  const renderThreads = opened.keep(new RenderThreads({ logError, ...(spawn && { spawn }) }));
  const apps = await openApps(options, { pools, fleet, spoolFolder, renderThreads, telemetry });
  const frontEnd = opened.keep(
    await openFrontEnd(options, hooks, { apps, telemetry, certificate, socketPath, shared }),
  );
  // Closed first: the listener waits for running requests, and event streams do not end by themselves.
  opened.keep(apps);
  telemetry.follow(apps.servers, frontEnd, fleet);
  const parts = opened.move();
  const { url } = frontEnd.listener;
  return {
    url: url.startsWith('unix:') ? url : `${url}/`,
    adminUrl: telemetry.adminUrl,
    backend,
    metrics: telemetry.metricsText,
    reload(changed) {
      for (const part of [frontEnd, apps, telemetry]) part.reload(changed);
      certificate?.reload();
    },
    close() {
      telemetry.leave();
      return parts.disposeAsync();
    },
  };
}

// Metrics, administration listener, request log and stall watch. This part is opened first and closed last, so that
// health checks are answered while the gateway itself accepts no requests.

import type { ServeOptions } from '../cli/serve-options.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { HostedServer } from '../gateway/new-app.ts';
import type { Listener } from '../http/listener.ts';
import type { LogError } from '../http/problem.ts';
import { command } from '../protocol/fields.ts';
import { GUEST } from '../room-server/connection/identity.ts';
import { RequestsUnderWay } from '../system/stalls.ts';
import { openAdmin } from '../telemetry/admin.ts';
import { GatewayMetrics } from '../telemetry/gateway-metrics.ts';
import { requestObserver } from '../telemetry/observer.ts';
import type { Workers } from '../workers/workers.ts';
import { Parts, type StartHooks } from './parts.ts';

/** every room server answers it, guests included */
const PROBE = command('NOOP');

interface Listening {
  listener: Listener;
  workers: Workers | undefined;
}

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

export async function openTelemetry(options: ServeOptions, { logRequest, sharing }: StartHooks, logFault: LogError) {
  await using opened = new Parts();
  const metrics = options.adminListen && opened.keep(new GatewayMetrics());
  const logError: LogError = (requestId, error) => {
    metrics?.faulted();
    logFault(requestId, error);
  };
  const adminAddress = sharing ? undefined : options.adminListen;
  const admin = adminAddress && metrics && opened.keep(await openAdmin(adminAddress, metrics, logError));
  const underWay = opened.keep(new RequestsUnderWay(logError));
  let { logsRequests } = options;
  const observe = requestObserver({
    metrics: metrics?.requests,
    isLogged: () => logsRequests,
    log: (entry) => logRequest?.(entry),
  });
  let metricsText = () => '';
  const parts = opened.move();
  return {
    logError,
    metrics,
    adminUrl: admin?.url,
    /** requests being answered */
    underWay,
    /** called with each new request */
    observe,
    /** of this process, in the format of Prometheus; empty without --admin-listen */
    metricsText: () => metricsText(),
    /** Reports on these parts from now on; until then, and after `leave`, the gateway is not ready. */
    follow(servers: readonly HostedServer[], { listener, workers }: Listening, fleet: Fleet): void {
      if (!metrics) return;
      const state = () => ({
        traffic: listener.traffic(),
        requestsUnderWay: underWay.size,
        pools: new Map(servers.map(({ name, app }) => [name, app.pool.state])),
        eventStreams: servers.reduce((sum, { app }) => sum + app.watches.size, 0),
        uploads: fleet.uploads.totals(),
      });
      metricsText = () => metrics.text(state());
      const probes = servers.map(({ name, app }) => ({ name, ask: () => app.pool.read(GUEST, [PROBE]) }));
      admin?.follow(state, probes, workers && (() => workers.metrics()));
    },
    leave: () => admin?.leave(),
    reload: (changed: ServeOptions) => void ({ logsRequests } = changed),
    close: () => parts.disposeAsync(),
  };
}

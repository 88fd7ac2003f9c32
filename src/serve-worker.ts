// A further process of a server with --workers (workers/workers.ts): a gateway that has no room server and no fleet of
// its own. It lives as long as the channel to the process that started it.

import { operatorLog, RequestLog } from './cli/log.ts';
import type { ServeOptions } from './cli/serve-options.ts';
import { type CallMessage, Calls } from './fleet/calls.ts';
import { remoteFleet } from './fleet/shared-fleet.ts';
import { type Gateway, start } from './serve.ts';
import type { WorkerStart } from './workers/workers.ts';

/** Waits for what the first process says, and does that. */
export function serveAsWorker(): void {
  let gateway: Gateway | undefined;
  let format: ServeOptions['logFormat'] = 'text';
  let isClosed = false;
  const requestLog = new RequestLog(
    (text) => process.stderr.write(text),
    () => format,
  );
  const log = operatorLog(
    (entry) => console.error(entry),
    () => format,
  );
  const remote = remoteFleet(() => calls);
  const calls: Calls = new Calls((message) => process.connected && process.send!(message), {
    ...remote.handlers,
    async start({ options, socketPath, number }: WorkerStart) {
      format = options.logFormat;
      if (!options.shared) await remote.begin();
      const sharing = { fleet: remote.fleet, socketPath, number };
      gateway = await start(options, log, { logRequest: (entry) => requestLog.add(entry), sharing });
    },
    reload(options: ServeOptions) {
      format = options.logFormat;
      gateway?.reload(options);
    },
    metrics: () => gateway?.metrics() ?? '',
    async close() {
      await gateway?.close();
      requestLog.flush();
      isClosed = true;
    },
  });
  process.on('message', (message) => calls.take(message as CallMessage));
  process.on('disconnect', () => process.exit(isClosed ? 0 : 1));
  // a terminal and a service manager tell all processes; the first one says when this one is to end
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

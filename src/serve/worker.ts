// A further process of a server with --workers (workers/workers.ts): a gateway without room server and fleet of its
// own. It ends when the channel to the process that started it closes.

import { operatorLog, RequestLog } from '../cli/log.ts';
import type { ServeOptions } from '../cli/serve-options.ts';
import { type CallMessage, Calls } from '../fleet/calls.ts';
import { remoteFleet } from '../fleet/shared-fleet.ts';
import type { WorkerStart } from '../workers/workers.ts';
import { type Gateway, start } from './start.ts';

/** Carries out the calls of the first process. */
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
  // Terminals and service managers signal all processes; the first process decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

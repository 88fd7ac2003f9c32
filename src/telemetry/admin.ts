// The administration listener: /livez (the process runs), /readyz (a room server answers) and /metrics, summed over all
// processes. It requires no log-in, so it must listen on an address that only operators can reach.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Listener, listen } from '../http/listener.ts';
import type { LogError } from '../http/problem.ts';
import { asPlainText, send } from '../http/respond.ts';
import { MAX_ADMIN_CONNECTIONS, READY_KNOWN_MS, READY_TIMEOUT_MS } from '../limits/processes.ts';
import { forOperator } from '../system/operator-errors.ts';
import { type GatewayMetrics, type GatewayState, serverLabel } from './gateway-metrics.ts';
import { METRICS_TYPE } from './metrics-text.ts';

type AdminAddress = { kind: 'unix'; path: string } | { kind: 'tcp'; host: string; port: number };

/** Readiness, and its explanation. */
interface Judgement {
  isReady: boolean;
  text: string;
}

interface AdminParts {
  judge: () => Promise<Judgement>;
  metrics: () => Promise<string>;
}

function adminHandler({ judge, metrics }: AdminParts) {
  return async (exchange: Exchange): Promise<void> => {
    const known = ['/livez', '/readyz', '/metrics'];
    if (!known.includes(exchange.rawPath)) throw new AppError('not_found', `There are ${known.join(', ')}.`);
    exchange.route = exchange.rawPath;
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      exchange.addHeader('Allow', 'GET, HEAD');
      throw new AppError('method_not_allowed', 'This can only be read.');
    }
    if (exchange.rawPath === '/metrics') {
      return send(exchange, 200, { type: METRICS_TYPE, body: await metrics() });
    }
    const { isReady, text } = exchange.rawPath === '/readyz' ? await judge() : { isReady: true, text: 'ok' };
    return send(exchange, isReady ? 200 : 503, asPlainText(`${text}\n`));
  };
}

/** A room server, and a query to test it. */
export interface AskedServer {
  name: string;
  ask: () => Promise<unknown>;
}

export interface Admin {
  url: string;
  /** Reports on these parts from now on; the gateway is not ready before, and after `leave`. */
  follow(state: () => GatewayState, servers: readonly AskedServer[], others?: () => Promise<string[]>): void;
  leave(): void;
  close(): Promise<void>;
}

/** Starts listening. Throws AppError for the operator. */
export async function openAdmin(address: AdminAddress, metrics: GatewayMetrics, logError: LogError): Promise<Admin> {
  let stateOf: (() => GatewayState) | undefined;
  let metricsOfOthers = async (): Promise<string[]> => [];
  let judge: () => Promise<Judgement> = async () => ({ isReady: false, text: 'The gateway is starting.' });
  const handle = adminHandler({
    judge: () => judge(),
    metrics: async () => sumMetrics([metrics.text(stateOf?.()), ...(await metricsOfOthers())]),
  });
  const at = address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
  const bounds = { maxConnections: MAX_ADMIN_CONNECTIONS, graceMs: 0 };
  const listener = await listen({ at, handle, logError, ...bounds }).catch((error): Listener => {
    const name = address.kind === 'unix' ? `unix:${address.path}` : `tcp://${address.host}:${address.port}`;
    throw forOperator(error, `--admin-listen cannot use ${name}`, 'choose another address');
  });
  return {
    url: listener.url,
    follow(state, servers, others) {
      stateOf = state;
      if (others) metricsOfOthers = others;
      judge = readinessOfAll(servers);
    },
    leave() {
      judge = async () => ({ isReady: false, text: 'The gateway is stopping.' });
    },
    close: () => listener.close(),
  };
}

/** Ready if at least one of several servers is. One line for each. */
function readinessOfAll(servers: readonly AskedServer[]): () => Promise<Judgement> {
  const all = servers.map(({ name, ask }) => ({ name: serverLabel(name), unreadiness: readiness(ask) }));
  return async () => {
    const whys = await Promise.all(all.map(({ unreadiness }) => unreadiness()));
    const text = all.map(({ name }, i) => `${all.length === 1 ? '' : `${name}: `}${whys[i] ?? 'ok'}`).join('\n');
    return { isReady: whys.includes(undefined), text };
  };
}

/** Ready if `ask` resolves in time. Concurrent callers share one query; its result is cached for a moment. */
export function readiness(
  ask: () => Promise<unknown>,
  { timeoutMs = READY_TIMEOUT_MS, knownMs = READY_KNOWN_MS } = {},
): () => Promise<string | undefined> {
  let judging: Promise<string | undefined> | undefined;
  let knownUntil = 0;
  return () => {
    if (judging && performance.now() < knownUntil) return judging;
    knownUntil = Number.POSITIVE_INFINITY;
    judging = unreadinessOf(ask, timeoutMs).finally(() => {
      knownUntil = performance.now() + knownMs;
    });
    return judging;
  };
}

async function unreadinessOf(ask: () => Promise<unknown>, timeoutMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('The room server does not answer in time.'), timeoutMs);
  });
  try {
    return await Promise.race([ask().then(() => undefined), late]);
  } catch (error) {
    return error instanceof AppError ? error.message : 'The room server cannot be reached.';
  } finally {
    clearTimeout(timer);
  }
}

/** metrics to combine by maximum: latest start, versions, longest event loop delay */
const LARGEST = /^(?:process_start_time_seconds|vestibule_build_info|vestibule_event_loop_delay_seconds)[ {]/;

/** `texts`: from MetricsText. Keeps the order of families and samples. */
export function sumMetrics(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  /** family name → header and samples */
  const families = new Map<string, { head: string[]; samples: Map<string, number> }>();
  for (const text of texts) {
    let family = { head: [] as string[], samples: new Map<string, number>() };
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('# HELP ')) {
        const name = line.split(' ', 3)[2]!;
        family = families.getOrInsertComputed(name, () => ({ head: [line], samples: new Map() }));
      } else if (line.startsWith('#')) {
        if (family.head.length === 1) family.head.push(line);
      } else {
        const end = line.lastIndexOf(' ');
        const [key, value] = [line.slice(0, end), Number(line.slice(end + 1))];
        const before = family.samples.get(key);
        const sum = LARGEST.test(line) ? Math.max(before ?? value, value) : (before ?? 0) + value;
        family.samples.set(key, sum);
      }
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [
    ...head,
    ...Array.from(samples, ([key, value]) => `${key} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

// Command lines that are read and those that are refused, without a process.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { UsageError } from '../../src/cli/option-values.ts';
import { parseCommandLine } from '../../src/cli/options.ts';
import type { ServeOptions } from '../../src/cli/serve-options.ts';
import type { Environment } from '../../src/cli/settings.ts';
import { UPLOAD_BOUNDS } from '../../src/fleet/uploads.ts';
import { DEFAULT_SYNC_DAYS } from '../../src/limits/backend.ts';
import {
  DEFAULT_DRAIN_SECONDS,
  MAX_BODY_BYTES,
  MAX_EVENT_STREAMS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  MAX_SPOOLED_BYTES_PER_USER,
} from '../../src/limits/http.ts';
import { MAX_CONNECTING, MAX_CONNECTIONS } from '../../src/limits/protocol.ts';

/** The options of a command line that starts the gateway. */
export function serve(argv: string[], env: Environment = {}): ServeOptions {
  const line = parseCommandLine(argv, env);
  assert.equal(line.command, 'serve');
  return (line as { options: ServeOptions }).options;
}

/** The one line that says why a command line is refused. */
export function complaint(argv: string[], env: Environment = {}): string {
  try {
    parseCommandLine(argv, env);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    assert.ok(!error.message.includes('\n'), 'one line');
    return error.message;
  }
  assert.fail(`accepted: ${argv.join(' ')}`);
}

/** Options that are told to be wrong, one test each. */
export type Refused = [argv: string[], message: string | RegExp];

/** Asserts what each command line is told. */
export function assertRefused(rows: readonly Refused[]): void {
  for (const [argv, message] of rows) {
    if (typeof message === 'string') assert.equal(complaint(argv), message);
    else assert.match(complaint(argv), message, argv.join(' '));
  }
}

/** Where nothing is given. */
export const DEFAULTS: ServeOptions = {
  host: '127.0.0.1',
  port: 8080,
  tls: undefined,
  hstsDays: 1,
  bounds: {},
  prefix: '/svc/',
  dataFolder: resolve('data'),
  backends: [{ name: '', hosts: [], address: 'embedded' }],
  backendCaFile: undefined,
  backendConnections: MAX_CONNECTIONS,
  backendConnecting: MAX_CONNECTING,
  shared: undefined,
  sharedCaFile: undefined,
  secretFile: undefined,
  lineListen: undefined,
  lineGateways: [],
  syncDays: DEFAULT_SYNC_DAYS,
  adminListen: undefined,
  logFormat: 'text',
  logsRequests: false,
  workers: 1,
  maxBodyBytes: MAX_BODY_BYTES,
  maxSpooledBytes: MAX_SPOOLED_BYTES_PER_USER,
  uploadBounds: UPLOAD_BOUNDS,
  maxConnections: MAX_HTTP_CONNECTIONS,
  maxConnectionsPerAddress: MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  maxEventStreams: MAX_EVENT_STREAMS,
  drainSeconds: DEFAULT_DRAIN_SECONDS,
  staticFolder: undefined,
  landing: '/svc/a/landing.html',
  isDemo: false,
  hasSecureCookies: false,
  allowedOrigins: [],
  isProxyTrusted: false,
  socket: undefined,
  isManaged: false,
  adminPassword: undefined,
  sessionKey: undefined,
};

// The options of serve, and checks of their combinations.

import { parseKey } from '../gateway/seal.ts';
import { inheritedSocket } from '../system/process.ts';
import type { CertificateFiles } from '../system/tls.ts';
import { OPTIONS, type Option, type OptionName } from './option-table.ts';
import { quote, UsageError } from './option-values.ts';
import type { Environment, Settings } from './settings.ts';

export type ServeOptions = ReturnType<typeof serveOptions>;

/** Throws UsageError for invalid values and combinations. */
export function serveOptions(
  command: string,
  words: readonly string[],
  given: Map<OptionName, string>,
  env: Environment,
  settings: Settings,
) {
  if (words[0] !== undefined) throw new UsageError(`vestibule ${command} takes no argument ${quote(words[0])}`);
  for (const name of given.keys()) {
    const option: Option = OPTIONS[name];
    if (option.command) throw new UsageError(`--${name} can only be used with vestibule ${option.command}`);
  }
  const prefix = settings.read('prefix');
  const options = {
    host: settings.read('host'),
    port: settings.read('port'),
    tls: certificateFilesOf(settings),
    hstsDays: settings.read('hsts-days'),
    bounds: settings.read('bound') ?? {},
    prefix,
    dataFolder: settings.read('data'),
    backends: settings.read('backend'),
    backendCaFile: settings.read('backend-ca'),
    backendConnections: settings.read('backend-connections'),
    backendConnecting: settings.read('backend-connecting'),
    shared: settings.read('shared'),
    sharedCaFile: settings.read('shared-ca'),
    secretFile: settings.read('secret-file'),
    lineListen: settings.read('line-listen'),
    lineGateways: settings.read('line-gateways') ?? [],
    syncDays: settings.read('sync-days'),
    adminListen: settings.read('admin-listen'),
    logFormat: settings.read('log-format'),
    logsRequests: settings.read('log-requests'),
    workers: settings.read('workers'),
    maxBodyBytes: settings.read('max-body'),
    maxSpooledBytes: settings.read('max-spool'),
    uploadBounds: { bytes: settings.read('max-upload-space'), underWay: settings.read('max-uploads-at-once') },
    maxConnections: settings.read('max-connections'),
    maxConnectionsPerAddress: settings.read('max-per-address'),
    maxEventStreams: settings.read('max-event-streams'),
    drainSeconds: settings.read('drain-seconds'),
    staticFolder: settings.read('static'),
    landing: settings.read('landing') ?? defaultLanding(prefix),
    isDemo: settings.read('demo'),
    hasSecureCookies: settings.read('secure-cookies'),
    allowedOrigins: settings.read('allow-origin') ?? [],
    isProxyTrusted: settings.read('trust-proxy'),
    /** a listening socket passed by the service manager; overrides host and port */
    socket: socketOf(env),
    /** the service manager wants to be notified of start and stop */
    isManaged: Boolean(env.NOTIFY_SOCKET),
    adminPassword: settings.secret('admin-password', 'a text', String),
    /** 32 bytes; undefined: use the key in the data folder */
    sessionKey: settings.secret('key', '32 bytes as 64 hex digits or as base64', parseKey),
  };
  const { host, tls, maxBodyBytes, maxSpooledBytes, uploadBounds } = options;
  for (const [option, bytes] of [
    ['--max-spool', maxSpooledBytes],
    ['--max-upload-space', uploadBounds.bytes],
  ] as const) {
    if (bytes < maxBodyBytes) throw new UsageError(`${option} must not be less than --max-body`);
  }
  if (tls && host.startsWith('unix:')) {
    throw new UsageError('--tls-cert cannot be used with a unix socket as --host; let the proxy terminate TLS');
  }
  const addresses = options.backends.map(({ address }) => address);
  if (options.backendCaFile !== undefined && !addresses.some((it) => it !== 'embedded' && it.kind === 'tls')) {
    throw new UsageError('--backend-ca can only be used with --backend tls://host:port');
  }
  if (options.sharedCaFile !== undefined && !options.shared?.address.isTls) {
    throw new UsageError('--shared-ca can only be used with --shared rediss://host:port');
  }
  if (options.secretFile !== undefined && options.sessionKey !== undefined) {
    throw new UsageError('--secret-file and the secret key both set the session key; use one of them');
  }
  if (!addresses.includes('embedded')) {
    const { lineListen, isDemo } = options;
    const own = { '--line-listen': lineListen, '--demo': isDemo, '--sync-days': settings.isGiven('sync-days') };
    const other = Object.entries(own).find(([, value]) => value)?.[0];
    if (other) throw new UsageError(`${other} is for the embedded room server and cannot be used with --backend`);
  }
  if (options.lineGateways.length > 0 && options.lineListen === undefined) {
    throw new UsageError('--line-gateways can only be used with --line-listen');
  }
  if (options.workers > 1 && (options.host.startsWith('unix:') || options.socket !== undefined)) {
    throw new UsageError(
      '--workers requires a TCP port: it cannot be used with unix: or a socket of the service manager',
    );
  }
  return options;
}

function certificateFilesOf(settings: Settings): CertificateFiles | undefined {
  const certificateFile = settings.read('tls-cert');
  const keyFile = settings.read('tls-key');
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile };
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  const missing = keyFile === undefined ? '--tls-key' : '--tls-cert';
  throw new UsageError(`--tls-cert and --tls-key must be used together; ${missing} is missing`);
}

/** The default redirect target of `/`. */
export function defaultLanding(prefix: string): string {
  return `${prefix}a/landing.html`;
}

function socketOf(env: Environment): number | undefined {
  const inherited = inheritedSocket(env);
  if (inherited === undefined || 'fd' in inherited) return inherited?.fd;
  throw new UsageError(`the service manager passes ${inherited.count} sockets; only one is supported`);
}

// The options of serve, each checked, and whether they go together.

import { resolve } from 'node:path';
import type { UploadBounds } from '../fleet/uploads.ts';
import { parseKey } from '../gateway/seal.ts';
import { DEFAULT_SYNC_DAYS, MAX_SYNC_DAYS } from '../limits/backend.ts';
import { MAX_EVENT_STREAMS } from '../limits/events.ts';
import {
  DEFAULT_DRAIN_SECONDS,
  DEFAULT_HSTS_DAYS,
  MAX_BODY_BYTES,
  MAX_DRAIN_SECONDS,
  MAX_HSTS_DAYS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  MAX_SPOOLED_BYTES_PER_USER,
  MOST_MAX_BODY_BYTES,
  MOST_MAX_HTTP_CONNECTIONS,
  MOST_MAX_SPACE_BYTES,
} from '../limits/http.ts';
import { MAX_CONNECTING, MAX_CONNECTIONS, MOST_MAX_CONNECTING, MOST_MAX_CONNECTIONS } from '../limits/protocol.ts';
import { MAX_UPLOAD_BYTES_PER_USER, MAX_UPLOADS_PER_USER, MAX_UPLOADS_UNDER_WAY_PER_USER } from '../limits/sessions.ts';
import type { Bounds } from '../limits/settable.ts';
import { MIB } from '../limits/units.ts';
import { MAX_WORKERS } from '../limits/workers.ts';
import type { CertificateFiles } from '../system/certificate.ts';
import { inheritedSocket } from '../system/service-manager.ts';
import type { LogFormat } from '../telemetry/log-line.ts';
import { OPTIONS, type Option, type OptionName } from './option-table.ts';
import {
  type Address,
  type NamedBackend,
  parseAddress,
  parseBackends,
  parseBounds,
  parseCount,
  parseCountOrNone,
  parseFile,
  parseFolder,
  parseHost,
  parseLanding,
  parseLogFormat,
  parseNetworks,
  parseOrigins,
  parsePort,
  parsePrefix,
  parseShared,
  parseSwitch,
  quote,
  type SharedStore,
  UsageError,
} from './option-values.ts';
import type { Environment, Settings } from './settings.ts';

export interface ServeOptions {
  /** a name, an address, or `unix:` and an absolute path */
  host: string;
  /** 0: the system picks a free one */
  port: number;
  /** of the server itself: HTTPS is spoken */
  tls: CertificateFiles | undefined;
  /** told to browsers over TLS; 0: they are not told */
  hstsDays: number;
  /** of --bound */
  bounds: Bounds;
  /** begins and ends with '/' */
  prefix: string;
  /** absolute; need not exist */
  dataFolder: string;
  /** one at least; of several each serves hosts of its own */
  backends: readonly NamedBackend[];
  /** of certification authorities, for a backend on tls://; undefined: those of the system */
  backendCaFile: string | undefined;
  /** connections to another room server, at most */
  backendConnections: number;
  /** connects to another room server that may be under way at once */
  backendConnecting: number;
  /** what several gateways share; undefined: nothing */
  shared: SharedStore | undefined;
  /** of certification authorities, for a store on rediss://; undefined: those of the system */
  sharedCaFile: string | undefined;
  /** of session keys, a line each */
  secretFile: string | undefined;
  /** where ordinary line protocol clients reach the embedded room server; a tcp port may be 0 */
  lineListen: Address | undefined;
  /** IP addresses and networks: gateways that come to it */
  lineGateways: readonly string[];
  /** how long the embedded room server knows which members of rooms were removed */
  syncDays: number;
  /** where health and metrics are answered; a tcp port may be 0 */
  adminListen: Address | undefined;
  logFormat: LogFormat;
  /** a line for each request */
  logsRequests: boolean;
  /** processes that answer requests */
  workers: number;
  /** of a message or file that is sent */
  maxBodyBytes: number;
  /** of one account's bodies that are on their way to the room server, of each process */
  maxSpooledBytes: number;
  uploadBounds: UploadBounds;
  /** of clients, of each process */
  maxConnections: number;
  /** of these from one address */
  maxConnectionsPerAddress: number;
  /** of each process */
  maxEventStreams: number;
  /** what running requests get after SIGTERM */
  drainSeconds: number;
  /** absolute; exists */
  staticFolder: string | undefined;
  /** a path on this site: where `/` redirects to */
  landing: string;
  isDemo: boolean;
  hasSecureCookies: boolean;
  /** of pages elsewhere that may use the interface, as browsers write them: `https://app.example.org` */
  allowedOrigins: readonly string[];
  isProxyTrusted: boolean;
  /** a listening socket that the service manager has handed over: host and port count no longer */
  socket: number | undefined;
  /** the service manager wants to be told of the start and the end */
  isManaged: boolean;
  adminPassword: string | undefined;
  /** 32 bytes; undefined: kept in the data folder */
  sessionKey: Buffer | undefined;
}

/**
 * What `settings` finds in `given`, `env` and the file of --config → options of serve. Throws UsageError for what is
 * out of range, or does not go together.
 */
export function serveOptions(
  command: string,
  words: readonly string[],
  given: Map<OptionName, string>,
  env: Environment,
  settings: Settings,
): ServeOptions {
  if (words[0] !== undefined) throw new UsageError(`vestibule ${command} takes no word ${quote(words[0])}`);
  for (const name of given.keys()) {
    const option: Option = OPTIONS[name];
    if (option.command) throw new UsageError(`--${name} goes with vestibule ${option.command} only`);
  }
  const host = settings.read('host', parseHost, '127.0.0.1');
  const port = settings.read('port', parsePort, 8080);
  const tls = certificateFilesOf(settings);
  const hstsDays = settings.read('hsts-days', parseCountOrNone(MAX_HSTS_DAYS), DEFAULT_HSTS_DAYS);
  const prefix = settings.read('prefix', parsePrefix, '/svc/');
  const options: ServeOptions = {
    host,
    port,
    tls,
    hstsDays,
    prefix,
    dataFolder: dataFolderOf(settings),
    backends: settings.readOr('backend', parseBackends, 'embedded'),
    backendCaFile: settings.read('backend-ca', parseFile),
    backendConnections: settings.read('backend-connections', parseCount(MOST_MAX_CONNECTIONS), MAX_CONNECTIONS),
    backendConnecting: settings.read('backend-connecting', parseCount(MOST_MAX_CONNECTING), MAX_CONNECTING),
    shared: settings.read('shared', parseShared),
    sharedCaFile: settings.read('shared-ca', parseFile),
    secretFile: settings.read('secret-file', parseFile),
    lineListen: settings.read('line-listen', parseAddress),
    lineGateways: settings.read('line-gateways', parseNetworks) ?? [],
    syncDays: settings.read('sync-days', parseCount(MAX_SYNC_DAYS), DEFAULT_SYNC_DAYS),
    adminListen: settings.read('admin-listen', parseAddress),
    logFormat: settings.read<LogFormat>('log-format', parseLogFormat, 'text'),
    logsRequests: settings.read('log-requests', parseSwitch, false),
    workers: settings.read('workers', parseCount(MAX_WORKERS), 1),
    ...boundsOf(settings),
    drainSeconds: settings.read('drain-seconds', parseCount(MAX_DRAIN_SECONDS), DEFAULT_DRAIN_SECONDS),
    staticFolder: settings.read('static', parseFolder),
    landing: settings.read('landing', parseLanding, defaultLanding(prefix)),
    isDemo: settings.read('demo', parseSwitch, false),
    hasSecureCookies: settings.read('secure-cookies', parseSwitch, false),
    allowedOrigins: settings.read('allow-origin', parseOrigins) ?? [],
    isProxyTrusted: settings.read('trust-proxy', parseSwitch, false),
    socket: socketOf(env),
    isManaged: Boolean(env.NOTIFY_SOCKET),
    adminPassword: settings.secret('admin-password', 'a text', String),
    sessionKey: settings.secret('key', '32 bytes as 64 hex digits or as base64', parseKey),
  };
  if (tls && host.startsWith('unix:')) {
    throw new UsageError('--tls-cert does not go with a unix socket as --host; the proxy there speaks TLS');
  }
  const addresses = options.backends.map(({ address }) => address);
  if (options.backendCaFile !== undefined && !addresses.some((it) => it !== 'embedded' && it.kind === 'tls')) {
    throw new UsageError('--backend-ca goes with --backend tls://host:port only');
  }
  if (options.sharedCaFile !== undefined && !options.shared?.address.isTls) {
    throw new UsageError('--shared-ca goes with --shared rediss://host:port only');
  }
  if (options.secretFile !== undefined && options.sessionKey !== undefined) {
    throw new UsageError('--secret-file and the secret key both name the session key; give one of them');
  }
  if (!addresses.includes('embedded')) {
    const { lineListen, isDemo } = options;
    const own = { '--line-listen': lineListen, '--demo': isDemo, '--sync-days': settings.isGiven('sync-days') };
    const other = Object.entries(own).find(([, value]) => value)?.[0];
    if (other) throw new UsageError(`${other} is for the embedded room server and does not go with --backend`);
  }
  if (options.lineGateways.length > 0 && options.lineListen === undefined) {
    throw new UsageError('--line-gateways goes with --line-listen only');
  }
  if (options.workers > 1 && (options.host.startsWith('unix:') || options.socket !== undefined)) {
    throw new UsageError(
      '--workers shares a port: it does not go with unix:, nor with a socket of the service manager',
    );
  }
  return options;
}

/** What clients may take, of one process. */
function boundsOf(settings: Settings) {
  const parseMany = parseCount(MOST_MAX_HTTP_CONNECTIONS);
  const readBytes = (name: 'max-body' | 'max-spool' | 'max-upload-space', most: number, otherwise: number) =>
    settings.read(name, parseCount(most / MIB), otherwise / MIB) * MIB;
  const maxBodyBytes = readBytes('max-body', MOST_MAX_BODY_BYTES, MAX_BODY_BYTES);
  const maxSpooledBytes = readBytes('max-spool', MOST_MAX_SPACE_BYTES, MAX_SPOOLED_BYTES_PER_USER);
  const uploadBytes = readBytes('max-upload-space', MOST_MAX_SPACE_BYTES, MAX_UPLOAD_BYTES_PER_USER);
  for (const [option, bytes] of Object.entries({ '--max-spool': maxSpooledBytes, '--max-upload-space': uploadBytes })) {
    if (bytes < maxBodyBytes) throw new UsageError(`${option} is less than --max-body, of which it has to hold one`);
  }
  const parseUploads = parseCount(MAX_UPLOADS_PER_USER);
  return {
    bounds: settings.read('bound', parseBounds) ?? {},
    maxBodyBytes,
    maxSpooledBytes,
    uploadBounds: {
      bytes: uploadBytes,
      underWay: settings.read('max-uploads-at-once', parseUploads, MAX_UPLOADS_UNDER_WAY_PER_USER),
    },
    maxConnections: settings.read('max-connections', parseMany, MAX_HTTP_CONNECTIONS),
    maxConnectionsPerAddress: settings.read('max-per-address', parseMany, MAX_HTTP_CONNECTIONS_PER_ADDRESS),
    maxEventStreams: settings.read('max-event-streams', parseMany, MAX_EVENT_STREAMS),
  };
}

function certificateFilesOf(settings: Settings): CertificateFiles | undefined {
  const certificateFile = settings.read('tls-cert', parseFile);
  const keyFile = settings.read('tls-key', parseFile);
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile };
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  const missing = keyFile === undefined ? '--tls-key' : '--tls-cert';
  throw new UsageError(`--tls-cert and --tls-key are a pair; ${missing} is not given`);
}

/** Where `/` redirects to unless an option says so. */
export function defaultLanding(prefix: string): string {
  return `${prefix}a/landing.html`;
}

function socketOf(env: Environment): number | undefined {
  const inherited = inheritedSocket(env);
  if (inherited === undefined || 'fd' in inherited) return inherited?.fd;
  throw new UsageError(`the service manager hands over ${inherited.count} sockets; one is what can be used`);
}

/** Absolute. */
export function dataFolderOf(settings: Settings): string {
  return settings.read('data', (text) => resolve(text), resolve('data'));
}

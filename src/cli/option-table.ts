// The options: name, value, default, help, and whether a running server applies a change. --help is generated from this
// table.

import { resolve } from 'node:path';
import { DEFAULT_SYNC_DAYS, MAX_SYNC_DAYS } from '../limits/backend.ts';
import {
  DEFAULT_DRAIN_SECONDS,
  DEFAULT_HSTS_DAYS,
  MAX_BODY_BYTES,
  MAX_DRAIN_SECONDS,
  MAX_EVENT_STREAMS,
  MAX_HSTS_DAYS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  MAX_SPOOLED_BYTES_PER_USER,
  MOST_MAX_BODY_BYTES,
  MOST_MAX_HTTP_CONNECTIONS,
  MOST_MAX_SPACE_BYTES,
} from '../limits/http.ts';
import { MAX_WORKERS } from '../limits/processes.ts';
import {
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_UNIX_PATH_BYTES,
  MOST_MAX_CONNECTING,
  MOST_MAX_CONNECTIONS,
} from '../limits/protocol.ts';
import { MAX_UPLOAD_BYTES_PER_USER, MAX_UPLOADS_PER_USER, MAX_UPLOADS_UNDER_WAY_PER_USER } from '../limits/sessions.ts';
import { BOUND_NAMES } from '../limits/settable.ts';
import { MIB } from '../limits/units.ts';
import { COMMANDS } from './command-table.ts';
import {
  parseAddress,
  parseBackends,
  parseBounds,
  parseCount,
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
} from './option-values.ts';

export interface Option {
  /** placeholder of the value in --help; undefined: a switch */
  value?: string;
  /** without the default, which --help appends in parentheses */
  help: string;
  /** completes `--port takes …` */
  takes: string;
  /** undefined: the text is invalid */
  parse(text: string): unknown;
  /** as text; undefined: no value unless given */
  default?: string;
  /** shown by --help instead of `default`; '' hides it */
  defaultWords?: string;
  /** may be repeated; values are joined by commas */
  isList?: boolean;
  /** may be an object in the configuration file: `key=value` for each pair, `value` for an empty key */
  isMap?: boolean;
  /** all possible values */
  choices?: readonly string[];
  /** changes take effect on SIGHUP */
  isLive?: boolean;
  command?: 'user add' | 'copy' | 'doctor';
}

const ADDRESS = `unix:/path (${MAX_UNIX_PATH_BYTES} bytes at most) or tcp://host:port`;
const SERVER_ADDRESS = `unix:/path (${MAX_UNIX_PATH_BYTES} bytes at most), tls://host:port or tcp://host:port`;
const SWITCH = { takes: '1 or 0', parse: parseSwitch, default: '0', defaultWords: '' } as const;
/** absolute; checked when the file is read */
const FILE = { value: 'FILE', takes: 'a file', parse: (text: string) => resolve(text) } as const;
const TEXT = { parse: (text: string): string | undefined => text } as const;

function count(most: number, standard: number) {
  const parse = parseCount(most);
  return { value: 'N', takes: `a number from 1 to ${most}`, parse, default: String(standard) } as const;
}

/** The value is in bytes. */
function mebibytes(mostBytes: number, bytes: number) {
  const parse = parseCount(mostBytes / MIB);
  return {
    value: 'MIB',
    takes: `a number of MiB from 1 to ${mostBytes / MIB}`,
    parse: (text: string) => {
      const value = parse(text);
      return value === undefined ? undefined : value * MIB;
    },
    default: String(bytes / MIB),
  } as const;
}

function days(least: number, most: number, standard: number) {
  const parse = parseCount(most, least);
  return { value: 'N', takes: `a number of days from ${least} to ${most}`, parse, default: String(standard) } as const;
}

export const OPTIONS = {
  config: { ...FILE, help: 'read options from this JSON file as well: {"port": 8080, "trust-proxy": true}' },
  host: {
    value: 'HOST',
    help: 'address to listen on; 0.0.0.0 and :: mean all; or unix:/path, for a proxy',
    takes: 'a host name, an IP address or unix:/path',
    parse: parseHost,
    default: '127.0.0.1',
  },
  port: {
    value: 'PORT',
    help: 'port to listen on; 0 picks a free one',
    takes: 'a number from 0 to 65535',
    parse: parsePort,
    default: '8080',
  },
  'tls-cert': { ...FILE, help: 'serve HTTPS with this certificate (PEM, with its intermediate certificates)' },
  'tls-key': { ...FILE, help: 'private key of the certificate (PEM, without a passphrase)' },
  'hsts-days': {
    ...days(0, MAX_HSTS_DAYS, DEFAULT_HSTS_DAYS),
    help: 'over TLS, send Strict-Transport-Security for this many days; 0 sends none',
    isLive: true,
  },
  prefix: {
    value: 'PATH',
    help: 'path prefix of the whole interface',
    takes: 'a path such as /svc/ of letters, digits and . _ ~ -',
    parse: parsePrefix,
    default: '/svc/',
  },
  data: {
    value: 'DIR',
    help: 'folder for all data',
    takes: 'a folder',
    parse: (text: string) => resolve(text),
    default: './data',
  },
  backend: {
    value: 'ADDRESS',
    help: 'room server: unix:/path, tls://host:port, tcp://host:port; per host: HOST=ADDRESS',
    takes: `embedded, ${SERVER_ADDRESS}; HOST=ADDRESS for each host that has another one`,
    parse: parseBackends,
    default: 'embedded',
    isList: true,
    isMap: true,
  },
  'backend-ca': {
    ...FILE,
    help: 'CA certificate (PEM) for a room server on tls://',
    defaultWords: 'system trust store',
  },
  'backend-connections': {
    ...count(MOST_MAX_CONNECTIONS, MAX_CONNECTIONS),
    help: 'maximum number of connections to --backend; fewer if it refuses more',
  },
  'backend-connecting': {
    ...count(MOST_MAX_CONNECTING, MAX_CONNECTING),
    help: 'maximum number of simultaneous connection attempts to --backend',
  },
  shared: {
    value: 'URL',
    help: 'Redis or Valkey for state that several gateways share: redis://host:port/0',
    takes:
      'redis://user:password@host:port/0, redis+sentinel://a,b,c/master/0 or redis+cluster://a,b,c; rediss for TLS',
    parse: parseShared,
  },
  'shared-ca': { ...FILE, help: 'CA certificate (PEM) for --shared rediss://', defaultWords: 'system trust store' },
  'secret-file': {
    ...FILE,
    help: 'session cookie keys, one per line: the first seals, all open',
    defaultWords: 'a key in the data folder',
    isLive: true,
  },
  'line-listen': {
    value: 'ADDRESS',
    help: 'accept line protocol clients of the embedded room server at this address',
    takes: ADDRESS,
    parse: parseAddress,
  },
  'line-gateways': {
    value: 'ADDRS',
    help: 'trusted gateways on --line-listen, which limit their users themselves',
    takes: 'IP addresses, or networks such as 10.0.0.0/24, by commas',
    parse: parseNetworks,
  },
  'sync-days': {
    ...days(1, MAX_SYNC_DAYS, DEFAULT_SYNC_DAYS),
    help: 'how long the embedded room server remembers deletions, for DAV sync',
  },
  'admin-listen': {
    value: 'ADDRESS',
    help: 'serve /livez, /readyz and /metrics at this address, without a log-in',
    takes: ADDRESS,
    parse: parseAddress,
  },
  'log-format': {
    value: 'FORMAT',
    help: 'log format: text, or json with one object per line',
    takes: 'text or json',
    parse: parseLogFormat,
    default: 'text',
    choices: ['text', 'json'],
    isLive: true,
  },
  'log-requests': { ...SWITCH, help: 'log every request, with the name of the user', isLive: true },
  workers: {
    ...count(MAX_WORKERS, 1),
    help: 'number of processes that serve the port; more than the number of CPUs does not help',
  },
  'max-body': {
    ...mebibytes(MOST_MAX_BODY_BYTES, MAX_BODY_BYTES),
    help: 'size limit of one message or file, in MiB',
  },
  'max-spool': {
    ...mebibytes(MOST_MAX_SPACE_BYTES, MAX_SPOOLED_BYTES_PER_USER),
    help: 'size limit of all messages that one account is sending, per process, in MiB',
  },
  'max-upload-space': {
    ...mebibytes(MOST_MAX_SPACE_BYTES, MAX_UPLOAD_BYTES_PER_USER),
    help: 'size limit of all uploads of one account, in MiB',
  },
  'max-uploads-at-once': {
    ...count(MAX_UPLOADS_PER_USER, MAX_UPLOADS_UNDER_WAY_PER_USER),
    help: 'maximum number of simultaneous uploads of one account',
  },
  'max-connections': {
    ...count(MOST_MAX_HTTP_CONNECTIONS, MAX_HTTP_CONNECTIONS),
    help: 'maximum number of client connections per process',
  },
  'max-per-address': {
    ...count(MOST_MAX_HTTP_CONNECTIONS, MAX_HTTP_CONNECTIONS_PER_ADDRESS),
    help: 'the same for one address; with --trust-proxy, simultaneous requests',
  },
  'max-event-streams': {
    ...count(MOST_MAX_HTTP_CONNECTIONS, MAX_EVENT_STREAMS),
    help: 'maximum number of event streams per process and room server',
  },
  bound: {
    value: 'NAME=N',
    help: 'set another limit; the guide lists the names under Sizing',
    takes: `${BOUND_NAMES.join(', ')}, each with = and a count`,
    parse: parseBounds,
    isList: true,
    isMap: true,
  },
  'drain-seconds': {
    ...count(MAX_DRAIN_SECONDS, DEFAULT_DRAIN_SECONDS),
    help: 'how long running requests may take to finish after SIGTERM',
  },
  static: {
    value: 'DIR',
    help: 'folder of files that override the built-in web client',
    takes: 'a folder that exists',
    parse: parseFolder,
    isLive: true,
  },
  landing: {
    value: 'PATH',
    help: 'where / redirects to',
    takes: 'a path on this site that begins with /, such as /svc/s/index.html',
    parse: parseLanding,
    defaultWords: 'the web client',
    isLive: true,
  },
  demo: { ...SWITCH, help: 'fill a new embedded room server with examples' },
  'secure-cookies': {
    ...SWITCH,
    help: 'mark cookies Secure even if the proxy does not say that it speaks TLS',
    isLive: true,
  },
  'allow-origin': {
    value: 'ORIGIN',
    help: 'allow pages of these origins (comma-separated) to send credentials (CORS)',
    takes: 'origins such as https://app.example.org, by commas, and never *',
    parse: parseOrigins,
    isLive: true,
  },
  'trust-proxy': { ...SWITCH, help: 'trust X-Forwarded-For, -Proto and -Host; uses the last entry of each' },
  admin: { ...SWITCH, help: 'make the new user an administrator', command: 'user add' },
  from: {
    ...TEXT,
    value: 'ADDRESS',
    help: 'source: embedded:DIR, unix:/path, tls://host:port or tcp://host:port',
    takes: `embedded:DIR, ${SERVER_ADDRESS}`,
    command: 'copy',
  },
  to: {
    ...TEXT,
    value: 'ADDRESS',
    help: 'target, likewise',
    takes: `embedded:DIR, ${SERVER_ADDRESS}`,
    command: 'copy',
  },
  'from-user': {
    ...TEXT,
    value: 'NAME',
    help: 'administrator to log in as at the source',
    takes: 'a user name',
    command: 'copy',
  },
  'to-user': {
    ...TEXT,
    value: 'NAME',
    help: 'administrator to log in as at the target',
    takes: 'a user name',
    command: 'copy',
  },
  user: {
    ...TEXT,
    value: 'NAME',
    help: 'log in as this user with VESTIBULE_PASSWORD, make a room, post and read',
    takes: 'a user name',
    command: 'doctor',
  },
  passwords: {
    ...FILE,
    help: 'where the passwords of new accounts are written',
    default: 'vestibule-passwords.txt',
    command: 'copy',
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** Never given on the command line, which everybody on the machine can read. */
export const SECRETS = {
  'admin-password': 'password of the account admin, which is created in a new data folder',
  key: 'session key shared by several gateways: 32 bytes in hex or base64 (a key in the data folder)',
} as const;

export type SecretName = keyof typeof SECRETS;

/** Help text with the default in parentheses. */
export function helpOf({ help, default: text, defaultWords: words = text }: Option): string {
  return words ? `${help} (${words})` : help;
}

function liveOptions(): string {
  const live = Object.entries<Option>(OPTIONS).filter(([, { isLive }]) => isLive);
  return live.map(([name]) => `--${name}`).join(', ');
}

function usageRows(): string {
  return COMMANDS.map(({ usage, does }) => `${`vestibule ${usage}`.padEnd(40)}${does}`).join('\n');
}

/** The text of --help, at most 120 columns wide. */
export function helpText(): string {
  const rows = (command: Option['command']) =>
    Object.entries<Option>(OPTIONS)
      .filter(([, option]) => option.command === command)
      .map(([name, option]) => `  ${`--${name} ${option.value ?? ''}`.padEnd(24)}${helpOf(option)}`)
      .join('\n');
  return `Vestibule: a web gateway to a room-based messaging server

${usageRows()}

Options (defaults in parentheses):
${rows(undefined)}
  --help                  show this
  --version               show the version

With vestibule user, in addition to --data and --config:
${rows('user add')}

With vestibule doctor, in addition to all options:
${rows('doctor')}

With vestibule copy, in addition to --backend-ca:
${rows('copy')}

Each option can also be set in the environment (VESTIBULE_PORT=8080, VESTIBULE_DEMO=1) and in the file of --config.
The command line wins, then the environment. On SIGHUP the server reloads that file. These options take effect at once,
the others need a restart:
  ${liveOptions()}
Secrets, in the environment or in the file (as admin-password and key), never on the command line:
  VESTIBULE_ADMIN_PASSWORD  ${SECRETS['admin-password']}
  VESTIBULE_KEY             ${SECRETS.key}
Only in the environment:
  VESTIBULE_FROM_PASSWORD, VESTIBULE_TO_PASSWORD  for --from-user and --to-user
  VESTIBULE_PASSWORD        for user add and user passwd (default: read from standard input), and for doctor --user

The guide, while the server is running: http://127.0.0.1:8080/svc/s/guide/`;
}

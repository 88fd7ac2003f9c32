// The options: names, what each takes, the --help text, the table of README.md. What their values mean:
// option-values.ts.

import { DEFAULT_SYNC_DAYS, MAX_SYNC_DAYS } from '../limits/backend.ts';
import { MAX_EVENT_STREAMS } from '../limits/events.ts';
import {
  DEFAULT_DRAIN_SECONDS,
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
import { MAX_WORKERS } from '../limits/workers.ts';
import { COMMANDS } from './command-table.ts';

export interface Option {
  /** stands for the value in --help; absent: a switch */
  value?: string;
  help: string;
  /** completes `--port takes …` */
  takes: string;
  /** may be given several times, which makes one list, by commas */
  isList?: boolean;
  /** in the configuration file an object, too: `key=value` of each pair, `value` where the key is empty */
  isMap?: boolean;
  /** all values that there are */
  choices?: readonly string[];
  /** a running server takes over what has changed, at SIGHUP */
  isLive?: boolean;
  command?: 'user add' | 'copy' | 'doctor';
}

const ADDRESS = `unix:/path (${MAX_UNIX_PATH_BYTES} bytes at most) or tcp://host:port`;
const SERVER_ADDRESS = `unix:/path (${MAX_UNIX_PATH_BYTES} bytes at most), tls://host:port or tcp://host:port`;
const SWITCH = '1 or 0';
const MEBIBYTES_OF_SPACE = `a number of MiB from 1 to ${MOST_MAX_SPACE_BYTES / MIB}`;

export const OPTIONS = {
  config: {
    value: 'FILE',
    help: 'read options from this file, too: {"port": 8080, "trust-proxy": true} (none)',
    takes: 'a file',
  },
  host: {
    value: 'HOST',
    help: 'address to listen on (127.0.0.1; 0.0.0.0 and :: mean every one); or unix:/path, for a proxy',
    takes: 'a host name, an IP address or unix:/path',
  },
  port: { value: 'PORT', help: 'port to listen on (8080); 0 picks a free one', takes: 'a number from 0 to 65535' },
  'tls-cert': {
    value: 'FILE',
    help: 'speak TLS with this certificate, PEM with those of its issuers (none: plain HTTP)',
    takes: 'a file',
  },
  'tls-key': { value: 'FILE', help: 'its private key, PEM without a passphrase', takes: 'a file' },
  'hsts-days': {
    value: 'N',
    help: 'over TLS tell browsers to use nothing else on this host, any port, for N days (1; 0: never)',
    takes: `a number of days from 0 to ${MAX_HSTS_DAYS}`,
    isLive: true,
  },
  prefix: {
    value: 'PATH',
    help: 'what every path of the interface begins with (/svc/)',
    takes: 'a path such as /svc/ of letters, digits and . _ ~ -',
  },
  data: { value: 'DIR', help: 'where everything is kept (./data)', takes: 'a folder' },
  backend: {
    value: 'ADDRESS',
    help: 'room server (embedded): unix:/path, tls://host:port, tcp://host:port; for a host: HOST=ADDRESS',
    takes: `embedded, ${SERVER_ADDRESS}; HOST=ADDRESS for each host that has another one`,
    isList: true,
    isMap: true,
  },
  'backend-ca': {
    value: 'FILE',
    help: 'PEM of who issues the certificate of a room server on tls:// (those that the system trusts)',
    takes: 'a file',
  },
  'backend-connections': {
    value: 'N',
    help: `connections to --backend, at most (${MAX_CONNECTIONS}); fewer while it takes no more`,
    takes: `a number from 1 to ${MOST_MAX_CONNECTIONS}`,
  },
  'backend-connecting': {
    value: 'N',
    help: `connects to --backend that may be under way at once (${MAX_CONNECTING})`,
    takes: `a number from 1 to ${MOST_MAX_CONNECTING}`,
  },
  shared: {
    value: 'URL',
    help: 'Redis or Valkey for what several gateways share: redis://host:port/0 (none)',
    takes:
      'redis://user:password@host:port/0, redis+sentinel://a,b,c/master/0 or redis+cluster://a,b,c; rediss for TLS',
  },
  'shared-ca': {
    value: 'FILE',
    help: 'PEM of who issues the certificate of --shared rediss:// (those that the system trusts)',
    takes: 'a file',
  },
  'secret-file': {
    value: 'FILE',
    help: 'keys of session cookies, one a line: the first seals, all open (one in the data folder)',
    takes: 'a file',
    isLive: true,
  },
  'line-listen': {
    value: 'ADDRESS',
    help: 'let line protocol clients reach the embedded room server here (nowhere)',
    takes: ADDRESS,
  },
  'line-gateways': {
    value: 'ADDRS',
    help: 'other gateways, which reach it by --line-listen and look after their users themselves (none)',
    takes: 'IP addresses, or networks such as 10.0.0.0/24, by commas',
  },
  'sync-days': {
    value: 'N',
    help: `how long the embedded room server knows what was deleted, for DAV clients (${DEFAULT_SYNC_DAYS})`,
    takes: `a number of days from 1 to ${MAX_SYNC_DAYS}`,
  },
  'admin-listen': {
    value: 'ADDRESS',
    help: 'answer /livez, /readyz and /metrics here, to everybody who reaches it (nowhere)',
    takes: ADDRESS,
  },
  'log-format': {
    value: 'FORMAT',
    help: 'lines of the log: text, or json, an object each (text)',
    takes: 'text or json',
    choices: ['text', 'json'],
    isLive: true,
  },
  'log-requests': {
    help: 'log a line for each request, with the name of who made it',
    takes: SWITCH,
    isLive: true,
  },
  workers: {
    value: 'N',
    help: 'processes that answer requests on the port (1); more than cores do no good',
    takes: `a number from 1 to ${MAX_WORKERS}`,
  },
  'max-body': {
    value: 'MIB',
    help: `largest message or file that is sent, in MiB (${MAX_BODY_BYTES / MIB})`,
    takes: `a number of MiB from 1 to ${MOST_MAX_BODY_BYTES / MIB}`,
  },
  'max-spool': {
    value: 'MIB',
    help: `of messages that one account is sending through one process, in MiB (${MAX_SPOOLED_BYTES_PER_USER / MIB})`,
    takes: MEBIBYTES_OF_SPACE,
  },
  'max-upload-space': {
    value: 'MIB',
    help: `all uploads of one account, in MiB (${MAX_UPLOAD_BYTES_PER_USER / MIB})`,
    takes: MEBIBYTES_OF_SPACE,
  },
  'max-uploads-at-once': {
    value: 'N',
    help: `uploads of one account that are under way, at most (${MAX_UPLOADS_UNDER_WAY_PER_USER})`,
    takes: `a number from 1 to ${MAX_UPLOADS_PER_USER}`,
  },
  'max-connections': {
    value: 'N',
    help: `connections of clients to one process, at most (${MAX_HTTP_CONNECTIONS})`,
    takes: `a number from 1 to ${MOST_MAX_HTTP_CONNECTIONS}`,
  },
  'max-per-address': {
    value: 'N',
    help: `of these from one address; with --trust-proxy its requests (${MAX_HTTP_CONNECTIONS_PER_ADDRESS})`,
    takes: `a number from 1 to ${MOST_MAX_HTTP_CONNECTIONS}`,
  },
  'max-event-streams': {
    value: 'N',
    help: `event streams of one process to each room server, at most (${MAX_EVENT_STREAMS})`,
    takes: `a number from 1 to ${MOST_MAX_HTTP_CONNECTIONS}`,
  },
  bound: {
    value: 'NAME=N',
    help: 'another bound, of one user or all: Sizing in the guide has the names',
    takes: `${BOUND_NAMES.join(', ')}, each with = and a count`,
    isList: true,
    isMap: true,
  },
  'drain-seconds': {
    value: 'N',
    help: `how long running requests may go on after SIGTERM (${DEFAULT_DRAIN_SECONDS})`,
    takes: `a number from 1 to ${MAX_DRAIN_SECONDS}`,
  },
  static: {
    value: 'DIR',
    help: 'files served before the built-in ones (none)',
    takes: 'a folder that exists',
    isLive: true,
  },
  landing: {
    value: 'PATH',
    help: 'where / redirects to (the prefix and a/landing.html)',
    takes: 'a path on this site that begins with /, such as /svc/s/index.html',
    isLive: true,
  },
  demo: { help: 'fill a new embedded room server with examples', takes: SWITCH },
  'secure-cookies': {
    help: 'mark cookies for TLS only, also behind a proxy that does not say so',
    takes: SWITCH,
    isLive: true,
  },
  'allow-origin': {
    value: 'ORIGIN',
    help: 'let pages of this origin use the interface with credentials; several by commas (none)',
    takes: 'origins such as https://app.example.org, by commas, and never *',
    isLive: true,
  },
  'trust-proxy': { help: 'believe X-Forwarded-For, -Proto and -Host, of each the last entry', takes: SWITCH },
  admin: { help: 'the new user may do everything', takes: SWITCH, command: 'user add' },
  from: {
    value: 'ADDRESS',
    help: 'embedded:DIR, unix:/path, tls://host:port or tcp://host:port',
    takes: `embedded:DIR, ${SERVER_ADDRESS}`,
    command: 'copy',
  },
  to: { value: 'ADDRESS', help: 'the same', takes: `embedded:DIR, ${SERVER_ADDRESS}`, command: 'copy' },
  'from-user': { value: 'NAME', help: 'administrator to log in as there', takes: 'a user name', command: 'copy' },
  'to-user': { value: 'NAME', help: 'administrator to log in as there', takes: 'a user name', command: 'copy' },
  user: {
    value: 'NAME',
    help: 'log in as this user with VESTIBULE_PASSWORD, make a room, post and read (nobody)',
    takes: 'a user name',
    command: 'doctor',
  },
  passwords: {
    value: 'FILE',
    help: 'keeps the passwords of the accounts that are made (vestibule-passwords.txt)',
    takes: 'a file',
    command: 'copy',
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** What is never given on the command line, where everybody on the machine can read it. */
export const SECRETS = {
  'admin-password': 'password of the account admin, made when the data folder is new',
  key: 'session key shared by several gateways: 32 bytes in hex or base64 (kept in the data folder)',
} as const;

export type SecretName = keyof typeof SECRETS;

/** The table of README.md: the options of serve. */
export function optionRows(): string {
  const rows = Object.entries<Option>(OPTIONS).filter(([, { command }]) => command === undefined);
  const lines = rows.map(
    ([name, { value, help, isLive }]) =>
      `| \`--${name}${value ? ` ${value}` : ''}\` | ${help} | ${isLive ? 'yes' : ''} |`,
  );
  return ['| option | does (default) | live |', '|---|---|---|', ...lines].join('\n');
}

function liveOptions(): string {
  const live = Object.entries<Option>(OPTIONS).filter(([, { isLive }]) => isLive);
  return live.map(([name]) => `--${name}`).join(', ');
}

function usageRows(): string {
  return COMMANDS.map(({ usage, does }) => `${`vestibule ${usage}`.padEnd(40)}${does}`).join('\n');
}

/** The text of --help, rows of 120 columns at most. */
export function helpText(): string {
  const rows = (command: Option['command']) =>
    Object.entries<Option>(OPTIONS)
      .filter(([, option]) => option.command === command)
      .map(([name, option]) => `  ${`--${name} ${option.value ?? ''}`.padEnd(24)}${option.help}`)
      .join('\n');
  return `Vestibule: a web gateway to a room-based messaging server

${usageRows()}

Options (defaults in parentheses):
${rows(undefined)}
  --help                  show this
  --version               show the version

With vestibule user, beside --data and --config:
${rows('user add')}

With vestibule doctor, beside all options:
${rows('doctor')}

With vestibule copy, beside --backend-ca:
${rows('copy')}

Each option is also read from the environment, VESTIBULE_PORT=8080, VESTIBULE_DEMO=1, and from the file of --config.
The command line wins, then the environment. At SIGHUP the server reads the file again and takes over these options;
of others it says that they need a restart:
  ${liveOptions()}
In the environment or the file, as admin-password and key, and never on the command line:
  VESTIBULE_ADMIN_PASSWORD  ${SECRETS['admin-password']}
  VESTIBULE_KEY             ${SECRETS.key}
Only in the environment:
  VESTIBULE_FROM_PASSWORD, VESTIBULE_TO_PASSWORD  for --from-user and --to-user
  VESTIBULE_PASSWORD        for user add and user passwd, otherwise read from standard input; for doctor --user

The guide, while the server runs: http://127.0.0.1:8080/svc/s/guide/`;
}

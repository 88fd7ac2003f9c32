// Options: names, defaults, parsing, validation and the --help text. Called by main.ts alone; the only reader of the
// environment. The command line wins over the environment, which wins over the defaults.

import { resolve } from 'node:path';
import { parseKey } from '../gateway/seal.ts';
import {
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_UNIX_PATH_BYTES,
  MOST_MAX_CONNECTING,
  MOST_MAX_CONNECTIONS,
} from '../limits/protocol.ts';
import { version } from '../system/assets.ts';
import {
  type CopyAction,
  copyAction,
  isStoreCommand,
  type StoreAction,
  storeAction,
  type UserAction,
  userAction,
} from './commands.ts';
import {
  type Address,
  parseAddress,
  parseBackend,
  parseCount,
  parseFolder,
  parseHost,
  parseLanding,
  parsePort,
  parsePrefix,
  parseSwitch,
  quote,
  UsageError,
} from './option-values.ts';

export interface ServeOptions {
  host: string;
  /** 0: the system picks a free one */
  port: number;
  /** begins and ends with '/' */
  prefix: string;
  /** absolute; need not exist */
  dataFolder: string;
  backend: Address | 'embedded';
  /** connections to another room server, at most */
  backendConnections: number;
  /** connects to another room server that may be under way at once */
  backendConnecting: number;
  /** where ordinary line protocol clients reach the embedded room server; a tcp port may be 0 */
  lineListen: Address | undefined;
  /** absolute; exists */
  staticFolder: string | undefined;
  /** a path on this site: where `/` redirects to */
  landing: string;
  isDemo: boolean;
  hasSecureCookies: boolean;
  isProxyTrusted: boolean;
  adminPassword: string | undefined;
  /** 32 bytes; undefined: kept in the data folder */
  sessionKey: Buffer | undefined;
}

export type CommandLine =
  | { command: 'serve'; options: ServeOptions }
  | ({ command: 'user'; dataFolder: string; adminPassword?: string } & UserAction)
  | ({ command: 'store'; dataFolder: string } & StoreAction)
  | ({ command: 'copy' } & CopyAction)
  | { command: 'help' | 'version'; text: string };

export type Environment = Readonly<Record<string, string | undefined>>;

interface Option {
  /** stands for the value in --help; absent: a switch */
  value?: string;
  help: string;
  /** completes `--port takes …` */
  takes: string;
  command?: 'user add' | 'copy';
}

const ADDRESS = `unix:/path (${MAX_UNIX_PATH_BYTES} bytes at most) or tcp://host:port`;
const SWITCH = '1 or 0';

const OPTIONS = {
  host: {
    value: 'HOST',
    help: 'address to listen on (127.0.0.1; 0.0.0.0 and :: mean every one)',
    takes: 'a host name or an IP address',
  },
  port: { value: 'PORT', help: 'port to listen on (8080); 0 picks a free one', takes: 'a number from 0 to 65535' },
  prefix: {
    value: 'PATH',
    help: 'what every path of the interface begins with (/svc/)',
    takes: 'a path such as /svc/ of letters, digits and . _ ~ -',
  },
  data: { value: 'DIR', help: 'where everything is kept (./data)', takes: 'a folder' },
  backend: {
    value: 'ADDRESS',
    help: 'room server: embedded, unix:/path or tcp://host:port (embedded)',
    takes: `embedded, ${ADDRESS}`,
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
  'line-listen': {
    value: 'ADDRESS',
    help: 'let line protocol clients reach the embedded room server here (nowhere)',
    takes: ADDRESS,
  },
  static: { value: 'DIR', help: 'files served before the built-in ones (none)', takes: 'a folder that exists' },
  landing: {
    value: 'PATH',
    help: 'where / redirects to (the prefix and a/landing.html)',
    takes: 'a path on this site that begins with /, such as /svc/s/index.html',
  },
  demo: { help: 'fill a new embedded room server with examples', takes: SWITCH },
  'secure-cookies': { help: 'mark cookies for TLS only, also behind a proxy that does not say so', takes: SWITCH },
  'trust-proxy': { help: 'believe X-Forwarded-For, -Proto and -Host', takes: SWITCH },
  admin: { help: 'the new user may do everything', takes: SWITCH, command: 'user add' },
  from: {
    value: 'ADDRESS',
    help: 'embedded:DIR, unix:/path or tcp://host:port',
    takes: `embedded:DIR, ${ADDRESS}`,
    command: 'copy',
  },
  to: { value: 'ADDRESS', help: 'the same', takes: `embedded:DIR, ${ADDRESS}`, command: 'copy' },
  'from-user': { value: 'NAME', help: 'administrator to log in as there', takes: 'a user name', command: 'copy' },
  'to-user': { value: 'NAME', help: 'administrator to log in as there', takes: 'a user name', command: 'copy' },
  passwords: {
    value: 'FILE',
    help: 'keeps the passwords of the accounts that are made (vestibule-passwords.txt)',
    takes: 'a file',
    command: 'copy',
  },
} as const satisfies Record<string, Option>;

type OptionName = keyof typeof OPTIONS;

/**
 * Reads what follows the program's name. Throws UsageError for anything unknown, repeated, missing or out of range.
 * Creates and opens nothing.
 */
export function parseCommandLine(argv: readonly string[], env: Environment = process.env): CommandLine {
  const given = new Map<OptionName, string>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--help' || word === '-h') return { command: 'help', text: helpText() };
    if (word === '--version') return { command: 'version', text: `vestibule ${version()}` };
    if (!word.startsWith('-')) {
      words.push(word);
      continue;
    }
    const [label, inline] = splitOnce(word, '=');
    const name = label.slice(2);
    if (!label.startsWith('--') || !isOptionName(name)) {
      throw new UsageError(`${quote(label)} is not an option; vestibule --help lists them`);
    }
    if (given.has(name)) throw new UsageError(`${label} is given twice`);
    const option: Option = OPTIONS[name];
    if (option.value === undefined) {
      if (inline !== undefined) throw new UsageError(`${label} is a switch and takes no value`);
      given.set(name, '1');
    } else {
      const value = inline ?? argv[++i];
      if (!value || (inline === undefined && value.startsWith('--'))) {
        throw new UsageError(`${label} takes ${option.takes}; none is given`);
      }
      given.set(name, value);
    }
  }

  const command = words.shift() ?? 'serve';
  if (command === 'serve') return { command, options: serveOptions(words, given, env) };
  if (command === 'user') {
    const adminPassword = env.VESTIBULE_ADMIN_PASSWORD;
    const action = userAction(words, given.keys(), env);
    return { command, dataFolder: dataFolderOf(given, env), ...action, ...(adminPassword && { adminPassword }) };
  }
  if (isStoreCommand(command)) {
    return { command: 'store', dataFolder: dataFolderOf(given, env), ...storeAction(command, words, given.keys()) };
  }
  if (command === 'copy') return { command, ...copyAction(words, given, env) };
  throw new UsageError(`${quote(command)} is not a command; there are serve, user, copy, backup, check and compact`);
}

function serveOptions(words: readonly string[], given: Map<OptionName, string>, env: Environment): ServeOptions {
  if (words[0] !== undefined) throw new UsageError(`vestibule serve takes no word ${quote(words[0])}`);
  for (const name of given.keys()) {
    const { command }: Option = OPTIONS[name];
    if (command) throw new UsageError(`--${name} goes with vestibule ${command} only`);
  }
  const setting = settingsOf(given, env);
  const prefix = setting('prefix', parsePrefix) ?? '/svc/';
  const options: ServeOptions = {
    host: setting('host', parseHost) ?? '127.0.0.1',
    port: setting('port', parsePort) ?? 8080,
    prefix,
    dataFolder: dataFolderOf(given, env),
    backend: setting('backend', parseBackend) ?? 'embedded',
    backendConnections: setting('backend-connections', parseCount(MOST_MAX_CONNECTIONS)) ?? MAX_CONNECTIONS,
    backendConnecting: setting('backend-connecting', parseCount(MOST_MAX_CONNECTING)) ?? MAX_CONNECTING,
    lineListen: setting('line-listen', parseAddress),
    staticFolder: setting('static', parseFolder),
    landing: setting('landing', parseLanding) ?? `${prefix}a/landing.html`,
    isDemo: setting('demo', parseSwitch) ?? false,
    hasSecureCookies: setting('secure-cookies', parseSwitch) ?? false,
    isProxyTrusted: setting('trust-proxy', parseSwitch) ?? false,
    adminPassword: env.VESTIBULE_ADMIN_PASSWORD || undefined,
    sessionKey: env.VESTIBULE_KEY ? sessionKeyOf(env.VESTIBULE_KEY) : undefined,
  };
  if (options.backend !== 'embedded') {
    const other = options.lineListen !== undefined ? '--line-listen' : options.isDemo ? '--demo' : undefined;
    if (other) throw new UsageError(`${other} is for the embedded room server and does not go with --backend`);
  }
  return options;
}

function dataFolderOf(given: Map<OptionName, string>, env: Environment): string {
  return resolve(settingsOf(given, env)('data', String) ?? 'data');
}

/** Undefined where nothing is given; an empty variable counts as not given. A parser answers undefined to refuse. */
function settingsOf(given: Map<OptionName, string>, env: Environment) {
  return <T>(name: OptionName, parse: (text: string) => T | undefined): T | undefined => {
    const variable = `VESTIBULE_${name.replaceAll('-', '_').toUpperCase()}`;
    const text = given.get(name) ?? env[variable];
    if (!text) return undefined;
    const value = parse(text);
    if (value !== undefined) return value;
    const label = given.has(name) ? `--${name}` : variable;
    throw new UsageError(`${label} takes ${OPTIONS[name].takes}; this is ${quote(text)}`);
  };
}

/** The message never holds what was given. */
function sessionKeyOf(text: string): Buffer {
  try {
    return parseKey(text);
  } catch {
    throw new UsageError('VESTIBULE_KEY takes 32 bytes as 64 hex digits or as base64; this is something else');
  }
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function helpText(): string {
  const rows = (command: Option['command']) =>
    Object.entries<Option>(OPTIONS)
      .filter(([, option]) => option.command === command)
      .map(([name, option]) => `  ${`--${name} ${option.value ?? ''}`.padEnd(24)}${option.help}`)
      .join('\n');
  return `Vestibule: a web gateway to a room-based messaging server

vestibule [serve] [options]          run the gateway, with its own room server if no other is named
vestibule user add NAME [--admin]    make a user of the embedded room server
vestibule user passwd NAME           change a password
vestibule user list
vestibule user remove NAME
vestibule backup FILE                copy everything into a new file, while the server runs or not
vestibule check [FILE]               see whether everything is sound, here or in a backup; 0: yes, 1: no
vestibule copy --from A --to B       copy one room server into another; again: what is missing there
vestibule compact                    give unused space back; the server must not run

Options (defaults in parentheses):
${rows(undefined)}
  --help                  show this
  --version               show the version

With vestibule user, beside --data:
${rows('user add')}

With vestibule copy:
${rows('copy')}

Each option is also read from the environment: VESTIBULE_PORT=8080, VESTIBULE_DEMO=1. The command line wins. And only
there:
  VESTIBULE_ADMIN_PASSWORD  password of the account admin, made when the data folder is new
  VESTIBULE_KEY             session key shared by several gateways: 32 bytes in hex or base64 (kept in the data folder)
  VESTIBULE_FROM_PASSWORD, VESTIBULE_TO_PASSWORD  for --from-user and --to-user
  VESTIBULE_PASSWORD        for user add and user passwd; otherwise read from standard input

The guide, while the server runs: http://127.0.0.1:8080/svc/s/guide/`;
}

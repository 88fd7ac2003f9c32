// The command line and the environment → what to do, with every option checked. The only reader of the environment. The
// command line wins over the environment, which wins over the defaults.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseKey } from '../gateway/seal.ts';
import { MAX_SYNC_DAYS } from '../limits/backend.ts';
import { MAX_CONNECTING, MAX_CONNECTIONS, MOST_MAX_CONNECTING, MOST_MAX_CONNECTIONS } from '../limits/protocol.ts';
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
import { helpText, OPTIONS, type Option, type OptionName } from './option-table.ts';
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
  /** how long the embedded room server knows which members of rooms were removed; undefined: as it does by default */
  syncDays: number | undefined;
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

/** as node:util has them; a name that is not there is taken for a switch, and refused below */
const PARSED = Object.fromEntries(
  Object.entries<Option>(OPTIONS).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' } as const,
  ]),
);

/**
 * Reads what follows the program's name. Throws UsageError for anything unknown, repeated, missing or out of range.
 * Creates and opens nothing.
 */
export function parseCommandLine(argv: readonly string[], env: Environment = process.env): CommandLine {
  const given = new Map<OptionName, string>();
  const words: string[] = [];
  const config = { args: [...argv], options: PARSED, strict: false, allowPositionals: true, tokens: true } as const;
  for (const token of parseArgs(config).tokens) {
    const label = argv[token.index]!.split('=', 1)[0]!;
    if (token.kind === 'positional' && label !== '-') {
      words.push(token.value);
      continue;
    }
    if (token.kind === 'option' && token.value === undefined) {
      if (label === '--help' || label === '-h') return { command: 'help', text: helpText() };
      if (label === '--version') return { command: 'version', text: `vestibule ${version()}` };
    }
    if (token.kind !== 'option' || label !== `--${token.name}` || !isOptionName(token.name)) {
      throw new UsageError(`${quote(label)} is not an option; vestibule --help lists them`);
    }
    const { name, value, inlineValue: isInline } = token;
    if (given.has(name)) throw new UsageError(`${label} is given twice`);
    const option: Option = OPTIONS[name];
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`${label} is a switch and takes no value`);
      given.set(name, '1');
    } else {
      if (!value || (!isInline && value.startsWith('--'))) {
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
    syncDays: setting('sync-days', parseCount(MAX_SYNC_DAYS)),
    staticFolder: setting('static', parseFolder),
    landing: setting('landing', parseLanding) ?? `${prefix}a/landing.html`,
    isDemo: setting('demo', parseSwitch) ?? false,
    hasSecureCookies: setting('secure-cookies', parseSwitch) ?? false,
    isProxyTrusted: setting('trust-proxy', parseSwitch) ?? false,
    adminPassword: env.VESTIBULE_ADMIN_PASSWORD || undefined,
    sessionKey: env.VESTIBULE_KEY ? sessionKeyOf(env.VESTIBULE_KEY) : undefined,
  };
  if (options.backend !== 'embedded') {
    const { lineListen, isDemo, syncDays } = options;
    const own = { '--line-listen': lineListen, '--demo': isDemo || undefined, '--sync-days': syncDays };
    const other = Object.entries(own).find(([, value]) => value !== undefined)?.[0];
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

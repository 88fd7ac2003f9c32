// Parses the command line, the environment and the configuration file, and validates every option. Nothing else reads
// the environment.

import { parseArgs } from 'node:util';
import { version } from '../system/assets.ts';
import { COMMAND_WORDS, type Shell } from './command-table.ts';
import {
  assertAlone,
  type CopyAction,
  completionShell,
  copyAction,
  isStoreCommand,
  type StoreAction,
  storeAction,
  type UserAction,
  userAction,
} from './commands.ts';
import { helpText, OPTIONS, type Option, type OptionName } from './option-table.ts';
import { quote, UsageError } from './option-values.ts';
import { type ServeOptions, serveOptions } from './serve-options.ts';
import {
  type ConfigFile,
  type Environment,
  readConfigFile,
  type Setting,
  Settings,
  settingsText,
  variableOf,
} from './settings.ts';

export interface DoctorAction {
  /** of the server to check */
  options: ServeOptions;
  /** the user to log in as */
  user: { name: string; password: string } | undefined;
}

export type CommandLine =
  | { command: 'serve'; options: ServeOptions; settings: readonly Setting[] }
  | ({ command: 'user'; dataFolder: string; adminPassword?: string } & UserAction)
  | ({ command: 'store'; dataFolder: string } & StoreAction)
  | ({ command: 'copy' } & CopyAction)
  | ({ command: 'doctor' } & DoctorAction)
  | { command: 'help' | 'version' | 'config'; text: string }
  | { command: 'completion'; shell: Shell }
  | { command: 'man' };

/** for node:util; unknown names are parsed as switches and rejected below */
const PARSED = Object.fromEntries(
  Object.entries<Option>(OPTIONS).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' } as const,
  ]),
);

/**
 * `argv`: the arguments after the program name. Throws UsageError for anything unknown, repeated, missing or out of
 * range. Reads no file except that of --config.
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
    const option: Option = OPTIONS[name];
    const before = given.get(name);
    if (before !== undefined && !option.isList) throw new UsageError(`${label} is given twice`);
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`${label} is a switch and takes no value`);
      given.set(name, '1');
    } else {
      if (!value || (!isInline && value.startsWith('--'))) {
        throw new UsageError(`${label} requires ${option.takes}`);
      }
      given.set(name, before === undefined ? value : `${before},${value}`);
    }
  }

  const command = words.shift() ?? 'serve';
  if (command === 'completion') return { command, shell: completionShell(words, given.keys()) };
  if (command === 'man') {
    assertAlone(command, words, given.keys());
    return { command };
  }
  if (command === 'copy') return { command, ...copyAction(words, given, env) };
  const readSettings = () => new Settings(given, env, configFileOf(given, env));
  if (command === 'serve' || command === 'config') {
    const settings = readSettings();
    const options = serveOptions(command, words, given, env, settings);
    if (command === 'config') return { command, text: settingsText(settings.rows) };
    return { command, options, settings: settings.rows };
  }
  if (command === 'doctor') {
    const name = given.get('user');
    given.delete('user');
    const password = env.VESTIBULE_PASSWORD ?? '';
    if (name !== undefined && password === '') {
      throw new UsageError('--user requires VESTIBULE_PASSWORD in the environment');
    }
    const options = serveOptions(command, words, given, env, readSettings());
    return { command, options, user: name === undefined ? undefined : { name, password } };
  }
  if (command === 'user') {
    const action = userAction(words, given.keys(), env);
    const settings = readSettings();
    const adminPassword = settings.secret('admin-password', 'a text', String);
    return { command, dataFolder: settings.read('data'), ...action, ...(adminPassword && { adminPassword }) };
  }
  if (isStoreCommand(command)) {
    const action = storeAction(command, words, given.keys());
    return { command: 'store', dataFolder: readSettings().read('data'), ...action };
  }
  throw new UsageError(`${quote(command)} is not a command; the commands are ${COMMAND_WORDS.join(', ')}`);
}

function configFileOf(given: ReadonlyMap<OptionName, string>, env: Environment): ConfigFile | undefined {
  const path = given.get('config') ?? (env[variableOf('config')] || undefined);
  return path === undefined ? undefined : readConfigFile(path);
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

// Resolves option values: command line, then environment, then configuration file, then default. Records what
// `vestibule config` prints and what a reload compares.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskedStoreAddress } from '../fleet/store-address.ts';
import { systemWords } from '../system/operator-errors.ts';
import { OPTIONS, type Option, type OptionName, SECRETS, type SecretName } from './option-table.ts';
import { quote, UsageError } from './option-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  name: OptionName | SecretName;
  /** for display; '' if unset, never a secret */
  text: string;
  /** `--port`, `VESTIBULE_PORT`, the path of the file, or `default` */
  origin: string;
}

/** The result of `parse`; undefined only without a default. */
export type OptionValue<N extends OptionName> =
  | NonNullable<ReturnType<(typeof OPTIONS)[N]['parse']>>
  | ((typeof OPTIONS)[N] extends { default: string } ? never : undefined);

const HIDDEN = '(hidden)';

export class Settings {
  /** in the order of reading */
  readonly rows: Setting[] = [];
  readonly #given: ReadonlyMap<OptionName, string>;
  readonly #env: Environment;
  readonly #file: ConfigFile | undefined;

  constructor(given: ReadonlyMap<OptionName, string>, env: Environment, file: ConfigFile | undefined) {
    this.#given = given;
    this.#env = env;
    this.#file = file;
  }

  /** The value or default. An empty variable counts as unset. Throws UsageError for an invalid value. */
  read<N extends OptionName>(name: N): OptionValue<N> {
    const option: Option = OPTIONS[name];
    const found = this.#find(name);
    const { label, origin } = found ?? { label: 'default', origin: 'default' };
    const given = found?.text ?? option.default;
    if (given === undefined) {
      this.rows.push({ name, text: '', origin });
      return undefined as OptionValue<N>;
    }
    const text = name === 'shared' ? maskedStoreAddress(given) : given;
    const value = option.parse(given);
    if (value === undefined) throw new UsageError(`${label} takes ${option.takes}, not ${quote(text)}`);
    // a size is shown as written, in MiB
    this.rows.push({ name, text: option.value === 'MIB' ? text : shown(value, text), origin });
    return value as OptionValue<N>;
  }

  /** `takes` completes the error text, which never contains the value. */
  secret<T>(name: SecretName, takes: string, parse: (text: string) => T): T | undefined {
    const variable = variableOf(name);
    const text = this.#env[variable] || this.#file?.texts.get(name);
    const origin = this.#env[variable] ? variable : this.#file?.path;
    this.rows.push({ name, text: text ? HIDDEN : '', origin: text ? origin! : 'default' });
    if (!text) return undefined;
    try {
      return parse(text);
    } catch {
      const label = this.#env[variable] ? variable : `${this.#file!.path}: "${name}"`;
      throw new UsageError(`${label} takes ${takes}; the value is invalid`);
    }
  }

  isGiven(name: OptionName): boolean {
    return this.#find(name) !== undefined;
  }

  #find(name: OptionName): { text: string; label: string; origin: string } | undefined {
    const argument = this.#given.get(name);
    if (argument !== undefined) return { text: argument, label: `--${name}`, origin: `--${name}` };
    const variable = variableOf(name);
    const fromEnvironment = this.#env[variable];
    if (fromEnvironment) return { text: fromEnvironment, label: variable, origin: variable };
    const inFile = this.#file?.texts.get(name);
    if (inFile === undefined) return undefined;
    return { text: inFile, label: `${this.#file!.path}: "${name}"`, origin: this.#file!.path };
  }
}

/** `'line-listen'` → `'VESTIBULE_LINE_LISTEN'` */
export function variableOf(name: OptionName | SecretName): string {
  return `VESTIBULE_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** The output of `vestibule config`: name, value and origin in columns. */
export function settingsText(rows: readonly Setting[]): string {
  const texts = rows.map(({ text }) => text || '-');
  const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const textWidth = Math.max(...texts.map((text) => text.length)) + 2;
  return rows
    .map(({ name, origin }, i) => `${name.padEnd(nameWidth)}${texts[i]!.padEnd(textWidth)}${origin}`)
    .join('\n');
}

/** Names of changed options: those that take effect at once, and those that need a restart. */
export function changedSettings(before: readonly Setting[], after: readonly Setting[]) {
  const known = new Map(before.map(({ name, text }) => [name, text]));
  const changed = after.filter(({ name, text }) => known.get(name) !== text).map(({ name }) => name);
  const isLive = (name: Setting['name']) =>
    Object.hasOwn(OPTIONS, name) && (OPTIONS[name as OptionName] as Option).isLive;
  return { live: changed.filter(isLive), fixed: changed.filter((name) => !isLive(name)) };
}

// addresses are shown as written
function shown(value: unknown, text: string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : text;
}

export interface ConfigFile {
  /** absolute */
  path: string;
  /** option name → value as text; '1' or '0' for a switch */
  texts: ReadonlyMap<string, string>;
}

/** Throws UsageError that names file and key, but never a secret. */
export function readConfigFile(path: string): ConfigFile {
  const file = resolve(path);
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(readObject(file))) {
    texts.set(name, textOf(file, name, value));
    if ((Object.hasOwn(SECRETS, name) || hasPassword(name, value)) && isReadByAll(file)) {
      throw new UsageError(`${file} contains a secret (${name}) but everybody can read it: chmod o-r it`);
    }
  }
  return { path: file, texts };
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const words = systemWords(error);
    if (words !== undefined) throw new UsageError(`the configuration file ${file} cannot be read: ${words}`);
    // the rest of node's message quotes the file, which may contain a password
    const place = /line \d+ column \d+/.exec((error as Error).message)?.[0];
    throw new UsageError(`${file} is not JSON${place === undefined ? '' : ` at ${place}`}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${file} must contain a JSON object, such as {"port": 8080, "trust-proxy": true}`);
}

function textOf(file: string, name: string, value: unknown): string {
  const label = `${file}: ${quote(name)}`;
  const isSecret = Object.hasOwn(SECRETS, name);
  const option: Option | undefined = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof typeof OPTIONS] : undefined;
  if (!isSecret && option === undefined) {
    throw new UsageError(`${label} is not an option; vestibule --help lists them`);
  }
  if (name === 'config' || option?.command !== undefined) throw new UsageError(`${label} cannot be set in this file`);
  if (option && option.value === undefined) {
    if (typeof value === 'boolean') return value ? '1' : '0';
    throw new UsageError(`${label} takes true or false, not ${quote(JSON.stringify(value))}`);
  }
  if (option?.isMap && isTextsOrNumbers(value)) return Object.entries(value).map(pairText).join(',');
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && !isSecret) return String(value);
  if (isSecret) throw new UsageError(`${label} takes a text; the value is invalid`);
  throw new UsageError(`${label} takes ${option!.takes}, not ${quote(JSON.stringify(value))}`);
}

function isTextsOrNumbers(value: unknown): value is Readonly<Record<string, string | number>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every((each) => typeof each === 'string' || typeof each === 'number');
}

function pairText([key, value]: [string, string | number]): string {
  return key === '' ? String(value) : `${key}=${value}`;
}

/** A store address may contain a password. */
function hasPassword(name: string, value: unknown): boolean {
  return name === 'shared' && typeof value === 'string' && maskedStoreAddress(value) !== value;
}

function isReadByAll(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0;
}

// The configuration file (`--config`): a JSON object (RFC 8259) with the options of serve, and the two secrets that are
// otherwise read from the environment. Values may be strings, numbers or booleans.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskedStoreAddress } from '../fleet/store-address.ts';
import { systemWords } from '../system/operator-errors.ts';
import { OPTIONS, type Option, SECRETS } from './option-table.ts';
import { quote, UsageError } from './option-values.ts';

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

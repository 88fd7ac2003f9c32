// Arguments and options of the commands other than `serve`: accounts (user), the data folder (backup, check, compact),
// migration (copy).

import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MAX_USER_NAME_BYTES } from '../limits/backend.ts';
import { MAX_APP_PASSWORD_NAME_BYTES } from '../limits/sessions.ts';
import { APP_PASSWORD_SCOPES, type AppPasswordScope } from '../model.ts';
import { SHELLS, type Shell } from './command-table.ts';
import { OPTIONS } from './option-table.ts';
import { type BackendAddress, parseBackend, quote, UsageError } from './option-values.ts';

/** `password` undefined: prompt for it. */
export type UserAction =
  | { action: 'add'; name: string; isAdmin: boolean; password: string | undefined }
  | { action: 'passwd'; name: string; password: string | undefined }
  | { action: 'list' }
  | { action: 'remove'; name: string }
  | { action: 'apps'; name: string }
  | { action: 'add-app'; name: string; app: string; scope: Exclude<AppPasswordScope, 'feed'> }
  | { action: 'remove-app'; name: string; id: number };

/** Paths are absolute. */
export type StoreAction =
  | { action: 'backup'; file: string }
  | { action: 'check'; file?: string }
  | { action: 'compact' };

/** Source or target of a migration: the room server of a data folder, or one on a socket ('': no log-in). */
export type CopyEnd =
  | { kind: 'embedded'; folder: string }
  | { kind: 'socket'; address: BackendAddress; user: string; password: string };

export interface CopyAction {
  from: CopyEnd;
  to: CopyEnd;
  /** CA certificate for tls:// */
  caFile: string | undefined;
  /** absolute path of the file that receives the passwords of new accounts */
  passwordFile: string;
  /** for the administrator of a new data folder */
  adminPassword: string | undefined;
}

/** `options`: names of the given options. Throws UsageError. */
export function userAction(
  words: readonly string[],
  options: Iterable<string>,
  env: Readonly<Record<string, string | undefined>>,
): UserAction {
  const given = new Set(options);
  for (const name of given) {
    if (name !== 'data' && name !== 'config' && name !== 'admin')
      throw new UsageError(`--${name} cannot be used with vestibule user`);
  }
  const [action, name, ...rest] = words;
  if (!isUserWord(action)) {
    const wanted =
      'add NAME [--admin], passwd NAME, list, remove NAME, apps NAME, add-app NAME APP SCOPE, remove-app NAME NUMBER';
    throw new UsageError(`vestibule user takes one of: ${wanted}`);
  }
  if (given.has('admin') && action !== 'add') throw new UsageError('--admin can only be used with vestibule user add');
  if (action === 'list') {
    if (name !== undefined) throw new UsageError(`vestibule user list takes no argument ${quote(name)}`);
    return { action };
  }
  if (name === undefined) throw new UsageError(`vestibule user ${action} requires a NAME`);
  if (name.trim() === '' || Buffer.byteLength(name) > MAX_USER_NAME_BYTES || /[\p{Cc}|]/u.test(name)) {
    throw new UsageError(
      `a user name has 1 to ${MAX_USER_NAME_BYTES} bytes, without | and control characters; got ${quote(name)}`,
    );
  }
  if (action === 'add-app' || action === 'remove-app') return appAction(action, name, rest);
  if (rest.length > 0) {
    throw new UsageError(`vestibule user ${action} takes one NAME; write a name with spaces in quotes`);
  }
  if (action === 'remove' || action === 'apps') return { action, name };
  const password = env.VESTIBULE_PASSWORD || undefined;
  return action === 'add' ? { action, name, isAdmin: given.has('admin'), password } : { action, name, password };
}

function isUserWord(word: string | undefined): word is UserAction['action'] {
  return word !== undefined && ['add', 'passwd', 'list', 'remove', 'apps', 'add-app', 'remove-app'].includes(word);
}

/** `rest`: the arguments after the name. Throws UsageError. */
function appAction(action: 'add-app' | 'remove-app', name: string, rest: readonly string[]): UserAction {
  const [first = '', scope, extra] = rest;
  if (action === 'remove-app') {
    if (/^[1-9]\d{0,14}$/.test(first) && scope === undefined) return { action, name, id: Number(first) };
    throw new UsageError('vestibule user remove-app takes NAME and the NUMBER of an app password, as listed by apps');
  }
  const known = APP_PASSWORD_SCOPES.filter((one) => one !== 'feed').find((one) => one === scope);
  if (known === undefined || extra !== undefined) {
    throw new UsageError('vestibule user add-app takes NAME, a name for the APP, and a SCOPE: read, dav or all');
  }
  const app = first.trim();
  if (app === '' || Buffer.byteLength(app) > MAX_APP_PASSWORD_NAME_BYTES || /[\p{Cc}|]/u.test(app)) {
    throw new UsageError(
      `an app name has 1 to ${MAX_APP_PASSWORD_NAME_BYTES} bytes, no | or control characters; got ${quote(first)}`,
    );
  }
  return { action, name, app, scope: known };
}

/** Commands for the database. */
export function isStoreCommand(word: string): word is StoreAction['action'] {
  return word === 'backup' || word === 'check' || word === 'compact';
}

/** `options`: names of the given options. Throws UsageError. */
export function storeAction(
  action: StoreAction['action'],
  words: readonly string[],
  options: Iterable<string>,
): StoreAction {
  for (const name of options) {
    if (name !== 'data' && name !== 'config') throw new UsageError(`--${name} cannot be used with vestibule ${action}`);
  }
  const [file, ...rest] = words;
  if (file === '') throw new UsageError(`vestibule ${action} takes a FILE, not an empty argument`);
  const extra = action === 'compact' ? file : rest[0];
  if (extra !== undefined) throw new UsageError(`vestibule ${action} takes no argument ${quote(extra)}`);
  if (action === 'backup') {
    if (file === undefined) throw new UsageError('vestibule backup requires a FILE to write');
    return { action, file: resolve(file) };
  }
  return action === 'check' && file ? { action, file: resolve(file) } : { action };
}

/** `options`: the given options. Throws UsageError. */
export function copyAction(
  words: readonly string[],
  options: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): CopyAction {
  if (words[0] !== undefined) throw new UsageError(`vestibule copy takes no argument ${quote(words[0])}`);
  for (const name of options.keys()) {
    if (!/^(from|to|from-user|to-user|passwords|backend-ca)$/.test(name)) {
      throw new UsageError(`--${name} cannot be used with vestibule copy`);
    }
  }
  const from = copyEnd('from', options, env);
  const to = copyEnd('to', options, env);
  if (isDeepStrictEqual(locationOf(from), locationOf(to))) throw new UsageError('--from and --to are the same');
  const passwordFile = resolve(options.get('passwords') ?? OPTIONS.passwords.default);
  const ca = options.get('backend-ca') ?? (env.VESTIBULE_BACKEND_CA || undefined);
  const caFile = ca === undefined ? undefined : resolve(ca);
  return { from, to, caFile, passwordFile, adminPassword: env.VESTIBULE_ADMIN_PASSWORD || undefined };
}

function locationOf(end: CopyEnd): unknown {
  return end.kind === 'embedded' ? end.folder : end.address;
}

function copyEnd(
  side: 'from' | 'to',
  options: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): CopyEnd {
  const text = options.get(side);
  if (text === undefined) throw new UsageError(`vestibule copy requires --${side} ADDRESS`);
  const user = options.get(`${side}-user`);
  const folder = /^embedded:(.+)$/.exec(text)?.[1];
  if (folder !== undefined) {
    if (user !== undefined) throw new UsageError(`--${side}-user cannot be used with an embedded room server`);
    return { kind: 'embedded', folder: resolve(folder) };
  }
  const parsed = parseBackend(text);
  if (parsed === undefined || parsed === 'embedded') {
    throw new UsageError(
      `--${side} takes embedded:DIR, unix:/path, tls://host:port or tcp://host:port, not ${quote(text)}`,
    );
  }
  const password = env[`VESTIBULE_${side.toUpperCase()}_PASSWORD`] ?? '';
  if (user !== undefined && password === '') {
    throw new UsageError(`--${side}-user requires VESTIBULE_${side.toUpperCase()}_PASSWORD in the environment`);
  }
  return { kind: 'socket', address: parsed, user: user ?? '', password };
}

/** The shell to generate completion for. Throws UsageError. */
export function completionShell(words: readonly string[], options: Iterable<string>): Shell {
  const [word, ...rest] = words;
  const shell = SHELLS.find((each) => each === word);
  if (shell === undefined) throw new UsageError(`vestibule completion takes one of: ${SHELLS.join(', ')}`);
  assertAlone('completion', rest, options);
  return shell;
}

/** For a command without arguments and options. Throws UsageError. */
export function assertAlone(command: string, words: readonly string[], options: Iterable<string>): void {
  for (const name of options) throw new UsageError(`--${name} cannot be used with vestibule ${command}`);
  if (words[0] !== undefined) throw new UsageError(`vestibule ${command} takes no argument ${quote(words[0])}`);
}

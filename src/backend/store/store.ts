// The database of the embedded room server: opening, locking, migrating, prepared statements, transactions, settings.
// All writes go through here; only one process at a time may hold a data folder.

import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { MAX_IDLE_LOG_BYTES, PAGE_CACHE_BYTES, STORAGE_REPORT_SECONDS } from '../../limits/backend.ts';
import { lookKey, userLookKey } from '../../protocol/name-rules.ts';
import { accountName } from '../../protocol/names.ts';
import type { ChangeCounts, ChangeScope } from '../../system/change-counts.ts';
import { now } from '../../system/clock.ts';
import { type FolderLock, lockFolder, makeFolder, makePrivate } from '../../system/folder-lock.ts';
import { forOperator } from '../../system/operator-errors.ts';
import { hashPasswordNow } from './passwords.ts';
import { StoreCaches } from './records.ts';
import { Refusal } from './refusal.ts';
import { CONTENT_STATE, MIGRATIONS, ROOM_STATE } from './schema.ts';

const BUSY_TIMEOUT_MS = 5000;
// primary result codes of SQLite
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const STORAGE_FAILURES: Record<number, string> = {
  [SQLITE_READONLY]: 'The data folder cannot be written.',
  10: 'The disk reported an error.',
  13: 'The disk is full.',
  [SQLITE_CANTOPEN]: 'The data folder cannot be opened.',
};

/** functions for the SQL of schema.ts */
const MIGRATION_FUNCTIONS: Record<string, (text: string) => string> = {
  account_name: accountName,
  kept_password: hashPasswordNow,
  look_key: lookKey,
  user_look_key: userLookKey,
};

/** The changes of a transaction, for notices of sessions. */
export interface StoreChanges {
  /** rooms with other content, settings or text */
  rooms: Set<number>;
  /** users whose list of rooms has changed */
  listsOf: Set<number | 'all'>;
}

/** An open database. Made by openStore or openBeside. */
export class Store {
  readonly folder: string;
  readonly db: DatabaseSync;
  readonly caches = new StoreCaches();
  readonly #lock: FolderLock;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, { statement: StatementSync; names: readonly string[] }>();
  readonly #settings = new Map<string, string>();
  /** undoes the cached changes of the running transaction, latest last */
  #undo: (() => void)[] = [];
  readonly #atEnd = new Map<string, () => void>(); // of the running transaction
  #changes: StoreChanges | undefined;
  #hasGarbage = false;
  /** counts transactions before anybody is notified of them */
  changeCounts: ChangeCounts | undefined;
  /** called with the changes of each transaction once they are durable */
  onChanges: (changes: StoreChanges) => void = () => {};
  /** called after a transaction that marked something for removal in pieces */
  onGarbage: () => void = () => {};
  onStorageFailure: (error: Error) => void = () => {};
  /** bodies being sent; one that is deleted meanwhile is removed afterwards */
  readonly sending = new Map<number, { times: number; isDeleted: boolean }>();
  #failureReportedAt = 0; // Unix time

  constructor(folder: string, db: DatabaseSync, lock: FolderLock) {
    this.folder = folder;
    this.db = db;
    this.#lock = lock;
    for (const row of db.prepare('SELECT name, value FROM config').all()) {
      this.#settings.set(String(row.name), String(row.value));
    }
  }

  /** The statement for this SQL text, prepared once. Must not be iterated while others may run it: page instead. */
  prepare(sql: string): StatementSync {
    return this.#statements.getOrInsertComputed(sql, () => {
      const statement = this.db.prepare(sql);
      // FTS5 leaves row ids above 2^53, which run() reports with every change but cannot report as numbers.
      if (statement.columns().length === 0) statement.setReadBigInts(true);
      return statement;
    });
  }

  /** The first row; its values are bound: ``store.get`SELECT name FROM user WHERE id = ${id}` ``. */
  get<T = Record<string, SQLOutputValue>>(sql: TemplateStringsArray, ...values: SQLInputValue[]): T | undefined {
    return this.prepare(textOf(sql)).get(...values) as T | undefined;
  }

  /** All rows, as get(). */
  all<T = Record<string, SQLOutputValue>>(sql: TemplateStringsArray, ...values: SQLInputValue[]): T[] {
    return this.prepare(textOf(sql)).all(...values) as T[];
  }

  /** Runs a change, as get(). */
  run(sql: TemplateStringsArray, ...values: SQLInputValue[]): ReturnType<StatementSync['run']> {
    return this.prepare(textOf(sql)).run(...values);
  }

  /**
   * All rows of a list that may be long, as plain objects; prepared once. The objects of node:sqlite itself take twice
   * the time, and only full garbage collections free them.
   */
  rows<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
    const { statement, names } = this.#lists.getOrInsertComputed(sql, () => {
      const statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      return { statement, names: statement.columns().map(({ name }) => name) };
    });
    return (statement.all(...values) as unknown as SQLOutputValue[][]).map((fields) => {
      const row: Record<string, SQLOutputValue> = {};
      for (let i = 0; i < names.length; i++) row[names[i]!] = fields[i]!;
      return row as T;
    });
  }

  /**
   * Runs `run` (synchronous) as one durable unit; nested calls join. Throws Refusal 513 when the disk fails. `scopeOf`
   * names all that the call and its nested calls have changed for readers; without it, anything may have changed.
   */
  transaction<T>(run: () => T, scopeOf?: (result: T) => ChangeScope): T {
    if (this.db.isTransaction) return run();
    let result: T;
    try {
      this.#atEnd.clear();
      this.db.exec('BEGIN IMMEDIATE');
      result = run();
      for (const runAtEnd of this.#atEnd.values()) runAtEnd();
      this.db.exec('COMMIT');
      this.#undo = [];
    } catch (error) {
      const undo = this.#undo.reverse();
      this.#undo = [];
      this.#changes = undefined;
      this.#hasGarbage = false;
      for (const takeBack of undo) takeBack();
      // After some disk errors SQLite has rolled back itself.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw this.storageRefusal(error) ?? error;
    }
    this.changeCounts?.count(scopeOf?.(result));
    const [changes, hasGarbage] = [this.#changes, this.#hasGarbage];
    this.#changes = undefined;
    this.#hasGarbage = false;
    if (changes) this.onChanges(changes);
    if (hasGarbage) this.onGarbage();
    return result;
  }

  /**
   * Refusal 513 for the error of a failing disk; undefined for any other error. The operator is notified, but not of
   * each of the thousand failures of a full disk.
   */
  storageRefusal(error: unknown): Refusal | undefined {
    const text = STORAGE_FAILURES[primaryCode(error)];
    if (text === undefined) return undefined;
    const time = now();
    if (time - this.#failureReportedAt >= STORAGE_REPORT_SECONDS) {
      this.#failureReportedAt = time;
      this.onStorageFailure(new Error(`${text} Changes are refused until it is mended.`, { cause: error }));
    }
    return new Refusal('storage', text);
  }

  /** Call it inside a transaction that changes a room, or whether lists show it. */
  noteChange(roomId: number | undefined, listOf?: number | 'all'): void {
    this.#changes ??= { rooms: new Set(), listsOf: new Set() };
    if (roomId !== undefined) this.#changes.rooms.add(roomId);
    if (listOf !== undefined) this.#changes.listsOf.add(listOf);
  }

  /** Call it inside a transaction that has marked something for removal in pieces (maintenance/removal.ts). */
  noteGarbage(): void {
    this.#hasGarbage = true;
  }

  /** Call it inside a transaction for every change of cached data: `takeBack` undoes it. */
  onRollback(takeBack: () => void): void {
    this.#undo.push(takeBack);
  }

  /** Runs `run` at the end of the transaction, once for all calls with this key; outside of one, now. */
  atEnd(key: string, run: () => void): void {
    if (this.db.isTransaction) this.#atEnd.set(key, run);
    else run();
  }

  /** A setting of the server; undefined if never set. Defaults are below. */
  getConfig(name: string): string | undefined {
    return this.#settings.get(name);
  }

  setConfig(name: string, value: string): void {
    this.transaction(() => {
      this.prepare(
        'INSERT INTO config (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      ).run(name, value);
      const before = this.#settings.get(name);
      this.#settings.set(name, value);
      this.onRollback(() => {
        if (before === undefined) this.#settings.delete(name);
        else this.#settings.set(name, before);
      });
    });
  }

  close(): void {
    this.#statements.clear();
    this.#lists.clear();
    this.db.close();
    this.#lock.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const texts = new WeakMap<TemplateStringsArray, string>();

/** The statement of a template, with `?` for its values. */
function textOf(sql: TemplateStringsArray): string {
  return texts.getOrInsertComputed(sql, () => sql.join('?'));
}

/** Path of the database in a data folder. */
export function databaseFile(folder: string): string {
  return join(folder, 'vestibule.db');
}

/** Opens or creates the data folder. Throws AppError for the operator: in use, too new, not writable. */
export function openStore(folder: string): Store {
  makeFolder(folder);
  const lock = lockFolder(folder);
  const file = databaseFile(folder);
  let db: DatabaseSync | undefined;
  try {
    makePrivate(file);
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}; PRAGMA cache_size = -${PAGE_CACHE_BYTES / 1024}`);
    migrate(db, file);
    // unfinished uploads and stages (moving.ts) of the last run
    db.exec(`DELETE FROM blob WHERE complete <> ${CONTENT_STATE.complete} AND complete = ${CONTENT_STATE.arriving}`);
    db.exec(
      `UPDATE room SET dropped = ${ROOM_STATE.removed}
       WHERE dropped <> ${ROOM_STATE.there} AND dropped = ${ROOM_STATE.staged}`,
    );
    return new Store(folder, db, lock);
  } catch (error) {
    db?.close();
    lock.close();
    const isOfFile = ['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isOfFile && ![SQLITE_READONLY, SQLITE_CANTOPEN].includes(primaryCode(error)))
      throw forOperator(error, `The database ${file} cannot be used`);
    throw new AppError('internal', `The data folder ${folder} cannot be written.`, { cause: error });
  }
}

/**
 * Opens a database file for reading, possibly beside a running server; reads in one transaction are consistent. Throws
 * AppError for the operator if there is no database of this release.
 */
export function openBeside(file: string): Store {
  requireDatabase(file, `There is no database ${file}.`);
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    const version = versionOf(db, file);
    if (version === 0) throw new AppError('conflict', `${file} is no database of Vestibule.`);
    if (version < MIGRATIONS.length) {
      const text = `The database ${file} was written by an older release: start the server on it first.`;
      throw new AppError('conflict', text);
    }
    return new Store(dirname(file), db, { close() {} });
  } catch (error) {
    db.close();
    if (![SQLITE_READONLY, SQLITE_CANTOPEN].includes(primaryCode(error))) throw error;
    const text = `The folder ${dirname(file)} cannot be written, which reading the database takes.`;
    throw new AppError('internal', text, { cause: error });
  }
}

/** Throws AppError: not_found with the text `missing` if there is no file, internal if it cannot be read. */
export function requireDatabase(file: string, missing: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new AppError('not_found', missing);
    throw forOperator(error, `${file} cannot be read`);
  }
}

/** Throws AppError conflict if a newer release has written the database. */
function versionOf(db: DatabaseSync, file: string): number {
  const version = Number(db.prepare('PRAGMA user_version').get()!.user_version);
  if (version <= MIGRATIONS.length) return version;
  throw new AppError(
    'conflict',
    `The database ${file} has schema version ${version}; this program knows ${MIGRATIONS.length}. ` +
      'It was written by a newer release: use that one.',
  );
}

function migrate(db: DatabaseSync, file: string): void {
  const version = versionOf(db, file);
  if (version === MIGRATIONS.length) return;
  for (const [name, run] of Object.entries(MIGRATION_FUNCTIONS)) db.function(name, (text) => run(String(text)));
  // What a migration removes, such as plain passwords, must not remain in the free space of the file.
  db.exec('PRAGMA secure_delete = ON');
  for (let i = version; i < MIGRATIONS.length; i++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(`${MIGRATIONS[i]}; PRAGMA user_version = ${i + 1}; COMMIT`);
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
  db.exec('PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)');
}

function primaryCode(error: unknown): number {
  const errcode = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}

/** read once: it is in the headers of most messages */
const HOST_NAME = hostname();
const SHORT_HOST_NAME = HOST_NAME.split('.')[0]?.toLowerCase() || 'localhost';

const DEFAULTS: Readonly<Record<string, string>> = {
  c_nodename: SHORT_HOST_NAME,
  c_fqdn: HOST_NAME,
  c_humannode: 'Vestibule',
  c_sysadm: 'admin',
  c_guest_logins: '0',
  c_disable_newu: '1',
  c_initax: '4',
  c_createax: '3',
  c_creataide: '1',
  c_aide_zap: '0',
  c_purge_hour: '4',
  c_maxsessions: '0',
  c_maxmsglen: '0',
  c_regiscall: '0',
  c_twitdetect: '0',
};

/** The stored value, or else the default; undefined for an unknown name. */
export function setting(store: Store, name: string): string | undefined {
  return store.getConfig(name) ?? (isSetting(name) ? DEFAULTS[name] : undefined);
}

/** All names that CONF knows. */
export function settingNames(): string[] {
  return Object.keys(DEFAULTS);
}

/** Whether CONF knows the name. */
export function isSetting(name: string): boolean {
  return Object.hasOwn(DEFAULTS, name);
}

/** A numeric setting; other text counts as 0. */
export function numberSetting(store: Store, name: string): number {
  const value = Number.parseInt(setting(store, name) ?? '', 10);
  return Number.isNaN(value) ? 0 : value;
}

/** c_guest_logins: sessions that never log in may read public rooms */
export function guestsAllowed(store: Store): boolean {
  return store.getConfig('c_guest_logins') === '1';
}

/** Name of this server in message ids, addresses and the greeting. */
export function nodeName(store: Store): string {
  return setting(store, 'c_nodename') ?? 'localhost';
}

// `vestibule doctor`: looks at a deployment as the server with the same options would see it, and says in plain words
// what is wrong and what to do. Changes nothing but for a room of its own, which is removed again.

import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findSocketPaths } from '../backend/wire/socket-paths.ts';
import { Connection } from '../client/connection/connection.ts';
import { AppError } from '../errors.ts';
import { LOW_DISK_BYTES, MAX_CLOCK_DIFFERENCE_SECONDS } from '../limits/telemetry.ts';
import { command } from '../protocol/fields.ts';
import { systemWords } from '../system/operator-errors.ts';
import type { Finding } from './doctor-finding.ts';
import { examineShared } from './doctor-shared.ts';
import { examineCertificate } from './doctor-tls.ts';
import { tryScratchRoom } from './doctor-visit.ts';
import type { NamedBackend } from './option-values.ts';
import type { DoctorAction } from './options.ts';
import type { ServeOptions } from './serve-options.ts';
import { serverAddressOf, warningOf } from './server-address.ts';

/** INFO: name and number of the software (protocol section 18.1) */
const SOFTWARE_LINE = 4;
/** a clock that is earlier has never been set */
const EARLIEST = Date.UTC(2025, 0);

/** Prints what it finds; false where something is wrong. */
export async function runDoctor(action: DoctorAction, print: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for await (const [level, what, text] of examine(action)) {
    isWell &&= level !== 'wrong';
    print(`${level.padEnd(6)} ${what}: ${text}`);
  }
  print(isWell ? 'Nothing is wrong.' : 'Something is wrong, see above.');
  return isWell;
}

async function* examine({ options, user }: DoctorAction): AsyncGenerator<Finding> {
  yield* examineFolder(options.dataFolder);
  const year = new Date().getUTCFullYear();
  if (Date.now() < EARLIEST)
    yield ['wrong', 'clock', `it is ${year} here; set it, log-ins and mail need the right time`];
  else yield ['ok', 'clock', new Date().toISOString()];
  yield* examineCertificate(options);
  yield* examineShared(options);
  for (const backend of options.backends) yield* examineRoomServer(options, backend);
  for (const [i, { hosts, name }] of options.backends.entries()) {
    yield* tryScratchRoom(options, { host: name === '' ? undefined : hosts[0], user: i === 0 ? user : undefined });
  }
}

function* examineFolder(folder: string): Generator<Finding> {
  const what = 'data folder';
  try {
    if (!statSync(folder).isDirectory()) {
      yield ['wrong', what, `${folder} is no folder; name another one with --data`];
      return;
    }
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = `${folder} is not there: start the server once, or name the right one with --data`;
    const denied = `${folder}: ${systemWords(error) ?? code}; run this as the account that runs the server`;
    yield ['wrong', what, code === 'ENOENT' ? missing : denied];
    return;
  }
  yield ['ok', what, `${folder} can be read and written`];
  for (const name of ['.', 'vestibule.db', 'session-key']) {
    const path = join(folder, name);
    const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 };
    if ((mode & 0o077) !== 0) {
      yield [name === '.' ? 'note' : 'wrong', what, `others may look into ${path}: chmod go= ${path}`];
    }
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = `${(free / 1e9).toFixed(1)} GB are free`;
  if (free < LOW_DISK_BYTES) yield ['wrong', 'disk', `only ${size}; make room, or the next messages are refused`];
  else yield ['ok', 'disk', size];
}

async function* examineRoomServer(
  { backends, backendCaFile, dataFolder }: ServeOptions,
  { name, address: backend }: NamedBackend,
): AsyncGenerator<Finding> {
  const what = backends.length === 1 ? 'room server' : `room server of ${name || 'all other hosts'}`;
  const isOwn = backend === 'embedded';
  const address = isOwn ? { kind: 'unix' as const, path: findSocketPaths(dataFolder).socketPath } : backend;
  const isTls = address.kind === 'tls';
  const where = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}${isTls ? ', TLS' : ''}`;
  const warning = warningOf(address);
  if (warning !== undefined) yield ['note', what, warning];
  let connection: Connection;
  try {
    connection = await Connection.open(serverAddressOf(address, backendCaFile));
  } catch (error) {
    const why = error instanceof AppError ? error.message : String(error);
    const remedy = isOwn ? 'start the server' : 'see whether it runs, --backend, and what lies between';
    yield ['wrong', what, `${where}: ${why} ${remedy}`];
    return;
  }
  try {
    const before = Date.now();
    const [info, time] = await connection.askAll([command('INFO'), command('TIME')]);
    yield ['ok', what, `${where}: ${info!.lines[SOFTWARE_LINE] || 'it does not say what it is'}`];
    const seconds = Number(time!.text.split('|')[0]);
    const difference = Math.round(Math.abs(seconds - before / 1000));
    if (seconds > 0 && difference > MAX_CLOCK_DIFFERENCE_SECONDS) {
      yield ['wrong', 'clock', `that of the room server is ${difference} s away from ours; set both by NTP`];
    }
  } catch (error) {
    yield ['wrong', what, `${where}: ${error instanceof AppError ? error.message : String(error)}`];
  } finally {
    connection.close();
  }
}

// `vestibule copy …`: migrates one room server to another, each the embedded one of a data folder, or one on a socket.
// Opens both, saves the passwords of new accounts, and prints the report.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CreatedAdmin } from '../../backend/maintenance/bootstrap.ts';
import { databaseFile, requireDatabase } from '../../backend/store/store.ts';
import { findSocketPaths } from '../../backend/wire/socket-paths.ts';
import { adminSocketOf, type FirstAdmin } from '../../cli/admin-socket.ts';
import type { CopyAction, CopyEnd } from '../../cli/commands.ts';
import { serverAddressOf, warningOf } from '../../cli/server-address.ts';
import { AppError } from '../../errors.ts';
import { accountName } from '../../protocol/names.ts';
import { Connection } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import type { ServerAddress } from '../../room-server/connection/socket.ts';
import { forOperator } from '../../system/operator-errors.ts';
import { copyAll } from './migrate.ts';
import type { User } from './model.ts';
import { openOwnTarget } from './own-target.ts';
import { openReport } from './report.ts';
import { openSessions } from './sessions.ts';
import { answersXfer, openSource } from './source.ts';
import { openTarget } from './target.ts';

const PASSWORD_BYTES = 9;
/** next to its other sockets; accepts mail unfiltered on a real server (quirk Q64) */
const MAIL_SOCKET = 'lmtp-unfiltered.socket';

/** Returns the exit code: 0 complete, 1 something was skipped. Throws AppError for the user. */
export async function runCopyCommand(
  { from, to, caFile, passwordFile, adminPassword }: CopyAction,
  announceAdmin: (admin: CreatedAdmin) => void,
): Promise<number> {
  if (isSame(from, to)) throw new AppError('bad_request', '--from and --to are the same room server.');
  await using opened = new AsyncDisposableStack();
  const spoolFolder = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
  opened.defer(() => rm(spoolFolder, { recursive: true, force: true }));
  const report = openReport((text) => process.stderr.write(text), process.stderr.isTTY === true);
  const stop = (_signal: string, number: number): never => {
    rmSync(spoolFolder, { recursive: true, force: true });
    report.wipe();
    process.stderr.write('Interrupted. Run the same command again to continue.\n');
    process.exit(128 + number);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    // a mistyped folder must not become a new, empty one
    if (from.kind === 'embedded')
      requireDatabase(databaseFile(from.folder), `There is no room server in ${from.folder}.`);
    for (const end of [from, to]) {
      const warning = end.kind === 'socket' ? warningOf(end.address) : undefined;
      if (warning !== undefined) console.error(warning);
    }
    const admin = { announceAdmin, adminPassword };
    const source = await openEnd('from', from, caFile, opened, admin);
    const target = await openEnd('to', to, caFile, opened, admin);
    const unusable = (error: unknown): never => {
      const what = `The file of passwords ${passwordFile} cannot be used`;
      throw forOperator(error, what, 'choose another one with --passwords');
    };
    const kept = await openPasswordFile(passwordFile).catch(unusable);
    const open = () => Connection.open(target.address);
    const writing = target.hasXfer
      ? openOwnTarget(target.connection, open, spoolFolder)
      : openTarget(
          openSessions(target.address, target.connection, target.account, kept.passwords),
          spoolFolder,
          'path' in target.address ? join(dirname(target.address.path), MAIL_SOCKET) : undefined,
        );
    opened.defer(() => writing.close());
    await copyAll({
      source: openSource(source.connection, source.hasXfer, source.account),
      target: writing,
      report,
      passwordFor: async (user: User) => {
        const password = kept.passwords.get(accountName(user.name)) ?? (user.password || newPassword());
        await kept.begin(user.name, password).catch(unusable);
        return password;
      },
      passwordOf: ({ name }) => kept.passwords.get(accountName(name)),
      isHalfMade: ({ name }) => kept.isUnderWay(name),
      hasMade: kept.end,
    });
    const { lines, isComplete } = report.close();
    console.log(lines.join('\n'));
    return isComplete ? 0 : 1;
  } finally {
    report.wipe();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** A data folder and its own socket would duplicate every message. */
function isSame(from: CopyEnd, to: CopyEnd): boolean {
  const paths = socketPaths(to);
  return socketPaths(from).some((path) => paths.includes(path));
}

function socketPaths(end: CopyEnd): string[] {
  if (end.kind === 'embedded') return Object.values(findSocketPaths(end.folder));
  return end.address.kind === 'unix' ? [end.address.path] : [];
}

interface End {
  connection: Connection;
  address: ServerAddress;
  /** it answers XFER */
  hasXfer: boolean;
  /** the logged-in account; '' if no log-in is needed */
  account: string;
}

async function openEnd(
  side: 'from' | 'to',
  end: CopyEnd,
  caFile: string | undefined,
  opened: AsyncDisposableStack,
  admin: FirstAdmin,
): Promise<End> {
  const opening = await openUnnamed(end, caFile, opened, admin).catch((error) => {
    throw error instanceof AppError ? new AppError(error.code, `--${side}: ${error.message}`, { cause: error }) : error;
  });
  if (opening.account !== '' || opening.hasXfer) return opening;
  throw new AppError('bad_request', `--${side}-user is required: this room server needs a log-in.`);
}

async function openUnnamed(
  end: CopyEnd,
  caFile: string | undefined,
  opened: AsyncDisposableStack,
  admin: FirstAdmin,
): Promise<End> {
  const address =
    end.kind === 'embedded'
      ? { path: await adminSocketOf(end.folder, opened, admin) }
      : serverAddressOf(end.address, caFile);
  const connection = await Connection.open(address);
  opened.defer(() => connection.close());
  let account = '';
  if (end.kind === 'socket' && end.user !== '') {
    const { name, level } = await logIn(connection, { user: end.user, password: end.password });
    if (level < 6) throw new AppError('forbidden', `${name} is not an administrator.`);
    account = name;
  }
  return { connection, address, hasXfer: account === '' && (await answersXfer(connection)), account };
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url').replace(/[_-]/g, 'x');
}

interface PasswordFile {
  /** by accountName; grows */
  passwords: ReadonlyMap<string, string>;
  /** Call before creating an account. */
  begin(name: string, password: string): Promise<void>;
  /** The account is complete. */
  end(): Promise<void>;
  /** An earlier run was interrupted while creating this account. */
  isUnderWay(name: string): boolean;
}

/** Throws system errors unchanged. */
export async function openPasswordFile(file: string): Promise<PasswordFile> {
  const markFile = `${file}.under-way`;
  const [text, mark] = await Promise.all([readIfThere(file), readIfThere(markFile)]);
  const passwords = new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [name, password] = line.split('\t');
      return name && password ? [[accountName(name), password]] : [];
    }),
  );
  let underWay = accountName(mark);
  return {
    passwords,
    async begin(name, password) {
      await writeFile(markFile, `${name}\n`, { mode: 0o600, flush: true });
      if (!passwords.has(accountName(name))) {
        await appendFile(file, `${name}\t${password}\n`, { mode: 0o600, flush: true });
      }
      underWay = accountName(name);
      passwords.set(underWay, password);
    },
    async end() {
      await rm(markFile, { force: true });
      underWay = '';
    },
    isUnderWay: (name) => underWay !== '' && underWay === accountName(name),
  };
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

// A pool at a room server that answers as a test says, and what that was sent.

import { AppError, type ErrorCode } from '../../src/errors.ts';
import { Connection } from '../../src/room-server/connection/connection.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { type Answers, type Fault, faultServer } from './fault-server.ts';
import type { Ending } from './gateway.ts';

export const ANN = { user: 'ann', password: 'secret' };
export const BOX = { name: 'Box', password: '' };

/** What GOTO tells of a room, but for what is 0 here. */
export interface Entered {
  newMessages?: number;
  total?: number;
  flags?: number;
  highest?: number;
  isPersonal?: boolean;
  isAdmin?: boolean;
  view?: number;
  flags2?: number;
  mtime?: number;
}

/** The answer to GOTO. */
export function entered(name: string, of: Entered = {}): string {
  const { newMessages = 0, total = 0, flags = 0, highest = 0, view = 0, flags2 = 0, mtime = 0 } = of;
  const rights = [of.isPersonal ? 1 : 0, of.isAdmin ? 1 : 0, 0, 0];
  const fields = [name, newMessages, total, 0, flags, highest, 0, ...rights, view, view, 0, flags2, mtime, ''];
  return `200 ${fields.join('|')}\n`;
}

export function listing(...lines: string[]): string {
  return `100 listing\n${lines.map((line) => `${line}\n`).join('')}000\n`;
}

export const OWN_VERBS = ['APPW', 'COUN', 'FIND', 'HITS', 'MEMB', 'NTFY', 'PROP', 'ROWS', 'SCHD', 'SKEY'];

/** INFO of a room server that is Vestibule's, with these verbs of its own, or all. */
export function ownInfo(...verbs: string[]): string {
  const lines = Array.from({ length: 26 }, () => '');
  lines[4] = 'Vestibule 1';
  lines[25] = (verbs.length > 0 ? verbs : OWN_VERBS).join('|');
  return listing(...lines);
}

/** Closed when the test ends. `answers`: as faultServer has them; Box can be entered unless they say otherwise. */
export async function askedServer(t: Ending, answers: Answers = {}, faults: readonly Fault[] = []) {
  const server = await faultServer({ GOTO: entered('Box'), MSG0: '550 not here\n', ...answers }, faults);
  const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1' });
  const opened: Connection[] = [];
  t.after(async () => {
    for (const connection of opened) connection.close();
    pool.close();
    await server.close();
  });
  return {
    server,
    pool,
    /** texts that came behind commands */
    bodies: server.bodies,
    /** command lines, but for those of a log-in */
    sent: (verb = /^(?!IDEN|USER|PASS|NOOP|QUIT)/) => server.received.flat().filter((line) => verb.test(line)),
    /** a connection that nobody has logged in on */
    async connect(): Promise<Connection> {
      const connection = await Connection.open({ path: server.path });
      opened.push(connection);
      return connection;
    },
  };
}

export const failsWith = (code: ErrorCode, backendCode?: number) => (error: unknown) =>
  error instanceof AppError && error.code === code && (backendCode === undefined || error.backendCode === backendCode);

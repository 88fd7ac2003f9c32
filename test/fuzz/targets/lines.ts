// The line protocol: a room server that sends anything to our client, whose questions all end, and a client that sends
// anything to our room server, which goes on serving others.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { AppError } from '../../../src/errors.ts';
import { LEVEL } from '../../../src/model.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { startRoomServer, type TestRoomServer } from '../../support/room-server.ts';
import { listenOnUnixSocket, type UnixListener } from '../../support/unix-listener.ts';
import { WireClient } from '../../support/wire-client.ts';
import type { Target } from '../engine.ts';
import { ADMINISTRATION, ROOM_SESSIONS } from '../room-commands.ts';

const folder = new URL('../../fixtures/transcripts/', import.meta.url);
const transcripts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
const linesOf = (text: string, side: 'C' | 'S'): string =>
  [...text.matchAll(/^([CS]): (.*)$/gm)].flatMap(([, from, line]) => (from === side ? [`${line}\n`] : [])).join('');
const MAX_SEED_BYTES = 8000;

const QUESTIONS = ['LKRA\n', 'GOTO Lobby\n', 'MSGS ALL\n', 'MSG0 1\n', 'RWHO\n', 'LFLR\n', 'INFO\n', 'DLAT 1|1\n'];

/** the client waits for more than it was sent */
const SILENCE_MS = 50;

let peer: UnixListener | undefined;
let answers: readonly Buffer[] = [];

/**
 * What the server says to one question after the other: notices, and then a line, a listing with its end, or a length
 * and so many bytes.
 */
function answersIn(input: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0, end = 0; end < input.length; ) {
    const line = lineEnd(input, end);
    const status = input.toString('latin1', end, line);
    end = line;
    if (status.startsWith('9')) continue;
    if (status.startsWith('1')) {
      const last = input.indexOf('\n000\n', line - 1);
      end = last < 0 ? input.length : last + '\n000\n'.length;
    } else if (status.startsWith('6')) {
      end = Math.min(input.length, line + Math.max(0, Number.parseInt(status.slice(4), 10) || 0));
    }
    found.push(input.subarray(start, end));
    start = end;
  }
  return found;
}

const lineEnd = (input: Buffer, start: number): number => input.indexOf('\n', start) + 1 || input.length;

export const roomServer: Target = {
  name: 'room-server',
  seeds: transcripts.map((text) => Buffer.from(linesOf(text, 'S')).subarray(0, MAX_SEED_BYTES)),
  words: ['000\n', '100 \n', '200 ', '600 4\n', '600 99999999999\n', '400\n', '550 ', '800 ', '902 ', '|', '\0', '\n'],
  async run(input) {
    answers = answersIn(input);
    peer ??= await listenOnUnixSocket((socket) => {
      socket.on('error', () => {});
      socket.write('200 ready\n');
      socket.setTimeout(SILENCE_MS, () => socket.end());
      let count = 0;
      // what comes unasked ends the connection; each answer may be several, or the end
      socket.on('data', () => {
        const answer = answers[count++] ?? '';
        if (count < answers.length) socket.write(answer);
        else socket.end(answer);
      });
    });
    const words = new Set<string>();
    let connection: Connection | undefined;
    try {
      connection = await Connection.open({ path: peer.path });
      for (const question of QUESTIONS) {
        const { code } = await connection.ask(question);
        words.add(String(code)[0]!);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      words.add(error.code);
    } finally {
      connection?.close();
    }
    const word = [...words].join(' ');
    return /^\d/.test(word) ? word : `refused: ${word}`;
  },
  async close() {
    const listener = peer;
    peer = undefined;
    await listener?.close();
  },
};

const ending: (() => Promise<void> | void)[] = [];
let started: Promise<TestRoomServer> | undefined;
/** what may change passwords, levels or who may log in, and too many wrong passwords */
const LOCKS_OUT = /^(?:SETP|ASUP|RENU|VALI|CONF|XFER|SKEY|PASS (?!(?:ann|boss)pw$))/im;

function start(): Promise<TestRoomServer> {
  const users = { ann: LEVEL.local, boss: LEVEL.admin };
  return startRoomServer({ after: (done) => ending.unshift(done) }, { users });
}

async function stop(): Promise<void> {
  started = undefined;
  for (const done of ending.splice(0)) await done();
}

/** What comes back until the room server has ended the connection. */
async function said(path: string, input: Buffer): Promise<string> {
  const socket = connect(path);
  let received = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => socket.once('close', resolve).on('error', () => {}));
  socket.end(input);
  await closed;
  return received;
}

async function isServed({ socketPath }: TestRoomServer): Promise<boolean> {
  const asked = ['ann', 'boss'].map(async (name) => (await WireClient.login(socketPath, name, `${name}pw`)).socket);
  const sockets = await Promise.allSettled(asked);
  for (const each of sockets) if (each.status === 'fulfilled') each.value.destroy();
  return sockets.every(({ status }) => status === 'fulfilled');
}

export const roomClient: Target = {
  name: 'room-client',
  seeds: [
    ...ROOM_SESSIONS.map((text) => Buffer.from(text)),
    ...transcripts.map((text) => {
      const commands = linesOf(text, 'C').replaceAll(/^(?:QUIT|USER .*|PASS .*)\n/gm, '');
      return Buffer.from(`USER ann\nPASS annpw\n${commands}`).subarray(0, MAX_SEED_BYTES);
    }),
  ],
  words: (
    'USER?ann\n PASS?annpw\n USER?boss\nPASS?bosspw\n GOTO?Lobby\n GOTO?_MAIL_\n ENT0?1||0|4|s\n 000\n ' +
    'MSGS?ALL|0|1\n MSG0?1\n MSG4?1\n CRE8?1|x| KILL?1 SLRP?HIGHEST\n ' +
    'MEMB?list\n PROP SCHD ROWS COUN HITS FIND XFER SKEY NTFY ' +
    'UOPN?x\n WRIT?5\nhello UCLS?1\n | CHAT\n /quit\n EUID?x\n OPNA?1|1\n READ?0|100\n CLOS\n \0 \xff'
  )
    .split(' ')
    .map((word) => word.replaceAll('?', ' ')),
  async run(input) {
    const server = await (started ??= start());
    const isAdministration = input.toString('latin1', 0, ADMINISTRATION.length) === ADMINISTRATION;
    const [path, sent] = isAdministration
      ? [server.adminSocketPath, input.subarray(ADMINISTRATION.length)]
      : [server.socketPath, input];
    const received = await said(path, Buffer.concat([sent, Buffer.from('\n000\nQUIT\n')]));
    assert.deepEqual(server.faults, []);
    if (!(await isServed(server))) {
      assert.match(input.toString('latin1'), LOCKS_OUT, 'nobody can log in');
      await stop();
    }
    const codes = new Set(received.match(/^\d{3}(?= )/gm) ?? []);
    return [...codes].sort().slice(0, 12).join(' ');
  },
  close: stop,
};

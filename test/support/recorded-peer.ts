// A room server made from the recording of a real one: it gives each command the answer recorded for it, in the room
// and for the user it was recorded for, with the same bytes. Where a gateway asks in other words than the recorded
// client, the answer is derived as the protocol documents it (protocol sections named below); what neither was recorded
// nor follows is never invented: the connection is dropped and `check` names the command.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { derivedAnswer } from './recorded-derivation.ts';
import {
  advance,
  codeOf,
  type Exchange,
  exchangesOf,
  fieldsOf,
  newState,
  normalise,
  type Recording,
  type SessionState,
} from './recorded-exchanges.ts';
import { loadTranscript } from './scripted-peer.ts';
import { listenOnUnixSocket, SocketReader } from './unix-listener.ts';

export interface RecordedPeer {
  path: string;
  /** command lines as they came */
  received: string[];
  /** what the gateway sent after a 4xx, 7xx or 8xx answer; text without its closing 000 */
  sent: { command: string; body: Buffer }[];
  /**
   * Replays the moment when the `occurrence`-th of these commands was answered; without it, the end of the recording.
   */
  at(command: string, occurrence?: number): void;
  /** The moment before, so that it is the next to be played. */
  before(command: string, occurrence?: number): void;
  /** Throws when a command came that could not be answered. */
  check(): void;
  close(): Promise<void>;
}

/** These do not depend on the room. */
const EVERYWHERE = /^(INFO|LKRA|LKRN|LKRO|LFLR|LZRM|LRMS|LPRM|CHEK|GVEA|BIFF|DLUI|ULUI|LIST|TIME|AGUP|GETU|PASS|USER)/;
/** These change something: of several recordings the next one is played, and is the moment from then on. */
const CHANGES = /^(ENT0 1|DELE|MOVE|SLRP|SEEN|ULUI|FORG|EINF 1)/;

export async function recordedPeer(transcript: URL): Promise<RecordedPeer> {
  const { sessions } = await loadTranscript(transcript);
  const recording: Recording = { exchanges: exchangesOf(sessions), upTo: Number.POSITIVE_INFINITY };
  const greeting = '200 vm Citadel server ready.\n';
  const unanswered: string[] = [];
  const received: string[] = [];
  const sent: RecordedPeer['sent'] = [];
  const listener = await listenOnUnixSocket((socket) => {
    socket.write(greeting);
    serve(socket, recording, received, sent).catch((error: Error) => {
      unanswered.push(error.message);
      socket.destroy();
    });
  });
  return {
    path: listener.path,
    received,
    sent,
    at(command, occurrence) {
      recording.upTo = lineOf(recording, command, occurrence);
    },
    before(command, occurrence) {
      recording.upTo = lineOf(recording, command, occurrence) - 1;
    },
    check: () => assert.deepEqual(unanswered, [], 'commands that were neither recorded nor follow from the recording'),
    close: () => listener.close(),
  };
}

function lineOf({ exchanges }: Recording, command: string, occurrence = 1): number {
  const found = exchanges.filter((exchange) => exchange.command === command)[occurrence - 1];
  assert.ok(found, `${command} was not recorded ${occurrence} times`);
  return found.lineNumber;
}

async function serve(
  socket: Socket,
  recording: Recording,
  received: string[],
  sent: RecordedPeer['sent'],
): Promise<void> {
  const reader = new SocketReader(socket);
  const state = newState();
  for (;;) {
    const bytes = await reader.line();
    if (bytes.at(-1) !== 10) break;
    const command = bytes.toString('utf8').replace(/\r?\n$/, '');
    received.push(command);
    if (command === 'QUIT') {
      socket.end('200 Goodbye.\n');
      break;
    }
    const exchange = recorded(recording, state, command);
    const answer = exchange?.answer ?? derivedAnswer(recording, state, command);
    if (!answer) throw new Error(`${command} (as '${state.user}' in '${state.room}', up to line ${recording.upTo})`);
    if (exchange && CHANGES.test(command)) recording.upTo = Math.max(recording.upTo, exchange.lastLine);
    advance(state, command, answer);
    socket.write(answer);
    const digit = Math.floor(codeOf(answer) / 100);
    if (digit === 7) sent.push({ command, body: await reader.bytes(Number(fieldsOf(answer)[0])) });
    if (digit === 4 || digit === 8) {
      sent.push({ command, body: await textBody(reader) });
      socket.write(exchange?.confirmation ?? '');
    }
  }
  socket.end();
}

async function textBody(reader: SocketReader): Promise<Buffer> {
  const lines: Buffer[] = [];
  for (;;) {
    const line = await reader.line();
    if (line.length === 0 || /^000\r?\n$/.test(line.toString('latin1'))) return Buffer.concat(lines);
    lines.push(line);
  }
}

/** The exchange of this very command, but for empty fields at its end and what does not matter to its answer. */
function recorded({ exchanges, upTo }: Recording, state: SessionState, command: string): Exchange | undefined {
  const wanted = essence(command);
  const isRoomless = EVERYWHERE.test(wanted) || wanted.startsWith('GOTO');
  const all = exchanges.filter(
    (exchange) =>
      exchange.user === state.user &&
      (isRoomless || exchange.room === state.room) &&
      (!wanted.startsWith('PASS') || exchange.selected === state.selected) &&
      essence(exchange.command) === wanted,
  );
  const next = CHANGES.test(wanted) ? all.find((exchange) => exchange.lineNumber > upTo) : undefined;
  const last = next ?? all.findLast((exchange) => exchange.lineNumber <= upTo);
  return last && isOutdated(last, exchanges, upTo) ? undefined : last;
}

/** A list or a set of read marks that something has changed since. */
function isOutdated(read: Exchange, exchanges: readonly Exchange[], upTo: number): boolean {
  const isList = read.command.startsWith('MSGS');
  if (!isList && read.command !== 'GTSN') return false;
  return exchanges.some(
    ({ lineNumber, command, room, user, answer }) =>
      lineNumber > read.lineNumber &&
      lineNumber <= upTo &&
      room === read.room &&
      codeOf(answer) < 500 &&
      ((isList && /^(ENT0 1|DELE|MOVE \S+\|0)/.test(command)) || (user === read.user && /^(SLRP|SEEN)/.test(command))),
  );
}

/** GOTO without its transient flag; a check by ENT0 without the fields that only count for a post. */
function essence(command: string): string {
  if (/^GOTO /i.test(command)) return normalise(command.split('|').slice(0, 2).join('|'));
  if (/^ENT0 0/i.test(command)) return normalise(command.replace(/^((?:[^|]*\|){6})1\|/, '$1|'));
  return normalise(command);
}

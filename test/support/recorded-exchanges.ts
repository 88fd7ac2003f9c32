// A transcript as exchanges: each command with its answer, who sent it and in which room. What recorded-peer.ts and
// recorded-messages.ts look things up in. Bytes are kept as latin1 text where lines are taken apart.

import type { Step } from './scripted-peer.ts';

/** What a connection is to the room server; changed by what is asked and answered on it. */
export interface SessionState {
  /** named by USER, awaiting PASS */
  selected: string;
  /** logged in as; empty before */
  user: string;
  /** as GOTO answers it; empty before the first */
  room: string;
}

export interface Exchange extends SessionState {
  lineNumber: number;
  /** of its last line, so that a moment behind the exchange can be named */
  lastLine: number;
  command: string;
  /** up to the next command, or to where the client sends its text or bytes */
  answer: Buffer;
  /** text without its closing 000, or bytes, that the client sent after a 4xx, 7xx or 8xx answer */
  body: Buffer;
  /** the listing after an 8xx and its text */
  confirmation: Buffer;
}

/** What is replayed, and the moment in it: the line up to which things have happened. */
export interface Recording {
  exchanges: readonly Exchange[];
  upTo: number;
}

export function newState(): SessionState {
  return { selected: '', user: '', room: '' };
}

/** `'ENT0 1|||4|x||1|||'` and `'ENT0 1|||4|x||1'` are one; so are `LKRA -1` and `LKRA`, `MSG0 5|0` and `MSG0 5`. */
export function normalise(command: string): string {
  const line = command.replace(/\|+$/, '').trimEnd();
  if (/^(LKRA|LKRN|LKRO|LZRM|LRMS) -1$/i.test(line)) return line.slice(0, 4).toUpperCase();
  if (/^MSG[02] \d+\|0$/i.test(line)) return line.slice(0, -2);
  return line.slice(0, 4).toUpperCase() + line.slice(4);
}

export function codeOf(answer: Buffer): number {
  return Number(answer.toString('latin1', 0, 3));
}

/** Fields of a 2xx line. */
export function fieldsOf(answer: Buffer): string[] {
  return answer.toString('utf8').split('\n')[0]!.slice(4).split('|');
}

/** Lines between the status line and the closing 000, as latin1 text. */
export function linesOf(answer: Buffer): string[] {
  return answer.toString('latin1').split('\n').slice(1, -2);
}

export function listing(lines: readonly string[], status = '100 msg:'): Buffer {
  return Buffer.from([status, ...lines, '000', ''].join('\n'), 'latin1');
}

/** What `command`, answered so, makes of the session. */
export function advance(state: SessionState, command: string, answer: Buffer): void {
  const code = codeOf(answer);
  const verb = command.slice(0, 4).toUpperCase();
  if (code === 300) state.selected = command.slice(5).split('|')[0]!.trim();
  if (verb === 'LOUT') Object.assign(state, { user: '', selected: '' });
  if (code !== 200) return;
  if (verb === 'PASS') Object.assign(state, { user: fieldsOf(answer)[0]!, room: 'Lobby' });
  if (verb === 'GOTO') state.room = fieldsOf(answer)[0]!;
  if (verb === 'FORG' || command.toUpperCase() === 'KILL 1') state.room = 'Lobby';
}

/** In the order of the recording, those of all client sessions together. */
export function exchangesOf(sessions: Map<string, Step[]>): Exchange[] {
  const exchanges = [...sessions]
    .filter(([name]) => !name.startsWith('ADM')) // the administration socket answers otherwise
    .flatMap(([, steps]) => exchangesOfSession(steps));
  return exchanges.sort((a, b) => a.lineNumber - b.lineNumber);
}

function exchangesOfSession(steps: readonly Step[]): Exchange[] {
  const state = newState();
  const exchanges: Exchange[] = [];
  let current: Exchange | undefined;
  let sends: 'command' | 'text' | 'bytes' = 'command';
  for (const step of steps) {
    if ('closes' in step) continue;
    const { bytes, lineNumber } = step;
    if (step.from === 'client' && sends === 'command') {
      if (current) advance(state, current.command, current.answer);
      const command = bytes.toString('utf8').replace(/\r?\n$/, '');
      const empty = Buffer.alloc(0);
      current = {
        ...state,
        lineNumber,
        lastLine: lineNumber,
        command,
        answer: empty,
        body: empty,
        confirmation: empty,
      };
      exchanges.push(current);
    } else if (current) {
      current.lastLine = lineNumber;
      if (step.from === 'client') {
        const isEnd = sends === 'text' && /^000\r?\n$/.test(bytes.toString('latin1'));
        if (!isEnd) current.body = Buffer.concat([current.body, bytes]);
        if (isEnd || sends === 'bytes') sends = 'command';
      } else if (current.body.length > 0 || (sends === 'command' && isTransfer(current.answer))) {
        current.confirmation = Buffer.concat([current.confirmation, bytes]);
      } else {
        current.answer = Buffer.concat([current.answer, bytes]);
        const type = isTransfer(current.answer);
        if (type) sends = type;
      }
    }
  }
  return exchanges;
}

function isTransfer(answer: Buffer): 'text' | 'bytes' | undefined {
  const digit = Math.floor(codeOf(answer) / 100);
  return digit === 4 || digit === 8 ? 'text' : digit === 7 ? 'bytes' : undefined;
}

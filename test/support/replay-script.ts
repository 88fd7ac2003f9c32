// A recorded session (test/fixtures/transcripts, prefixes in scripted-peer.ts) as the things that happen one after the
// other: connections, commands with their bodies and the recorded replies, notices, ends. For replay-run.ts.

import { wireBytes } from './scripted-peer.ts';

export interface Exchange {
  kind: 'exchange';
  session: string;
  /** of the command in the file */
  line: number;
  command: Buffer;
  /** the recorded first reply, with the listing or bytes that belong to it */
  reply: Buffer;
  /** bytes that were received but not recorded */
  omitted: number;
  /** what the client sent behind a 4xx, 7xx or 8xx, with the closing 000; empty without */
  body: Buffer;
  /** of the last line of the body */
  bodyLine: number;
  /** the recorded listing behind an 8xx body */
  confirmation: Buffer;
}

export type Happening =
  | { kind: 'connect'; session: string; line: number; isAdminSocket: boolean; greeting: Buffer }
  | { kind: 'notice'; session: string; line: number; bytes: Buffer }
  | { kind: 'serverCloses'; session: string; line: number }
  | { kind: 'clientCloses'; session: string; line: number }
  | Exchange;

interface Chunk {
  line: number;
  bytes: Buffer;
  /** the recorder counted these bytes instead of writing them */
  omitted: number;
}

interface Lane {
  sent: Chunk[];
  received: Chunk[];
}

/** In the order of the file. */
export function parseScript(text: string): Happening[] {
  const happenings: Happening[] = [];
  const lanes: { name: string; lane: Lane; isAdminSocket: boolean }[] = [];
  let current: { name: string; lane: Lane; isAdminSocket: boolean } | undefined;
  const open = (name: string, isAdminSocket: boolean) => {
    current = { name, lane: { sent: [], received: [] }, isAdminSocket };
    lanes.push(current);
  };
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1;
    const begins = /^# session (\w+): connect to the (client|administration) socket/.exec(row);
    const switches = /^@ (.+)$/.exec(row);
    const wire = /^([CS])([:~=#]) (.*)$/s.exec(row);
    const counted = /^# \((\d+) bytes (sent|received)\)$/.exec(row);
    if (begins) {
      open(begins[1]!, begins[2] === 'administration');
    } else if (switches) {
      const name = switches[1]!;
      current = lanes.findLast((one) => one.name === name);
      // The wire logs name a connection only here.
      if (!current && name.startsWith('connection')) open(name, false);
    } else if (wire) {
      if (!current) open('only', false);
      const chunk = { line, bytes: wireBytes(wire[2]!, wire[3]!), omitted: 0 };
      (wire[1] === 'C' ? current!.lane.sent : current!.lane.received).push(chunk);
    } else if (counted) {
      const chunk = { line, bytes: Buffer.alloc(0), omitted: Number(counted[1]) };
      (counted[2] === 'sent' ? current!.lane.sent : current!.lane.received).push(chunk);
    } else if (row.startsWith('# (server closed the connection') && current) {
      happenings.push({ kind: 'serverCloses', session: nameOf(lanes.indexOf(current)), line });
    } else if (row.startsWith('# (client closed the connection') && current) {
      happenings.push({ kind: 'clientCloses', session: nameOf(lanes.indexOf(current)), line });
    }
  }
  for (const [index, { lane, isAdminSocket }] of lanes.entries()) {
    happenings.push(...happeningsOf(nameOf(index), lane, isAdminSocket));
  }
  return happenings.sort((a, b) => a.line - b.line);
}

function nameOf(index: number): string {
  return `session ${index + 1}`;
}

function happeningsOf(session: string, { sent, received }: Lane, isAdminSocket: boolean): Happening[] {
  const greeting = received.shift()!;
  const happenings: Happening[] = [
    { kind: 'connect', session, line: greeting.line, isAdminSocket, greeting: greeting.bytes },
  ];
  while (sent.length > 0) {
    takeNotices(session, received, sent[0]!.line, happenings);
    const command = sent.shift()!;
    const exchange: Exchange = {
      kind: 'exchange',
      session,
      line: command.line,
      command: command.bytes,
      reply: Buffer.alloc(0),
      omitted: 0,
      body: Buffer.alloc(0),
      bodyLine: command.line,
      confirmation: Buffer.alloc(0),
    };
    happenings.push(exchange);
    if (/^QNOP/i.test(command.bytes.toString('latin1'))) continue;
    exchange.reply = takeReply(received, exchange);
    const digit = Math.floor(Number(exchange.reply.toString('latin1', 0, 3)) / 100);
    if (digit === 4 || digit === 8) takeText(sent, exchange);
    if (digit === 7) takeBytes(sent, exchange, Number.parseInt(exchange.reply.toString('latin1', 4), 10));
    if (digit === 8) exchange.confirmation = takeListing(received);
    // A listing that the recorded server ended too early goes on here (quirk Q1).
    const next = sent[0]?.line ?? Number.POSITIVE_INFINITY;
    while (received[0] && received[0].line < next && !isNotice(received[0])) {
      exchange.reply = Buffer.concat([exchange.reply, received.shift()!.bytes]);
    }
  }
  takeNotices(session, received, Number.POSITIVE_INFINITY, happenings);
  return happenings;
}

function isNotice({ bytes }: Chunk): boolean {
  return bytes.toString('latin1', 0, 3) === '902';
}

function takeNotices(session: string, received: Chunk[], before: number, happenings: Happening[]): void {
  while (received[0] && received[0].line < before && isNotice(received[0])) {
    const { line, bytes } = received.shift()!;
    happenings.push({ kind: 'notice', session, line, bytes });
  }
}

function takeReply(received: Chunk[], exchange: Exchange): Buffer {
  const first = received.shift();
  if (!first) return Buffer.alloc(0);
  const digit = Math.floor(Number(first.bytes.toString('latin1', 0, 3)) / 100);
  if (digit === 1) return Buffer.concat([first.bytes, takeListing(received)]);
  if (digit !== 6) return first.bytes;
  let left = Number.parseInt(first.bytes.toString('latin1', 4), 10);
  const parts = [first.bytes];
  while (left > 0 && received[0]) {
    const chunk = received.shift()!;
    parts.push(chunk.bytes);
    exchange.omitted += chunk.omitted;
    left -= chunk.bytes.length + chunk.omitted;
  }
  return Buffer.concat(parts);
}

function takeListing(received: Chunk[]): Buffer {
  const parts: Buffer[] = [];
  while (received[0]) {
    const { bytes } = received.shift()!;
    parts.push(bytes);
    if (bytes.toString('latin1') === '000\n') break;
  }
  return Buffer.concat(parts);
}

function takeText(sent: Chunk[], exchange: Exchange): void {
  while (sent[0]) {
    const { bytes, line } = sent.shift()!;
    exchange.body = Buffer.concat([exchange.body, bytes]);
    exchange.bodyLine = line;
    if (/^000\r?\n$/.test(bytes.toString('latin1'))) return;
  }
}

function takeBytes(sent: Chunk[], exchange: Exchange, count: number): void {
  while (sent[0] && exchange.body.length < count) {
    const { bytes, omitted, line } = sent.shift()!;
    exchange.body = Buffer.concat([exchange.body, bytes, Buffer.alloc(omitted)]);
    exchange.bodyLine = line;
  }
}

// The tasks that are timed: each answers how long it took and how many things it showed. Every task asks for the same
// amount on both sets, unless `per` says what there is more of.

import { Readable } from 'node:stream';
import { command } from '../src/protocol/fields.ts';
import { type Posting, postAsked } from '../src/room-server/posting.ts';
import { LARGE_ROOM } from './generate.ts';
import { COMMON_WORD, RARE_WORD } from './generated-content.ts';
import type { Client, Site } from './scale-site.ts';

export interface Task {
  name: string;
  run(site: Site, round: number): Promise<{ ms: number; count: number }>;
  /** what a full set has more of, so that the time for each one counts */
  per?: string;
}

const BODY = 'A message that somebody has just written, of a length that is usual for one.\n'.repeat(5);

const POSTING: Posting = { recipients: '', cc: '', bcc: '', subject: 'Just written', euid: '', references: '' };

export const TASKS: readonly Task[] = [
  get('room list (some 70 rooms)', () => 'r/'),
  get('msgs.new, 10,000 messages', () => `r/${LARGE_ROOM}/msgs.new`),
  get('msgs.new, 100 messages', (site, round) => `${roomOf(site, round)}/msgs.new`),
  get('mailbox, 10,000 messages', () => `r/${LARGE_ROOM}/mailbox`),
  get('mailbox, 100 messages', (site, round) => `${roomOf(site, round)}/mailbox`),
  put('posting, room of 10,000', () => `r/${LARGE_ROOM}`),
  put('posting, room of 100', (site, round) => roomOf(site, round)),
  get('search everywhere, 20 hits', () => `a/search?q=${RARE_WORD}`),
  get('search everywhere, common word', () => `a/search?q=${COMMON_WORD}`),
  get('search in 10,000 messages, 20 hits', () => `r/${LARGE_ROOM}/msgs.search|${RARE_WORD}`),
  get('search in 10,000 messages, common word', () => `r/${LARGE_ROOM}/msgs.search|${COMMON_WORD}`),
  get('search in 100 messages, common word', (site, round) => `${roomOf(site, round)}/msgs.search|${COMMON_WORD}`),
  line('line: LKRA (some 70 rooms)', () => [command('LKRA', -1)]),
  line('line: LKRN', () => [command('LKRN', -1)]),
  line('line: GOTO', (site, round) => [command('GOTO', site.rooms[round % site.rooms.length]!)]),
  line('line: MSGS NEW, 10,000', () => [command('GOTO', LARGE_ROOM), command('MSGS', 'NEW')]),
  line('line: MSGS ALL, 10,000', () => [command('GOTO', LARGE_ROOM), command('MSGS', 'ALL')]),
  line('line: MSGS ALL with headers, 10,000', () => [command('GOTO', LARGE_ROOM), command('MSGS', 'ALL', '', '', 9)]),
  linePost('line: ENT0, room of 10,000'),
  line('line: SRCH, 20 hits', () => [command('SRCH', RARE_WORD)]),
  line('line: SRCH, common word', () => [command('SRCH', COMMON_WORD)]),
  { ...get('all rooms, as admin', () => 'r/', 'admin'), per: 'rooms' },
];

function roomOf(site: Site, round: number): string {
  return `r/${encodeURIComponent(site.rooms[round % site.rooms.length]!)}`;
}

function get(name: string, path: (site: Site, round: number) => string, who: 'reader' | 'admin' = 'reader'): Task {
  return {
    name,
    async run(site, round) {
      const { ms, body } = await site[who].send('GET', encodeURI(path(site, round)).replaceAll('%25', '%'));
      const answer = JSON.parse(body) as unknown[] | { msgs: unknown[] };
      return { ms, count: Array.isArray(answer) ? answer.length : answer.msgs.length };
    },
  };
}

/** What was posted is deleted again, outside of the time. */
function put(name: string, room: (site: Site, round: number) => string): Task {
  return {
    name,
    async run(site, round) {
      const path = room(site, round);
      const { ms, etag } = await site.reader.send('PUT', `${path}/new?subj=Just+written`, BODY);
      await clean(site.admin, `${path}/${etag.replaceAll('"', '')}`);
      return { ms, count: 1 };
    },
  };
}

async function clean(admin: Client, path: string): Promise<void> {
  await admin.send('DELETE', path);
}

function line(name: string, commands: (site: Site, round: number) => string[]): Task {
  return {
    name,
    async run(site, round) {
      const lines = commands(site, round);
      const started = performance.now();
      const answers = await site.line.askAll(lines);
      const ms = performance.now() - started;
      for (const { code, text } of answers) if (code >= 300) throw new Error(`${lines}: ${code} ${text}`);
      return { ms, count: answers.at(-1)!.lines.length };
    },
  };
}

function linePost(name: string): Task {
  return {
    name,
    async run({ line: connection, admin }) {
      await connection.ask(command('GOTO', LARGE_ROOM));
      const started = performance.now();
      const body = Readable.from([Buffer.from(`Content-type: text/plain\n\n${BODY}`)]);
      const { msgnum } = await postAsked(connection, POSTING, body);
      const ms = performance.now() - started;
      await clean(admin, `r/${LARGE_ROOM}/${msgnum}`);
      return { ms, count: 1 };
    },
  };
}

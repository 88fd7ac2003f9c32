// PROPFIND and mailbox of rooms of 100 to 100,000: time for each member, when the answer begins, and the memory it
// takes beyond that of an idle gateway (Linux counts the most that was resident, and begins anew when it is told to).
// What is linear costs the same for each member; what streams takes the same memory for any number.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../generate.ts';
import { type Server, startServer } from '../scale-site.ts';
import { LIST_REQUEST } from './dav-rows.ts';
import { median, row } from './pairs.ts';

const SMALL_ROOM = 'Lobby';
/** for what is done after an answer has been sent */
const SETTLE_MS = 500;
const WIDTHS = [10, 9, 10, 10, 8, 14];

const LISTS = {
  PROPFIND: { path: '', words: ['-X', LIST_REQUEST.method, '-H', `Depth: ${LIST_REQUEST.depth}`], isSent: true },
  mailbox: { path: 'mailbox', words: [], isSent: false },
} as const;

/** A room for each of `counts`, on a gateway of its own. */
export async function benchMembers({ rounds, counts }: { rounds: number; counts: readonly number[] }): Promise<void> {
  console.log('members: lists of large rooms');
  console.log(row(['', 'members', 'us/member', 'first ms', 'MB', 'MB over idle'], WIDTHS));
  for (const count of counts) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-members-'));
    try {
      await fillFolder(folder, { rooms: 10, messages: 0, users: 2, largeRoom: count, seed: 1 }, () => {});
      const server = await startServer(folder);
      try {
        for (const kind of Object.keys(LISTS) as (keyof typeof LISTS)[]) {
          await benchList(server, kind, count, folder, rounds);
        }
      } finally {
        await server.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function benchList(server: Server, kind: keyof typeof LISTS, count: number, folder: string, rounds: number) {
  for (let i = 0; i < 2; i++) list(server.url, kind, SMALL_ROOM, folder);
  await setTimeout(SETTLE_MS);
  const idle = server.residentMegabytes();
  server.forgetPeak();
  const runs = Array.from({ length: rounds }, () => list(server.url, kind, LARGE_ROOM, folder));
  const more = server.peakMegabytes() - idle;
  const each = (median(runs.map(({ seconds }) => seconds)) / count) * 1e6;
  const first = median(runs.map((run) => run.first)) * 1000;
  const cells = [each.toFixed(1), first.toFixed(1), (runs[0]!.bytes / 1e6).toFixed(1), more.toFixed(0)];
  console.log(row([kind, count, ...cells], WIDTHS));
}

/** Lists a room as the reader, with curl; seconds to the end and to the first byte. */
function list(url: string, kind: keyof typeof LISTS, room: string, folder: string) {
  const { path, words: own, isSent } = LISTS[kind];
  const words = ['-sf', '--noproxy', '*', '-u', `${READER}:${PASSWORD}`, ...own];
  if (isSent) {
    const sent = join(folder, 'sent.xml');
    writeFileSync(sent, LIST_REQUEST.body!);
    words.push('-H', `Content-Type: ${LIST_REQUEST.type}`, '--data-binary', `@${sent}`);
  }
  words.push('-o', '/dev/null', '-w', '%{time_total} %{time_starttransfer} %{size_download}');
  const said = execFileSync('curl', [...words, `${url}svc/r/${room}/${path}`], { encoding: 'utf8' });
  const [seconds = 0, first = 0, bytes = 0] = said.split(' ').map(Number);
  return { seconds, first, bytes };
}

// One PROPFIND of a large room: how long it takes, when it begins, and the memory it takes beyond that of an idle
// gateway (Linux counts the most that was resident, and begins anew when it is told to).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../generate.ts';
import { startServer } from '../scale-site.ts';
import { LIST_REQUEST } from './dav-rows.ts';

const SMALL_ROOM = 'Lobby';
const RUNS = 3;
/** for what is done after an answer has been sent */
const SETTLE_MS = 2000;

/** Makes a room of `count` messages and prints a line for each of three runs. */
export async function benchMembers(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-'));
  try {
    await fillFolder(folder, { rooms: 10, messages: 0, users: 2, largeRoom: count, seed: 1 }, () => {});
    const server = await startServer(folder);
    try {
      console.log(`PROPFIND of ${count} members, 3 properties`);
      for (let i = 0; i < 2; i++) propfind(server.url, SMALL_ROOM, folder);
      for (let run = 1; run <= RUNS; run++) {
        await setTimeout(SETTLE_MS);
        const idle = server.residentMegabytes();
        server.forgetPeak();
        const { seconds, first, bytes, responses } = propfind(server.url, LARGE_ROOM, folder);
        if (responses !== count + 1) throw new Error(`${responses} responses`);
        const peak = server.peakMegabytes() - idle;
        const took = `${seconds.toFixed(2)} s, begins after ${Math.round(first * 1000)} ms, ${Math.round(bytes / 1e6)} MB`;
        console.log(`run ${run}: ${took}; ${idle.toFixed(0)} MB resident before, ${peak.toFixed(0)} MB more at most`);
      }
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists a room as the reader, with curl. */
function propfind(url: string, room: string, folder: string) {
  const { method, depth, type, body } = LIST_REQUEST;
  const [sent, answer] = [join(folder, 'sent.xml'), join(folder, 'answer.xml')];
  writeFileSync(sent, body!);
  const words = ['-sf', '--noproxy', '*', '-X', method, '-u', `${READER}:${PASSWORD}`, '-H', `Depth: ${depth}`];
  words.push('-H', `Content-Type: ${type}`, '--data-binary', `@${sent}`, '-o', answer);
  words.push('-w', '%{time_total} %{time_starttransfer} %{size_download}', `${url}svc/r/${room}/`);
  const [seconds = 0, first = 0, bytes = 0] = execFileSync('curl', words, { encoding: 'utf8' }).split(' ').map(Number);
  return { seconds, first, bytes, responses: countResponses(answer) };
}

/** Of a file that may be larger than a string. */
function countResponses(file: string): number {
  return Number(
    execFileSync('sh', ['-c', 'grep -o "<[A-Za-z]*:*response[ >]" "$1" | wc -l', 'sh', file], { encoding: 'utf8' }),
  );
}

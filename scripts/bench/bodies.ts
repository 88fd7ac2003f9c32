// One large body up and down, with curl, beside pipeline(req, file) and pipeline(file, res) of a bare server; and the
// memory that the gateway takes for it beyond what it has when idle.

import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillFolder, PASSWORD, READER } from '../generate.ts';
import { startServer } from '../scale-site.ts';
import { startBare } from './bare.ts';
import { inTurn, median, medianRatio, row } from './pairs.ts';

const SIZE = { rooms: 1, messages: 0, users: 2, largeRoom: 1, seed: 1 };
const MIB = 1024 * 1024;
const WIDTHS = [10, 10, 10, 6, 12];

export async function benchBodies({ rounds, mebibytes }: { rounds: number; mebibytes: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bodies-'));
  const bare = await startBare([]);
  try {
    const file = join(folder, 'file');
    const descriptor = openSync(file, 'w');
    ftruncateSync(descriptor, mebibytes * MIB);
    closeSync(descriptor);
    const data = join(folder, 'data');
    await fillFolder(data, SIZE, () => {});
    const server = await startServer(data, ['--max-body', String(mebibytes)]);
    try {
      const uploads = `${server.url}svc/p`;
      /** of the upload that is there */
      let ref = '';
      const send = () => {
        if (ref !== '') curl(['-X', 'DELETE', `${uploads}/${ref}`]);
        const sent = ['-H', 'Content-Type: application/octet-stream', '-X', 'POST', '-T', file];
        const { seconds, said } = curl([...sent, `${uploads}?filename=file`]);
        ref = (JSON.parse(said) as { ref: string }[])[0]!.ref;
        return mebibytes / seconds;
      };
      const fetchIt = () => mebibytes / curl(['-o', '/dev/null', `${uploads}/${ref}`]).seconds;
      const ways = [
        ['upload', send, () => mebibytes / curl(['-T', file, `${bare.url}file`]).seconds],
        ['download', fetchIt, () => mebibytes / curl(['-o', '/dev/null', `${bare.url}file`]).seconds],
      ] as const;
      console.log(`bodies: ${mebibytes} MiB beside pipeline(); ratio = gateway / bare`);
      console.log(row(['', 'gw MiB/s', 'bare MiB/s', 'ratio', 'MB over idle'], WIDTHS));
      for (const [name, ours, theirs] of ways) {
        const idle = server.residentMegabytes();
        server.forgetPeak();
        const [gateway, plain] = await inTurn(rounds, [ours, theirs]);
        const more = server.peakMegabytes() - idle;
        const rates = [median(gateway!).toFixed(0), median(plain!).toFixed(0)];
        console.log(row([name, ...rates, medianRatio(gateway!, plain!).toFixed(2), more.toFixed(0)], WIDTHS));
      }
    } finally {
      await server.stop();
    }
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `said`: the answer, where it goes to no file. */
function curl(words: readonly string[]): { seconds: number; said: string } {
  const common = ['-sf', '--noproxy', '*', '-u', `${READER}:${PASSWORD}`, '-H', 'Expect:', '-w', '\n%{time_total}'];
  const output = execFileSync('curl', [...common, ...words], { encoding: 'utf8' });
  const end = output.lastIndexOf('\n');
  return { seconds: Number(output.slice(end + 1)), said: output.slice(0, end) };
}

// New messages of 2 KiB, no two alike, at 1, 8 and 64 connections, beside plain INSERTs of as many bytes, one after the
// other, each durable before the next (SQLite, WAL, synchronous=FULL, as the room server keeps its own).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../generate.ts';
import { startServer } from '../scale-site.ts';
import { hasLoadGenerator, load, NUMBER } from './load.ts';
import { logInAll } from './mix.ts';
import { inTurn, median, medianRatio, row } from './pairs.ts';

const SIZE = { rooms: 10, messages: 0, users: 2, largeRoom: 10, seed: 1 };
const CONNECTIONS = [1, 8, 64];
const LINE = 'A line of a message, of sixty-four characters with its end: ...\n';
// what has the same bytes is stored once
const BODY = `${NUMBER} ${LINE.slice(NUMBER.length + 1)}${LINE.repeat(31)}`;
const WIDTHS = [12, 8, 10, 6, 8];

export async function benchWrites({ rounds, seconds }: { rounds: number; seconds: number }): Promise<void> {
  if (!hasLoadGenerator()) return;
  const folder = mkdtempSync(join(tmpdir(), 'bench-writes-'));
  const db = new DatabaseSync(join(folder, 'plain.db'));
  try {
    const data = join(folder, 'data');
    await fillFolder(data, SIZE, () => {});
    const server = await startServer(data);
    try {
      const [headers] = await logInAll(server.url, [{ name: READER, password: PASSWORD }]);
      const request = {
        method: 'PUT',
        path: `/svc/r/${LARGE_ROOM}/new?subj=Something`,
        headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
        body: BODY,
      };
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE plain (body BLOB)');
      console.log(`writes: PUT of ${BODY.length} bytes beside plain INSERTs; ratio = gateway / plain`);
      console.log(row(['connections', 'gw/s', 'INSERT/s', 'ratio', 'p99/med'], WIDTHS));
      for (const connections of CONNECTIONS) {
        const [puts, inserts] = await inTurn(rounds, [
          () => load(server.url, [request], { connections, seconds, isKeptAlive: true }),
          () => ({ perSecond: insertRate(db, seconds), medianMs: 1, p99Ms: 1 }),
        ]);
        const [ours, plain] = [puts!, inserts!].map((of) => of.map(({ perSecond }) => perSecond));
        const tail = median(puts!.map(({ p99Ms, medianMs }) => p99Ms / medianMs)).toFixed(1);
        const rates = [median(ours!).toFixed(0), median(plain!).toFixed(0)];
        console.log(row([connections, ...rates, medianRatio(ours!, plain!).toFixed(2), tail], WIDTHS));
      }
    } finally {
      await server.stop();
    }
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function insertRate(db: DatabaseSync, seconds: number): number {
  const insert = db.prepare('INSERT INTO plain VALUES (?)');
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < seconds * 1000; count++) insert.run(BODY);
  return (count / (performance.now() - started)) * 1000;
}

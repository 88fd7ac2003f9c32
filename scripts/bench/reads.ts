// Each main read beside a bare node:http handler that sends the same bytes: 8 and 64 connections, one equal request and
// the mix of 200 users, kept alive; three of them with a connection for each request, too. The mix is the figure that
// counts: equal requests that come together are answered together.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillFolder, PASSWORD, READER } from '../generate.ts';
import { startServer } from '../scale-site.ts';
import { startBare } from './bare.ts';
import { hasLoadGenerator, type LoadRequest, type LoadResult, type LoadShape, load } from './load.ts';
import { answersTo, findKinds, type Kind, logInAll } from './mix.ts';
import { inTurn, median, medianRatio, row } from './pairs.ts';

const USERS = 200;
const SIZE = { rooms: 50, messages: 2000, users: USERS, largeRoom: 200, seed: 1 };
const CONNECTIONS = [8, 64];
/** with a connection for each request the kind hardly matters */
const ALSO_CLOSED = new Set(['message', 'static', 'all']);
const WARM_UP_SECONDS = 0.5;
const WIDTHS = [13, 6, 4, 6, 7, 8, 8, 6, 8, 8];

export interface ReadsOptions {
  rounds: number;
  /** of each measurement */
  seconds: number;
  /** kinds whose names contain it */
  kind: string;
  /** another server with the same paths, and `user:password` there */
  peer?: { url: string; auth: string } | undefined;
}

interface Side {
  url: string;
  /** undefined: a peer that does not have it */
  requests: readonly LoadRequest[] | undefined;
}

export async function benchReads(options: ReadsOptions): Promise<void> {
  if (!hasLoadGenerator()) return;
  const folder = mkdtempSync(join(tmpdir(), 'bench-reads-'));
  try {
    await fillFolder(folder, SIZE, () => {});
    const server = await startServer(folder);
    try {
      const names = [READER, ...Array.from({ length: USERS - 1 }, (_, i) => `user${i + 1}`)];
      const users = await logInAll(
        server.url,
        names.map((name) => ({ name, password: PASSWORD })),
      );
      const kinds = await findKinds(server.url, users);
      const { peer } = options;
      const authorization = peer && `Basic ${Buffer.from(peer.auth).toString('base64')}`;
      const peerKinds = peer && (await findKinds(peer.url, [{ authorization: authorization! }]));
      console.log(`reads: ${USERS} users, ${SIZE.rooms} rooms, ${SIZE.messages} messages; ratio = gateway / bare`);
      const head = ['kind', 'form', 'conn', 'alive', 'KB', 'gw/s', 'bare/s', 'ratio', 'p99/med', 'of bare'];
      console.log(row(peer ? [...head, 'peer/s', 'ratio'] : head, WIDTHS));
      for (const kind of kinds) {
        if (!kind.name.includes(options.kind)) continue;
        await benchKind(
          kind,
          server.url,
          peerKinds?.find(({ name }) => name === kind.name),
          options,
        );
      }
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchKind(kind: Kind, url: string, peerKind: Kind | undefined, options: ReadsOptions): Promise<void> {
  const answers = await answersTo(url, kind.mix);
  const kilobytes = answers.reduce((sum, { body }) => sum + (body.length * 3) / 4, 0) / answers.length / 1000;
  const bare = await startBare(answers);
  try {
    for (const form of kind.name === 'all' ? (['mix'] as const) : (['equal', 'mix'] as const)) {
      const pick = (each: Kind | undefined) => (form === 'mix' ? each?.mix : each && [each.equal]);
      const numbered = answers.map((_, i) => ({ path: `/${i}` }));
      const sides: Side[] = [
        { url, requests: pick(kind) },
        { url: bare.url, requests: form === 'mix' ? numbered : numbered.slice(0, 1) },
      ];
      if (options.peer) sides.push({ url: options.peer.url, requests: pick(peerKind) });
      // what is measured is a server that has been at it for a while: compiled, and with what it keeps
      await measure(sides, { connections: CONNECTIONS.at(-1)!, seconds: WARM_UP_SECONDS, isKeptAlive: true }, 1);
      for (const isKeptAlive of ALSO_CLOSED.has(kind.name) ? [true, false] : [true]) {
        for (const connections of CONNECTIONS) {
          const shape = { connections, seconds: options.seconds, isKeptAlive };
          const results = await measure(sides, shape, options.rounds);
          console.log(
            row(
              [kind.name, form, connections, isKeptAlive ? 'yes' : 'no', kilobytes.toFixed(1), ...cells(results)],
              WIDTHS,
            ),
          );
        }
      }
    }
  } finally {
    await bare.stop();
  }
}

async function measure(sides: readonly Side[], shape: LoadShape, rounds: number): Promise<LoadResult[][]> {
  const ways = sides.flatMap(({ url, requests }) => (requests ? [() => load(url, requests, shape)] : []));
  return inTurn(rounds, ways);
}

function cells([gateway, bare, peer]: LoadResult[][]): string[] {
  const rates = (of: LoadResult[]) => of.map(({ perSecond }) => perSecond);
  const [ours, theirs] = [rates(gateway!), rates(bare!)];
  const tail = (of: LoadResult[]) => median(of.map(({ p99Ms, medianMs }) => p99Ms / medianMs)).toFixed(1);
  const shown = [median(ours).toFixed(0), median(theirs).toFixed(0), medianRatio(ours, theirs).toFixed(2)];
  shown.push(tail(gateway!), tail(bare!));
  if (peer) shown.push(median(rates(peer)).toFixed(0), medianRatio(ours, rates(peer)).toFixed(2));
  return shown;
}

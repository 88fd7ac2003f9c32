// A share of test/e2e/faults.slow.ts in a process of its own: FAULT_PLACE, FAULT_SHARE and FAULT_SHARES of the
// environment say which. Sends what it has judged, task by task.

import { mock } from 'node:test';
import { ALL_TALKS } from './fault-dav-talks.ts';
import type { ByteFault } from './fault-proxy.ts';
import { FAULT_KINDS } from './fault-proxy.ts';
import { disturb, faultsOf, type Judged } from './fault-run.ts';
import {
  type FaultPlace,
  type RoomServerKind,
  shortenSilence,
  startFaultFront,
  startFaultSite,
  startRoomServerSite,
} from './fault-site.ts';
import type { Talk } from './fault-talks.ts';

/** One talk with one kind of fault, at each position of which `of` leaves this rest. */
interface Task extends Pick<ByteFault, 'kind' | 'direction'> {
  talk: Talk;
  rest: number;
  of: number;
  user: string;
}

/** shorter than in earnest, and longer than a busy machine takes for an answer */
const SILENCE_MS = 2500;
/** What is stalled waits and costs nothing: of these many at once, of the others as many as keep a processor busy. */
const STALLS_AT_ONCE = 60;
const OTHERS_AT_ONCE = 4;
/** a stall at each of the positions, one after the other, would take as long as all the rest */
const PARTS_OF_STALLS = 16;
/** each kind in both directions */
const MOST_FAULTS = 2 * FAULT_KINDS.length;
/** conversations of clients: each of them waits, too */
const FRONTS_AT_ONCE = 10;

const { FAULT_PLACE, FAULT_TALK, FAULT_SHARE, FAULT_SHARES } = process.env;
const place = FAULT_PLACE as FaultPlace;
const endings: (() => Promise<void> | void)[] = [];
const ending = { after: (done: () => Promise<void> | void) => void endings.unshift(done) };
const talks = ALL_TALKS.filter(({ name }) => name === (FAULT_TALK ?? name));
const ofThisShare = (_: unknown, i: number): boolean => i % Number(FAULT_SHARES) === Number(FAULT_SHARE);

if (place === 'front') await disturbFronts();
else await disturbRoomServer(place);
for (const end of endings) await end();
process.disconnect?.();

/**
 * Each talk has a gateway of its own: passwords that were changed on their way are failed log-ins of its address. Each
 * kind of fault has a user of its own: one may have so many uploads.
 */
async function disturbFronts(): Promise<void> {
  const waiting = talks.filter(ofThisShare).values();
  const isFront = true;
  const users = Array.from({ length: MOST_FAULTS }, (_, i) => `user${i}`);
  const work = async () => {
    for (const talk of waiting) {
      await using opened = new AsyncDisposableStack();
      const t = { after: (done: () => Promise<void> | void) => void opened.defer(done) };
      const site = await startFaultFront(t, await startRoomServerSite(t, 'ours', users));
      for (const [i, { kind, direction }] of faultsOf({ isFront }, talk).entries()) {
        const judged = await disturb(site, talk, users[i]!, (bytes, itsKind, itsDirection) =>
          itsKind === kind && itsDirection === direction ? [...bytes.keys()] : [],
        );
        await send(judged);
      }
    }
  };
  await Promise.all(Array.from({ length: FRONTS_AT_ONCE }, work));
}

async function disturbRoomServer(kind: RoomServerKind): Promise<void> {
  const tasks = talks
    .flatMap((talk) =>
      faultsOf({ isFront: false }, talk).flatMap(({ kind, direction }) => {
        const of = kind === 'stall' ? PARTS_OF_STALLS : 1;
        return Array.from({ length: of }, (_, rest) => ({ talk, kind, direction, rest, of }));
      }),
    )
    .filter(ofThisShare)
    .map((task, i): Task => ({ ...task, user: `user${i}` }));

  shortenSilence({ mock }, SILENCE_MS);
  const users = tasks.map(({ user }) => user);
  const rooms = await startRoomServerSite(ending, kind, users);

  /** Does these tasks with one gateway each time, so many at once. */
  function work(these: Task[], atOnce: number): Promise<void>[] {
    const waiting = these.values();
    return Array.from({ length: Math.min(atOnce, these.length) }, async () => {
      const site = await startFaultSite(ending, rooms);
      for (const { talk, kind, direction, rest, of, user } of waiting) {
        const judged = await disturb(site, talk, user, (bytes, itsKind, itsDirection) =>
          itsKind === kind && itsDirection === direction
            ? Array.from(bytes, (_, i) => i).filter((i) => i % of === rest)
            : [],
        );
        await send(judged);
      }
    });
  }

  const [stalls = [], others = []] = [true, false].map((are) => tasks.filter(({ kind }) => (kind === 'stall') === are));
  await Promise.all([...work(stalls, STALLS_AT_ONCE), ...work(others, OTHERS_AT_ONCE)]);
}

function send(judged: Judged[]): Promise<void> {
  return new Promise((resolve) => process.send?.(judged, () => resolve()));
}

// Attacks on what users share: many cheap requests of mallory, one of ann. Counted, not timed.

import { setImmediate as nextRound } from 'node:timers/promises';
import { onBehalfOf } from '../../src/system/fair-queue.ts';
import type { Ending } from './gateway.ts';

export type Who = 'mallory' | 'ann';

export interface Outcome {
  /** turns of mallory between ann's request and her turn, or between two of hers */
  waited: number;
  /** what was begun of mallory's after he has left */
  begunAfterGone: number;
}

export type Attack = (t: Ending) => Promise<Outcome>;

export interface Queue {
  /** Asks for something; `begun` notes when it is done. Rejects when the client has gone. */
  ask(who: Who, n: number): unknown;
  /** whose turns began, in their order */
  begun: string[];
  /** Lets the next ones begin. */
  step(): unknown;
  /** of mallory's client; by default the asker's signal aborts */
  leave?(): unknown;
  /** of his turns: that were under way, or the first of which nobody reads the reply */
  last?: number;
}

export const MANY = 40;
const STEPS = 2000;
const STEPS_AFTER = 2 * MANY;

/** One asks MANY times, then another. `turnsOfOne`: of the other's request. */
export async function attackQueue(makeQueue: (gone: AbortSignal) => Queue, turnsOfOne = 1): Promise<Outcome> {
  const leaving = new AbortController();
  const queue = makeQueue(leaving.signal);
  const { begun } = queue;
  const ask = (who: Who, n: number, gone: AbortSignal) =>
    Promise.try(() => onBehalfOf({ turnKey: who, gone }, () => queue.ask(who, n))).catch(() => {});
  for (let n = 0; n < MANY; n++) void ask('mallory', n, leaving.signal);
  await nextRound();
  const before = begun.length;
  void ask('ann', MANY, new AbortController().signal);
  await nextRound();
  const turnsOf = (who: string) => begun.slice(before).filter((each) => each === who).length;
  for (let step = 0; turnsOf('ann') < turnsOfOne; step++) {
    if (step === STEPS) throw new Error(`ann waits: ${begun.slice(before)}`);
    await queue.step();
    await nextRound();
  }
  const waited = Math.max(...`,${begun.slice(before)},`.split('ann').map((some) => some.split('mallory').length - 1));
  leaving.abort(new Error('left'));
  await queue.leave?.();
  await nextRound();
  const left = turnsOf('mallory');
  for (let step = 0; step < STEPS_AFTER; step++) {
    await queue.step();
    await nextRound();
  }
  return { waited, begunAfterGone: Math.max(0, turnsOf('mallory') - left - (queue.last ?? 0)) };
}

export interface Share {
  /** Takes one more. False, or throws: refused. */
  take(who: Who): unknown;
  /** how many one may have, so that the attack is seen to end */
  most: number;
  /** how many ann has left beside all that mallory has taken: by default one is asked for */
  wants?: number;
}

/** One takes until nothing more is given to him; then the other gets hers at once. */
export async function attackShare({ take, most, wants = 1 }: Share): Promise<Outcome> {
  const get = async (who: Who): Promise<boolean> => {
    try {
      return (await take(who)) !== false;
    } catch {
      return false;
    }
  };
  let taken = 0;
  while (taken <= most && (await get('mallory'))) taken++;
  if (taken > most) throw new Error(`mallory has ${taken} of ${most}`);
  if (taken === 0) throw new Error('mallory has nothing');
  for (let n = 0; n < wants; n++) if (!(await get('ann'))) throw new Error(`ann gets ${n} of ${wants}`);
  return { waited: 0, begunAfterGone: 0 };
}

/** Ends those that wait, one after the other. */
export function gates(): { wait(): Promise<void>; step(): void } {
  const waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    step: () => waiting.shift()?.(),
  };
}

/** Keeps the thread busy. */
export function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

// A client whose connection breaks, at any byte of what it says and of what it is told: nothing is made by halves, what
// is said of a change is true, no fault of ours is told, and the next request works.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ALL_TALKS } from '../support/fault-dav-talks.ts';
import { disturb, type Judged, problemsOf, someOf, tableOf } from '../support/fault-run.ts';
import { startFaultFront, startRoomServerSite } from '../support/fault-site.ts';
import { newSeed, randomFrom } from '../support/random.ts';

/** beside the end of a line, and elsewhere, for each kind of fault */
const POSITIONS = 1;
const AT_ONCE = 6;

it('a client whose connection breaks at any byte leaves nothing by halves, and the next one is served', async (t) => {
  const seed = newSeed();
  t.diagnostic(`seed ${seed}`);
  const users = ALL_TALKS.map((_, i) => `user${i}`);
  const rooms = await startRoomServerSite(t, 'ours', users);
  const all: Judged[] = [];
  const waiting = ALL_TALKS.entries();
  const work = async () => {
    const site = await startFaultFront(t, rooms);
    for (const [i, talk] of waiting) {
      all.push(...(await disturb(site, talk, users[i]!, someOf(randomFrom(seed + i), POSITIONS))));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  t.diagnostic(`\n${tableOf(all)}`);
  assert.deepEqual(problemsOf(all), [], `seed ${seed}`);
  assert.deepEqual(rooms.straight.faults, []);
});

// A room server whose connections break, at any byte: each request ends in a right answer, a clear error, or a
// connection that is visibly broken off; what is said of a change is true; the next request works. Some positions of
// each conversation; faults.slow.ts has all of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_TALKS } from '../support/fault-dav-talks.ts';
import { disturb, type Judged, problemsOf, someOf, tableOf } from '../support/fault-run.ts';
import { ROOM_SERVERS, shortenSilence, startFaultSite, startRoomServerSite } from '../support/fault-site.ts';
import { newSeed, randomFrom } from '../support/random.ts';

/** shorter than in earnest, and longer than a busy machine takes for an answer */
const SILENCE_MS = 2500;
/** beside the end of a line, and elsewhere, for each kind of fault */
const POSITIONS = 1;
const AT_ONCE = 12;

for (const kind of ROOM_SERVERS) {
  describe(`a room server (${kind}) whose connections break at any byte`, () => {
    it('makes no answer wrong, none missing, and no change untold', async (t) => {
      const seed = newSeed();
      t.diagnostic(`seed ${seed}`);
      shortenSilence(t, SILENCE_MS);
      // an ordinary one is asked now and then what is new: a stream of events takes seconds
      const talks = kind === 'ours' ? ALL_TALKS : ALL_TALKS.filter(({ until }) => until === undefined);
      const users = talks.map((_, i) => `user${i}`);
      const rooms = await startRoomServerSite(t, kind, users);
      const all: Judged[] = [];
      const waiting = talks.entries();
      const work = async () => {
        const site = await startFaultSite(t, rooms);
        for (const [i, talk] of waiting) {
          all.push(...(await disturb(site, talk, users[i]!, someOf(randomFrom(seed + i), POSITIONS))));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      t.diagnostic(`\n${tableOf(all)}`);
      assert.deepEqual(problemsOf(all), [], `seed ${seed}`);
    });
  });
}

// A room server whose connections break, at any byte: each request ends in a right answer, a clear error, or a
// connection that is visibly broken off; what is said of a change is true; the next request works. Every position of
// each conversation, of stalls every fifth: half an hour and more. FAULT_TALK=post takes one of them, FAULT_SERVER=ours
// one of the servers.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_TALKS } from '../support/fault-dav-talks.ts';
import { disturb, everyPosition, type Judged, problemsOf, tableOf } from '../support/fault-run.ts';
import { ROOM_SERVERS, shortenSilence, startFaultSite, startRoomServerSite } from '../support/fault-site.ts';

/** shorter than in earnest, and longer than a busy machine takes for an answer */
const SILENCE_MS = 5000;
const AT_ONCE = 18;

for (const kind of ROOM_SERVERS.filter((each) => each === (process.env.FAULT_SERVER ?? each))) {
  describe(`a room server (${kind}) whose connections break at any byte`, () => {
    it('makes no answer wrong, none missing, and no change untold', async (t) => {
      shortenSilence(t, SILENCE_MS);
      const talks = ALL_TALKS.filter(({ name }) => name === (process.env.FAULT_TALK ?? name));
      const users = talks.map((_, i) => `user${i}`);
      const rooms = await startRoomServerSite(t, kind, users);
      const all: Judged[] = [];
      const waiting = talks.entries();
      const work = async () => {
        const site = await startFaultSite(t, rooms);
        for (const [i, talk] of waiting) {
          all.push(...(await disturb(site, talk, users[i]!, everyPosition)));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      t.diagnostic(`\n${tableOf(all)}`);
      assert.deepEqual(problemsOf(all), []);
    });
  });
}

// A room server whose connections break, and a client whose do, at any byte: each request ends in a right answer, a
// clear error, or a connection that is visibly broken off; what is said of a change is true; the next request works.
// Every position of each conversation, in a process for each processor. FAULT_TALK=post takes one of the conversations,
// FAULT_PLACE=front one of the places.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Judged, problemsOf, tableOf } from '../support/fault-run.ts';
import { FAULT_PLACES, type FaultPlace } from '../support/fault-site.ts';

const PROCESS = fileURLToPath(new URL('../support/fault-process.ts', import.meta.url));
const SHARES = availableParallelism();
const NAMES: Readonly<Record<FaultPlace, string>> = {
  ours: 'a room server (ours)',
  ordinary: 'a room server (ordinary)',
  front: 'a client',
};

for (const place of FAULT_PLACES.filter((each) => each === (process.env.FAULT_PLACE ?? each))) {
  describe(`${NAMES[place]} whose connections break at any byte`, () => {
    it('makes no answer wrong, none missing, and no change untold', async (t) => {
      const shares = Array.from({ length: SHARES }, (_, share) => judgedBy(place, share));
      const all = (await Promise.all(shares)).flat();
      t.diagnostic(`\n${all.length} positions\n${tableOf(all)}`);
      assert.deepEqual(problemsOf(all), []);
    });
  });
}

async function judgedBy(place: FaultPlace, share: number): Promise<Judged[]> {
  const env = { ...process.env, FAULT_PLACE: place, FAULT_SHARE: String(share), FAULT_SHARES: String(SHARES) };
  const child = fork(PROCESS, { env });
  const all: Judged[] = [];
  child.on('message', (judged) => {
    all.push(...(judged as Judged[]));
    for (const problem of problemsOf(judged as Judged[])) process.stderr.write(`${problem}\n`);
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  return all;
}

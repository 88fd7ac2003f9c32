// What a peer may send, by the thousand and from another seed each time: parsers, listener and room server keep what
// they promise. What has failed once is in test/fixtures/fuzz, and does not again. Longer: npm run fuzz.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { newSeed, randomFrom } from '../support/random.ts';
import { fuzz } from './engine.ts';
import { TARGETS } from './targets/all.ts';

const FIXTURES = new URL('../fixtures/fuzz/', import.meta.url).pathname;
/** a second or two of each */
const INPUTS: Readonly<Record<string, number>> = {
  xml: 4000,
  dav: 1500,
  calendar: 1500,
  card: 3000,
  scheduling: 600,
  message: 400,
  header: 3000,
  html: 800,
  multipart: 600,
  http: 600,
  gateway: 1500,
  answers: 600,
  'room-server': 800,
  'room-client': 100,
  resp: 3000,
};

for (const target of TARGETS) {
  describe(`what is sent as ${target.name}`, () => {
    after(() => target.close?.());

    it('does not fail as it did once', async () => {
      for (const file of globSync(`${FIXTURES}${target.name}/*`)) {
        await assert.doesNotReject(async () => target.run(readFileSync(file)), file);
      }
    });

    it('keeps its promises, whatever it is, and most of it gets past the first check', async () => {
      const seed = newSeed();
      const wanted = INPUTS[target.name]!;
      const { inputs, accepted, failure } = await fuzz(target, randomFrom(seed), (count) => count >= wanted);
      if (failure) {
        const input = JSON.stringify(failure.input.toString('latin1'));
        throw new Error(`seed ${seed}: fails on ${input}`, { cause: failure.error });
      }
      assert.ok(accepted > inputs / 2, `seed ${seed}: ${accepted} of ${inputs}`);
    });
  });
}

// What a peer may send, by the thousand and from another seed each time: parsers, listener and room server keep what
// they promise. What has failed once is in test/fixtures/fuzz, and does not again. Longer: npm run fuzz.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { newSeed, randomFrom } from '../support/random.ts';
import { fuzz } from './engine.ts';
import { TARGETS } from './targets/all.ts';

const FIXTURES = new URL('../fixtures/fuzz/', import.meta.url).pathname;
/** about a second of each */
const INPUTS: Readonly<Record<string, number>> = {
  xml: 2000,
  dav: 750,
  calendar: 750,
  card: 1500,
  scheduling: 300,
  message: 200,
  unpacked: 400,
  header: 1500,
  html: 400,
  styles: 600,
  multipart: 300,
  http: 300,
  gateway: 750,
  answers: 300,
  'room-server': 400,
  'room-client': 50,
  resp: 1500,
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
      const wanted = INPUTS[target.name];
      assert.ok(wanted !== undefined, 'INPUTS has no number for it');
      const { inputs, accepted, failure } = await fuzz(target, randomFrom(seed), (count) => count >= wanted);
      if (failure) {
        const input = JSON.stringify(failure.input.toString('latin1'));
        throw new Error(`seed ${seed}: fails on ${input}`, { cause: failure.error });
      }
      assert.ok(accepted > inputs / 2, `seed ${seed}: ${accepted} of ${inputs}`);
    });
  });
}

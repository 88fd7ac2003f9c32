// What users share holds when one asks for very much of it: each row of the list is attacked, and somebody else waits
// for so many turns at most. What the attacker has left waiting is not done once he has gone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isShared, LIMITS } from '../../scripts/limits-table.ts';
import { productSources } from '../../scripts/product-sources.ts';
import { SHARED, type SharedName, sharedRows } from '../../scripts/shared-resources.ts';
import type { Attack } from '../support/attacks.ts';
import { QUEUE_ATTACKS } from '../support/queue-attacks.ts';
import { SHARE_ATTACKS } from '../support/share-attacks.ts';

const ATTACKS: Record<string, Attack | undefined> = { ...QUEUE_ATTACKS, ...SHARE_ATTACKS };
const ROOT = join(import.meta.dirname, '../..');
const MADE =
  /new (BoundedMap|ConnectionSlots|FairQueue|GroupCommit|Line|NetworkCounts|SerialQueue|Slots|Sums|TurnQueue|WaitingLine)\b/g;

describe('while one asks for very much of', () => {
  for (const [name, { what, turns }] of Object.entries(SHARED)) {
    it(`${what}, another waits for ${turns} turns at most`, { timeout: 60_000 }, async (t) => {
      const attack = ATTACKS[name];
      assert.ok(attack, 'each has an attack');
      const { waited, begunAfterGone } = await attack(t as never);
      assert.ok(waited <= turns, `waited for ${waited} turns`);
      assert.equal(begunAfterGone, 0, 'done for who has gone');
    });
  }
});

describe('the list of what users share', () => {
  it('has an attack for each, and none for what is not in it', () => {
    assert.deepEqual(Object.keys(ATTACKS).sort(), Object.keys(SHARED).sort());
  });

  it('names all that the sources make to share something, and nothing else', () => {
    const sources = [...productSources(ROOT)].filter(([path]) => path.startsWith('src/'));
    const made = sources.flatMap(([path, text]) =>
      Array.from(text.matchAll(MADE), ([, of]) => (of === 'BoundedMap' ? of : `${path.slice('src/'.length)} ${of}`)),
    );
    const named: string[] = Object.values(SHARED).flatMap(({ kept }) => kept);
    assert.deepEqual([...new Set(made)].sort(), named.sort());
  });

  it('names bounds that there are, and all of one user, address or caller', () => {
    const named = new Set<string>(Object.values(SHARED).flatMap(({ bounds }) => bounds));
    assert.deepEqual(
      [...named].filter((name) => !(name in LIMITS)),
      [],
    );
    assert.deepEqual(
      Object.keys(LIMITS).filter((name) => isShared(name) && !named.has(name)),
      [],
    );
  });

  it('is the table in SECURITY.md', () => {
    const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
    assert.equal(/<!-- npm run readme -->\n([\s\S]*?)<!-- end -->/.exec(text)?.[1], sharedRows());
  });
});

/** a row without an attack does not compile either */
({ ...QUEUE_ATTACKS, ...SHARE_ATTACKS }) satisfies Record<SharedName, Attack>;

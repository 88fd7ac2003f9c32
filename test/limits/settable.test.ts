// Bounds that operators set.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as settable from '../../src/limits/settable.ts';
import { BOUND_NAMES, type Bounds, boundUnitOf, isInRange, setBounds } from '../../src/limits/settable.ts';

const all = settable as unknown as Record<string, number>;
const constants = Object.keys(all).filter((name) => typeof all[name] === 'number');

it('each is set by its name, and by no other', () => {
  const seen = new Set<string>();
  for (const name of BOUND_NAMES) {
    const before = new Map(constants.map((constant) => [constant, all[constant]!]));
    const [changed, ...others] = setting(name, before);
    assert.ok(changed !== undefined && others.length === 0, name);
    assert.equal(settable.boundNameOf(changed), name);
    seen.add(changed);
  }
  assert.deepEqual([...seen].sort(), constants.toSorted());
});

/** The constants that are others when it is set to a count of its own, and set back behind that. */
function setting(name: settable.BoundName, before: ReadonlyMap<string, number>): string[] {
  const [count, unit] = [[1001, 901, 90].find((each) => isInRange(name, each))!, boundUnitOf(name)];
  setBounds({ [name]: count } as Bounds);
  const changed = constants.filter((constant) => all[constant] !== before.get(constant));
  for (const constant of changed) assert.equal(all[constant], count * unit);
  if (changed.length === 1) setBounds({ [name]: before.get(changed[0]!)! / unit } as Bounds);
  return changed;
}

it('has a default that it may be set to, and no count that makes no sense', () => {
  for (const constant of constants) {
    const name = settable.boundNameOf(constant)!;
    assert.ok(isInRange(name, all[constant]! / boundUnitOf(name)), constant);
  }
  for (const name of BOUND_NAMES) for (const count of [0, -1, 1.5, 1e7]) assert.ok(!isInRange(name, count), name);
});

// The tests of growth with all cases, where growth.ts takes some of those that are much alike; each file in a process of
// its own: the steps of one are not to be counted for another.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { it } from 'node:test';

const { NODE_TEST_CONTEXT: _, ...env } = process.env;

for (const file of globSync('*.test.ts', { cwd: import.meta.dirname })) {
  it(`${file}, all cases`, () => {
    const options = { cwd: import.meta.dirname, env: { ...env, GROWTH_CASES: 'all' }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], options);
    assert.equal(status, 0, stdout + stderr);
  });
}

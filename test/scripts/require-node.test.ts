// scripts/require-node.cjs, the guard that npm runs first: what a person with an old Node gets to read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('../../scripts/require-node.cjs', import.meta.url));

function runAs(version: string) {
  const pretend = `
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    Object.defineProperty(process, 'version', { value: 'v${version}' });
    require(${JSON.stringify(guard)});`;
  return spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' });
}

describe('the guard against an old Node', () => {
  it('says nothing from 24 on', () => {
    for (const version of ['24.0.0', '26.10.0'])
      assert.deepEqual([runAs(version).status, runAs(version).stderr], [0, '']);
  });

  it('stops below with the version found and what to do', () => {
    const { status, stderr } = runAs('23.11.1');
    assert.equal(status, 1);
    assert.match(stderr, /needs Node 24 or newer; this is v23\.11\.1\./);
    assert.match(stderr, /`npm ci` \(without --omit=optional/);
  });
});

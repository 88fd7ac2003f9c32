// scripts/package/node-binary.ts: whose Node gets into a binary.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { assertIntegrity, nodeBinary, PLATFORMS, THIS_PLATFORM } from '../../scripts/package/node-binary.ts';

const json = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

it('each platform is a package of the pinned Node, and the lock file has its checksum', () => {
  const pinned = json('scripts/node-runtime/package.json').optionalDependencies as Record<string, string>;
  const names = Object.values(PLATFORMS).map((platform) => platform.package);
  assert.deepEqual(names.sort(), Object.keys(pinned).sort());
  for (const name of names) {
    const { version, integrity } = json('package-lock.json').packages[`node_modules/${name}`];
    assert.equal(version, pinned[name]);
    assert.match(integrity, /^sha512-/);
  }
});

it('for the platform of the build it is the Node that builds', () => {
  assert.equal(nodeBinary(THIS_PLATFORM, '/nonexistent'), process.execPath);
});

it('an archive with another checksum is refused', () => {
  const bytes = Buffer.from('archive');
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  assertIntegrity(bytes, integrity, 'a.tgz');
  assert.throws(
    () => assertIntegrity(Buffer.from('Archive'), integrity, 'a.tgz'),
    /a\.tgz is not what the lock file says/,
  );
});

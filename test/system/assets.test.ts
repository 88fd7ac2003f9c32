// What is found of the program's own files when it runs from its sources; in the one-file binary e2e/binary.slow.ts
// looks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { embeddedStatic, version } from '../../src/system/assets.ts';

it('from source nothing is inside, and static files come from the tree', () => {
  assert.equal(embeddedStatic(), undefined);
});

it('the version is that of the package', () => {
  const packageFile = new URL('../../package.json', import.meta.url);
  assert.equal(version(), JSON.parse(readFileSync(packageFile, 'utf8')).version);
});

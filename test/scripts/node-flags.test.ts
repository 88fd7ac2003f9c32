// What Node is started with is the same everywhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { NODE_FLAGS } from '../../scripts/node-flags.ts';

it('npm start gives Node the flags of the one-file binary', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(scripts.start, ['node', ...NODE_FLAGS, 'src/main.ts'].join(' '));
});
